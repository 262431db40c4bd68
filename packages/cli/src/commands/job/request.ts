import { sanitizeRemoteText, shortId } from '@bonafide/internal';
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
function follow(client: JobClient, print: Printer): void {
  const said = (what: string, words: string) =>
    print.message(words === '' ? what : `${what}: ${sanitizeRemoteText(words, 300)}`);
  client.on('transition', ({ transition }) => {
    if (transition.to === 'delivered') said('A relay has the request', '');
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
    follow(client, print);
    return untilInterrupted(async (signal) => {
      const { id } = options;
      const job = await client.requestJob(spec, id === undefined ? { signal } : { idempotencyKey: id });
      // A job with an id is not cancelled: the next call resumes it.
      if (id !== undefined) signal.addEventListener('abort', () => void client.close(), { once: true });
      print.message(`Job ${shortId(job.jobId)}`);
      io.progress.say('Waiting for the result');
      const result = await job.result;
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
