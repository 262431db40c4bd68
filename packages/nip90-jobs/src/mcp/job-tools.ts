import { isBonafideError, type Page, truncate } from '@bonafide/internal';
import * as z from 'zod';
import type { JobClient } from '../client/job-client.ts';
import type { JobHandle } from '../client/job-handle.ts';
import { isRequestKind } from '../codec/index.ts';
import { publicKeySchema } from '../codec/public-key.ts';
import { JobError } from '../errors.ts';
import { isFinal, type Job } from '../job.ts';
import { callable, msat, port, readConfig, readInput } from '../option-schemas.ts';
import { outcomeOf } from '../outcome.ts';
import { randomHex } from '../random-hex.ts';
import { systemTimers } from '../timers.ts';
import { ARGUMENTS_MARKER } from './tool-arguments.ts';

/** Behaviour of a tool, in the terms of MCP. */
export interface JobToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool for a model, independent of an SDK. `inputSchema` is a Standard Schema. */
export interface JobTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly annotations: JobToolAnnotations;
  /** Validates the input and runs the tool. The result is JSON. Throws `INVALID_INPUT` and the errors of the client. */
  execute(input: unknown): Promise<{ readonly [key: string]: unknown }>;
}

/** Options of {@link jobTools}. */
export interface JobToolsOptions {
  /**
   * Highest price that the model may offer for a job, in millisatoshi.
   * @default 0, free work only
   */
  readonly maxBidMsat?: number;
  /**
   * Request kinds that the model may use.
   * @default all, 5000–5999
   */
  readonly kinds?: readonly number[];
  /** Public keys of the providers that the model may hire; without it any, and open jobs too. */
  readonly providers?: readonly string[];
  /**
   * Longest time that `hire_provider` waits for the result, in ms.
   * @default 120_000
   */
  readonly waitMs?: number;
  /**
   * Maximum size of a result in a tool's answer, in bytes.
   * @default 20_000
   */
  readonly maxContentBytes?: number;
  /**
   * Name under which the tools keep their jobs, without a colon. They reach no other job of the client; tools with the same name
   * share theirs, also after a restart.
   * @default 'tools'
   */
  readonly scope?: string;
  /**
   * Random number in [0, 1), for the names of jobs without an idempotency key.
   * @default Math.random
   */
  readonly random?: () => number;
}

/** Maximum number of pages of the client's jobs that `list_jobs` reads. */
const maxPages = 20;

const clientSchema = port('requestJob', 'get', 'list', 'payment');
const optionsSchema = z.strictObject({
  maxBidMsat: msat.default(0),
  kinds: z.array(z.int().refine(isRequestKind, 'must be between 5000 and 5999')).min(1).optional(),
  providers: z.array(publicKeySchema).optional(),
  waitMs: z.number().min(0).default(120_000),
  maxContentBytes: z.int().positive().default(20_000),
  // With a colon, the jobs of one scope could bear the name of another.
  scope: z
    .string()
    .regex(/^[^:\p{Cc}\p{Cs}]{1,200}$/u, '1 to 200 characters, no colon and no control characters')
    .default('tools'),
  random: callable.optional(),
});

const jobId = z.string().regex(/^[0-9a-f]{64}$/u, 'must be the job_id of an earlier answer');

/**
 * Creates tools with which a model hires providers: `hire_provider`, `get_job`, `list_jobs` and `cancel_job`. Results are
 * untrusted text of other parties, and are marked so. The host limits prices, kinds and providers. The tools reach the jobs
 * that they have requested, and no others of the client.
 */
export function jobTools(
  client: Pick<JobClient, 'requestJob' | 'get' | 'list' | 'payment'>,
  options: JobToolsOptions = {},
): readonly JobTool[] {
  readConfig(clientSchema, client, 'client');
  const { maxBidMsat, kinds, providers, waitMs, maxContentBytes, scope } = readConfig(optionsSchema, options);
  const { random = Math.random } = options;
  const prefix = `${scope}:`;
  const isOwn = ({ idempotencyKey }: Job) => idempotencyKey?.startsWith(prefix) ?? false;

  const describe = async (handle: JobHandle) => {
    const { job } = handle;
    const outcome = outcomeOf(job);
    const payment = await client.payment(handle.jobId);
    return {
      job_id: handle.jobId,
      state: job.state,
      provider: job.provider,
      paid_msat: payment?.status === 'settled' ? payment.amountMsat + payment.feesMsat : 0,
      // A provider's reason is part of the message.
      ...(outcome instanceof Error
        ? { code: outcome.code, error: truncate(outcome.message, maxContentBytes), error_is_untrusted: true }
        : {}),
      ...(outcome !== null && !(outcome instanceof Error)
        ? {
            provider: outcome.provider,
            asks_msat: outcome.amountMsat,
            content: truncate(outcome.content, maxContentBytes),
            content_is_untrusted: true,
          }
        : {}),
    };
  };

  const existing = async (id: string): Promise<JobHandle> => {
    const handle = await client.get(id);
    if (handle === null || !isOwn(handle.job)) throw new JobError('JOB_NOT_FOUND', `There is no job ${id}.`);
    return handle;
  };

  const hireInput = z.object({
    task: z
      .string()
      .max(100_000)
      .default('')
      .describe('The work to do, or the input text of the tool to call.'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Arguments of the tool to call, as a JSON object.'),
    kind: z
      .int()
      .min(5_000)
      .max(5_999)
      .default(kinds?.[0] ?? 5_050)
      .describe('NIP-90 request kind, for example 5050 for text generation.'),
    provider: z.string().optional().describe('npub or hex public key of the provider; omit to ask everyone.'),
    params: z
      .record(z.string(), z.string())
      .default({})
      .describe('Parameters, for example {"tool": "search"}.'),
    max_price_msat: z
      .int()
      .min(0)
      .max(maxBidMsat)
      .default(0)
      .describe(`Highest price to pay, at most ${maxBidMsat} millisatoshi.`),
    encrypted: z.boolean().default(false).describe('Encrypt the task; needs a provider.'),
    idempotency_key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Name of this piece of work: a repeated call with it does not hire again.'),
  });

  const hire: JobTool = {
    name: 'hire_provider',
    description:
      'Hire a provider over Nostr (NIP-90) for a piece of work and wait for the result. Returns the result, or a job_id to ask for later.',
    inputSchema: hireInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    async execute(input) {
      const asked = read(hireInput, input);
      if (kinds && !kinds.includes(asked.kind))
        throw new JobError('INVALID_INPUT', `kind: one of ${kinds.join(', ')} is permitted.`);
      if (providers && !(asked.provider && providers.includes(asked.provider)))
        throw new JobError('INVALID_INPUT', `provider: one of ${providers.join(', ')} is permitted.`);
      if (asked.task === '' && asked.arguments === undefined)
        throw new JobError('INVALID_INPUT', 'task: say what to do, or pass arguments.');
      const handle = await client.requestJob(
        {
          kind: asked.kind,
          provider: asked.provider ?? null,
          inputs: [
            ...(asked.task === '' ? [] : [{ data: asked.task }]),
            ...(asked.arguments === undefined
              ? []
              : [{ data: JSON.stringify(asked.arguments), marker: ARGUMENTS_MARKER }]),
          ],
          params: asked.params,
          bidMsat: asked.max_price_msat > 0 ? asked.max_price_msat : null,
          encrypted: asked.encrypted,
        },
        { idempotencyKey: `${prefix}${asked.idempotency_key ?? `#${randomHex(random, 24)}`}` },
      );
      await settledWithin(handle, waitMs);
      const described = await describe(handle);
      return isFinal(handle.state)
        ? described
        : { ...described, message: 'The job is still running. Call get_job with this job_id later.' };
    },
  };

  const jobInput = z.object({ job_id: jobId });
  const get: JobTool = {
    name: 'get_job',
    description: 'Return the state of a job, and its result when it has one.',
    inputSchema: jobInput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    execute: async (input) => describe(await existing(read(jobInput, input).job_id)),
  };

  const listInput = z.object({
    open: z.boolean().optional().describe('True: running jobs only; false: ended jobs only.'),
    limit: z.int().min(1).max(50).default(10),
  });
  const list: JobTool = {
    name: 'list_jobs',
    description: 'List jobs, newest first.',
    inputSchema: listInput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async execute(input) {
      const { open, limit } = read(listInput, input);
      const own: Job[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < maxPages && own.length < limit; page += 1) {
        const read: Page<Job> = await client.list({
          limit: 500,
          ...(cursor === null ? {} : { cursor }),
          ...(open === undefined ? {} : { open }),
        });
        own.push(...read.items.filter(isOwn));
        cursor = read.nextCursor;
        if (cursor === null) break;
      }
      const jobs = own.slice(0, limit).map(({ jobId, kind, provider, state, builtAt }) => ({
        job_id: jobId,
        kind,
        provider,
        state,
        requested_at: new Date(builtAt).toISOString(),
      }));
      return { jobs };
    },
  };

  const cancelInput = z.object({ job_id: jobId, reason: z.string().max(200).default('') });
  const cancel: JobTool = {
    name: 'cancel_job',
    description: 'Cancel a running job.',
    inputSchema: cancelInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    async execute(input) {
      const { job_id, reason } = read(cancelInput, input);
      const handle = await existing(job_id);
      await handle.cancel(reason);
      return describe(handle);
    },
  };

  return [hire, get, list, cancel];
}

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  return readInput(schema, input, '');
}

/** Waits for the end of a job, at most `waitMs`. Rejects when the client closes. */
async function settledWithin(handle: JobHandle, waitMs: number): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const cancel = systemTimers.after(waitMs, enough.resolve);
  try {
    await Promise.race([handle.result, enough.promise]);
  } catch (error) {
    if (!isBonafideError(error) || error.code === 'CLOSED') throw error;
  } finally {
    cancel();
  }
}

/** The members of an SDK's `McpServer` that {@link registerJobTools} uses. */
export interface McpToolServer {
  registerTool(
    name: string,
    config: { description: string; inputSchema: z.ZodObject; annotations: JobToolAnnotations },
    // biome-ignore lint/suspicious/noExplicitAny: each SDK has its own type of the arguments.
    callback: (input: any) => Promise<{
      [key: string]: unknown;
      content: { type: 'text'; text: string }[];
      structuredContent: Record<string, unknown>;
    }>,
  ): unknown;
}

const serverSchema = port('registerTool');
const toolsSchema = z.array(z.looseObject({ name: z.string(), execute: callable }));

/** Registers tools with an MCP server. An error of a tool becomes a result with `isError`. */
export function registerJobTools(server: McpToolServer, tools: readonly JobTool[]): void {
  readInput(serverSchema, server, 'server');
  readInput(toolsSchema, tools, 'tools');
  for (const { name, description, inputSchema, annotations, execute } of tools) {
    server.registerTool(name, { description, inputSchema, annotations }, async (input: unknown) => {
      const result = await execute(input);
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(result) }],
        structuredContent: { ...result },
      };
    });
  }
}
