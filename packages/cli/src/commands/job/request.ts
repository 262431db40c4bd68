import { BonafideError, isBonafideError, sanitizeRemoteText, shortId } from '@bonafide/internal';
import type { JobClient, JobResult, JobSpec } from '@bonafide/nip90-jobs';
import { npubEncode } from 'nostr-tools/nip19';
import { hasKey, keyVariable } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import { type BlossomOptions, type NostrOptions, untilInterrupted } from './options.ts';
import { withJobClient } from './session.ts';
import type { WalletOptions } from './wallet.ts';

/** Options of `bonafide job request`. */
export interface JobRequestOptions extends NostrOptions, WalletOptions, BlossomOptions {
  readonly kind: number;
  readonly provider?: string;
  readonly param: readonly (readonly [string, string])[];
  readonly output?: string;
  readonly bid?: number;
  /** Millisatoshi per day, fees included. */
  readonly budget?: number;
  readonly encrypt: boolean;
  readonly id?: string;
  /** Seconds. */
  readonly timeout: number;
}

/** Prints the progress of a job to stderr. */
function follow(
  client: JobClient,
  { kind, provider, timeout }: Pick<JobRequestOptions, 'kind' | 'provider' | 'timeout'>,
  print: Printer,
): void {
  const said = (what: string, words: string) =>
    print.message(words === '' ? what : `${what}: ${sanitizeRemoteText(words, 300)}`);
  client.on('transition', ({ transition }) => {
    if (transition.to === 'delivered') {
      const taker = provider === undefined ? `any provider of kind ${kind}` : 'its provider';
      said('A relay has the request', `${taker} may answer it, within ${timeout} s`);
    }
    if (transition.to === 'payment-required') said('The provider demands a payment first', '');
  });
  client.on('paid', ({ payment }) =>
    said(`Paid ${payment.amountMsat} msat and ${payment.feesMsat} msat in fees`, ''),
  );
  client.on('feedback', ({ feedback }) => {
    const { status, info, content } = feedback;
    if (status === 'payment-required') return;
    said(sanitizeRemoteText(status, 40), info || content);
  });
}

/** Longest time between two messages of a command that waits, ms. */
const longestSilenceMs = 60_000;

/** Waits for a result. Where stderr is no terminal, which shows a line of progress, it prints a message every minute, or every fifth of the time limit. */
async function waitFor<T>(
  result: Promise<T>,
  { provider, timeout }: Pick<JobRequestOptions, 'provider' | 'timeout'>,
  io: CommandIo,
  print: Printer,
): Promise<T> {
  const since = Date.now();
  io.progress.say('Waiting for the result');
  const everyMs = Math.min(longestSilenceMs, (timeout * 1_000) / 5);
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - since) / 1_000);
    print.message(`Waiting since ${new Date(since).toISOString().slice(11, 19)} UTC, ${seconds} s`);
  }, everyMs);
  if (io.stderr.isTTY === true) clearInterval(timer);
  try {
    return await result;
  } catch (error) {
    throw provider === undefined && isSilence(error)
      ? new BonafideError(
          'JOB_TIMED_OUT',
          `No provider answered within ${timeout} s. Name one with --provider (bonafide discover lists them), or give another --kind, other relays, or a longer --timeout.`,
          { cause: error },
        )
      : error;
  } finally {
    clearInterval(timer);
  }
}

/** Returns true for the error of a request without an answer. */
function isSilence(error: unknown): boolean {
  if (!isBonafideError(error, 'JOB_TIMED_OUT')) return false;
  return (error as { readonly timeoutClass?: unknown }).timeoutClass === 'silence';
}

/**
 * `bonafide job request`: requests one piece of work, prints its progress to stderr and the result to stdout. An interruption
 * cancels the request; with a workspace and an id the job stays open, and the command can be repeated.
 */
export async function jobRequest(
  text: string | undefined,
  options: JobRequestOptions,
  io: CommandIo,
  print: Printer,
): Promise<boolean> {
  if (options.id !== undefined && (options.workspace === undefined || !hasKey(options, io)))
    throw new CliError(
      'USAGE',
      `An --id needs a --workspace to be remembered in, and its own key (${keyVariable}).`,
    );
  const spec: JobSpec = {
    kind: options.kind,
    provider: options.provider ?? null,
    inputs: text === undefined ? [] : [{ data: text }],
    params: Object.fromEntries(options.param),
    output: options.output ?? null,
    bidMsat: options.bid ?? null,
    encrypted: options.encrypt,
  };
  const config = { processingTimeoutMs: options.timeout * 1_000 };
  return withJobClient(options, io, config, (client) => {
    follow(client, options, print);
    return untilInterrupted(async (signal) => {
      const { id } = options;
      const job = await client.requestJob(spec, id === undefined ? { signal } : { idempotencyKey: id });
      // A job with an id is not cancelled: the next call resumes it.
      if (id !== undefined) signal.addEventListener('abort', () => void client.close(), { once: true });
      print.message(`Job ${shortId(job.jobId)}`);
      const result = await waitFor(job.result, options, io, print);
      printResult(result, options, io, print);
      return result.status === 'success';
    });
  });
}

/** Prints a result as JSON, or its content. */
export function printResult(
  result: JobResult,
  { json }: Pick<NostrOptions, 'json'>,
  io: CliIo,
  print: Printer,
): void {
  if (!json) {
    printContent(result.content, io, print);
    return;
  }
  const { jobId, provider, status, content, latencyMs, recovered, amountMsat } = result;
  const npub = npubEncode(provider);
  print.json({ jobId, provider, npub, status, content, latencyMs, recovered, amountMsat });
}

/** Prints sanitized lines to a terminal; writes the unchanged content to a file or a pipe. */
function printContent(content: string, io: CliIo, print: Printer): void {
  if (io.stdout.isTTY !== true) {
    io.stdout.write(content.endsWith('\n') ? content : `${content}\n`);
    return;
  }
  for (const line of content.split('\n')) {
    const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
    print.line(indent + sanitizeRemoteText(line, 10_000));
  }
}
