import { type Logger, sanitizeRemoteText } from '@bonafide/internal';
import type { EventTemplate } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { isRequestKind, type JobRequest, jobParam } from '../codec/index.ts';
import { buildToolCard } from '../codec/tool-card.ts';
import { JobError } from '../errors.ts';
import { callable, duration, port, readConfig } from '../option-schemas.ts';
import type { JobContext } from '../provider/handler.ts';
import { createProvider, type Provider } from '../provider/provider.ts';
import { type ProviderOptions, providerOptionsSchema } from '../provider/provider-options.ts';
import { systemTimers } from '../timers.ts';
import { createThrottle } from './throttle.ts';
import { TOOL_PARAM, type ToolInputSchema, toolArguments } from './tool-arguments.ts';

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: ToolInputSchema & { readonly [key: string]: unknown };
}

/** The members of an SDK's `Client` that are used here: of `@modelcontextprotocol/client` 2 and `…/sdk` 1. */
export interface McpToolClient {
  listTools(params?: {
    readonly cursor?: string;
  }): Promise<{ readonly tools: readonly McpTool[]; readonly nextCursor?: string | undefined }>;
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs differ in their further parameters.
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: any[]): Promise<any>;
}

/**
 * Price of a tool in millisatoshi: one for all, one per tool, or a function. 0 or null: free. In a record, a tool without a
 * price is free, and a name that is not an offered tool is an error.
 */
export type McpPricing =
  | number
  | Readonly<Record<string, number>>
  | ((tool: string, request: JobRequest) => Promise<number | null> | number | null);

/** Options of {@link provideMcpServer}. */
export interface ProvideMcpServerOptions
  extends Omit<ProviderOptions, 'kinds' | 'handler' | 'price' | 'card'> {
  /**
   * Request kinds, 5000–5999. A list: a request names its tool in the parameter `tool`, which a server with one tool does
   * not need. A record: the kind of each offered tool.
   */
  readonly kinds: readonly number[] | Readonly<Record<string, number>>;
  /** Price of the tools; requires `invoices` unless everything is free. */
  readonly pricing?: McpPricing;
  /**
   * Names of the offered tools.
   * @default all tools of the server
   */
  readonly tools?: readonly string[];
  /** Name on the capability card. */
  readonly name?: string;
  /** Description on the capability card. */
  readonly about?: string;
  /**
   * Time limit of a tool call without progress, in ms.
   * @default 300_000
   */
  readonly timeoutMs?: number;
  /**
   * Time limit of a tool call, also with progress, in ms: a tool that never ends would hold its place without end.
   * @default 3_600_000
   */
  readonly maxTimeoutMs?: number;
  /**
   * Shortest interval between two `partial` feedback events of one job, in ms. Of the progress between them the latest is
   * published.
   * @default 1_000
   */
  readonly progressIntervalMs?: number;
  /**
   * Sends the text of a tool's error result to the customer. The SDKs put the message of an exception of the tool there: hide
   * it when it can name files, hosts or queries. What fails outside of the tool is never sent.
   * @default true
   */
  readonly showToolErrors?: boolean;
}

const clientSchema = port('listTools', 'callTool');
const kind = z.int().refine(isRequestKind, 'request kinds are 5000 to 5999');
const optionsSchema = providerOptionsSchema
  .omit({ kinds: true, handler: true, price: true, card: true })
  .extend({
    kinds: z.union([z.array(kind).min(1), z.record(z.string(), kind)]),
    pricing: z.union([z.number(), callable, z.record(z.string(), z.number())]).optional(),
    tools: z.array(z.string()).min(1).optional(),
    name: z.string().optional(),
    about: z.string().optional(),
    timeoutMs: duration.optional(),
    maxTimeoutMs: duration.optional(),
    progressIntervalMs: z.number().min(0).optional(),
    showToolErrors: z.boolean().optional(),
  });

/** A running provider of an MCP server's tools. */
export interface McpProvider extends Provider {
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** The published capability card, unsigned. */
  readonly card: EventTemplate;
}

/**
 * Names of tools that are offered. They are written into a card, tags and messages to customers, so that a server cannot name
 * a tool by a text that reads as something else there.
 */
const toolName = /^[\p{L}\p{N}_.:/-]{1,128}$/u;
/** Maximum number of pages of tools that are read from a server. */
const maxPages = 64;

/**
 * Offers the tools of an MCP server as NIP-90 jobs, and starts the provider. Publishes a capability card that lists the tools;
 * calls a tool per request, with the parameters as arguments; publishes progress as `partial` feedback; and returns the
 * tool's text, or its structured content as JSON. An error result of a tool fails the job with the tool's text; any other
 * error stays in the log. The caller keeps the MCP client connected and closes it.
 *
 * @example
 * await using provider = await provideMcpServer(mcpClient, { kinds: [5910], transport, signer, relays });
 *
 * @throws {JobError} `INVALID_CONFIG`, also for a tool or a price of a tool that the server does not have
 */
export async function provideMcpServer(
  client: McpToolClient,
  options: ProvideMcpServerOptions,
): Promise<McpProvider> {
  readConfig(clientSchema, client, 'client');
  readConfig(optionsSchema, options);
  const { kinds, pricing = 0, tools: wanted, name, about, admit, ...rest } = options;
  const { timeoutMs = 300_000, maxTimeoutMs = 3_600_000, ...more } = rest;
  const { progressIntervalMs = 1_000, showToolErrors = true, ...providing } = more;
  const kindOf = Array.isArray(kinds) ? null : (kinds as Readonly<Record<string, number>>);
  const offered = await offeredTools(client, wanted ?? (kindOf ? Object.keys(kindOf) : null), options.logger);
  const requestKinds = [...new Set(kindOf ? Object.values(kindOf) : (kinds as readonly number[]))];
  if (requestKinds.length === 0 || !requestKinds.every(isRequestKind))
    throw new JobError('INVALID_CONFIG', 'options.kinds: request kinds are 5000 to 5999.');
  assertPrices(pricing, offered);
  const call = toolCaller(client, {
    timeoutMs,
    maxTimeoutMs,
    showToolErrors,
    throttle: () => createThrottle(progressIntervalMs, options.timers ?? systemTimers),
  });

  /** Returns the tool that a request asks for, with its arguments, or the reason why there is none. */
  const callOf = (request: JobRequest) => {
    const ofKind = [...offered.values()].filter((tool) => !kindOf || kindOf[tool.name] === request.kind);
    const named = jobParam(request, TOOL_PARAM);
    const tool = named === null && ofKind.length === 1 ? ofKind[0] : ofKind.find((one) => one.name === named);
    if (tool === undefined) {
      const names = ofKind.map((one) => one.name).join(', ');
      return { ok: false, message: `Name a tool in the parameter ${TOOL_PARAM}: ${names}.` } as const;
    }
    const read = toolArguments(request, tool.inputSchema);
    return read.ok ? ({ ok: true, tool, args: read.args } as const) : read;
  };

  const priceOf = (request: JobRequest): Promise<number | null> | number | null => {
    const found = callOf(request);
    if (!found.ok) return null;
    if (typeof pricing === 'number') return pricing;
    if (typeof pricing === 'function') return pricing(found.tool.name, request);
    return pricing[found.tool.name] ?? null;
  };

  const isFree = pricing === 0 && options.invoices === undefined;
  const card = buildToolCard({
    tools: [...offered.values()],
    kinds: requestKinds,
    toolParam: TOOL_PARAM,
    name: name ?? null,
    about: about ?? null,
    createdAt: (options.clock ?? Date.now)(),
  });
  const provider = createProvider({
    ...providing,
    kinds: requestKinds,
    card,
    ...(isFree ? {} : { price: priceOf }),
    async admit(request) {
      const found = callOf(request);
      return found.ok ? ((await admit?.(request)) ?? null) : found.message;
    },
    async handler(request, context) {
      const found = callOf(request);
      if (!found.ok) throw new JobError('INVALID_INPUT', found.message);
      return call(found.tool.name, found.args, context);
    },
  });
  await provider.start();
  return { ...provider, tools: [...offered.keys()], card };
}

/** Throws `INVALID_CONFIG` for a price that is not whole, or of a tool that is not offered: it would work for free. */
function assertPrices(pricing: McpPricing, offered: ReadonlyMap<string, McpTool>): void {
  if (typeof pricing === 'function') return;
  const prices = typeof pricing === 'number' ? { pricing } : pricing;
  for (const [name, price] of Object.entries(prices)) {
    if (typeof pricing !== 'number' && !offered.has(name))
      throw new JobError(
        'INVALID_CONFIG',
        `options.pricing: ${name} is not an offered tool. Offered are: ${[...offered.keys()].join(', ')}.`,
      );
    if (!Number.isSafeInteger(price) || price < 0)
      throw new JobError('INVALID_CONFIG', `options.pricing: ${name} is not a number of millisatoshi.`);
  }
}

async function offeredTools(
  client: McpToolClient,
  wanted: readonly string[] | null,
  logger: Logger | undefined,
): Promise<ReadonlyMap<string, McpTool>> {
  const all: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? undefined : { cursor });
    all.push(...tools);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  const unnamable = all.filter(({ name }) => !toolName.test(name)).length;
  if (unnamable > 0)
    logger?.warn(
      { tools: unnamable },
      'Tools not offered: their names have other characters than letters, digits and _ . : / -',
    );
  const offered = new Map(
    all
      .filter(({ name }) => toolName.test(name) && (wanted === null || wanted.includes(name)))
      .map((tool) => [tool.name, tool]),
  );
  const absent = (wanted ?? []).filter((name) => !offered.has(name));
  if (absent.length > 0 || offered.size === 0)
    throw new JobError(
      'INVALID_CONFIG',
      `The MCP server has no tool ${sanitizeRemoteText(absent.join(', '), 2_000) || 'at all'}. It has: ${sanitizeRemoteText(all.map(({ name }) => name).join(', '), 2_000)}.`,
    );
  return offered;
}

const callResultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});
type CallResult = z.infer<typeof callResultSchema>;

/** Error code of JSON-RPC for invalid arguments, whose message tells the customer what to change. */
const invalidParams = -32_602;

/** Returns what the customer is told about an error of the SDK: a transport's or a server's internals are not for strangers. */
function toldOf(name: string, error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code !== invalidParams || !(error instanceof Error)) return `The tool ${name} failed.`;
  return `The tool ${name} refused its arguments: ${sanitizeRemoteText(error.message, 500)}`;
}

function toolCaller(
  client: McpToolClient,
  options: {
    readonly timeoutMs: number;
    readonly maxTimeoutMs: number;
    readonly showToolErrors: boolean;
    readonly throttle: () => ReturnType<typeof createThrottle>;
  },
) {
  const { timeoutMs, maxTimeoutMs, showToolErrors, throttle } = options;
  return async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, partial }: Pick<JobContext, 'signal' | 'partial'>,
  ): Promise<string> => {
    const throttled = throttle();
    const requestOptions = {
      signal,
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: maxTimeoutMs,
      onprogress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) => {
        const share = total === undefined ? `${progress}` : `${progress}/${total}`;
        // A report of progress is not what was paid for.
        throttled.run(() => void partial(message ?? '', share, { isDelivery: false }).catch(() => {}));
      },
    };
    const params = { name, arguments: { ...args } };
    // SDK 1 takes a result schema, with a default, before the options.
    const takesSchema = client.callTool.length <= 1;
    const called: Promise<unknown> = takesSchema
      ? client.callTool(params, undefined, requestOptions)
      : client.callTool(params, requestOptions);
    const answer = await called
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw new JobError('JOB_FAILED', toldOf(name, error), { cause: error });
      })
      .finally(throttled.end);
    const read = callResultSchema.safeParse(answer);
    if (!read.success) throw new JobError('JOB_FAILED', `The tool ${name} failed.`, { cause: read.error });
    const result = read.data;
    if (result.isError)
      throw new JobError(
        'JOB_FAILED',
        (showToolErrors && textOf(result)) || `The tool ${name} reported an error.`,
        { cause: textOf(result) },
      );
    return result.structuredContent === undefined ? textOf(result) : JSON.stringify(result.structuredContent);
  };
}

/** Returns the text of a result; content of other types is returned as JSON. */
function textOf({ content }: CallResult): string {
  return content.every(({ type }) => type === 'text')
    ? content.map(({ text = '' }) => text).join('\n')
    : JSON.stringify(content);
}
