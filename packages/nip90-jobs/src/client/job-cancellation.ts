import type { Signer, Transport } from '@bonafide/nostr-transport';
import { buildJobCancellation } from '../codec/index.ts';
import type { Job } from '../job.ts';
import type { ClientEnvironment } from './client-context.ts';

/** Publishes that a request is taken back. Logs failures. */
export type PublishCancellation = (job: Job, reason: string) => Promise<void>;

/** Time limit for publishing a cancellation, in ms. */
const cancellationTimeoutMs = 5_000;

/** Creates a function that deletes the request of a job from the relays (NIP-09), wherever it was sent. */
export function createCancellationPublisher(
  { clock, logger }: Pick<ClientEnvironment, 'clock' | 'logger'>,
  { transport, signer }: { readonly transport: Transport; readonly signer: Signer },
): PublishCancellation {
  return async ({ jobId, request, provider, relays, deliveredTo, providerRelays }, reason) => {
    try {
      const template = buildJobCancellation({ request, provider, reason, createdAt: clock() });
      const everywhere = [...new Set([...deliveredTo, ...providerRelays, ...relays])];
      await transport.publish(await signer.signEvent(template), everywhere, {
        timeoutMs: cancellationTimeoutMs,
      });
    } catch (error) {
      logger.warn({ err: error, jobId }, 'Cancellation not published');
    }
  };
}
