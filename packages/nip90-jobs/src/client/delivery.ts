import type { Transport } from '@bonafide/nostr-transport';
import { isFinal } from '../job.ts';
import { publishToAny } from '../publish.ts';
import { pause } from '../timers.ts';
import { deliveryRound, type RelayRecord, retryDelayMs, TIMEOUT_MESSAGES } from '../timings.ts';
import type { ClientEnvironment } from './client-context.ts';
import type { JobRecord } from './job-record.ts';

/** Services of the client that delivery uses. */
export interface DeliveryServices {
  readonly transport: Transport;
  /** Success statistics of relays; updated here. */
  readonly relayRecords: Map<string, RelayRecord>;
  /** Runs a round when a permit is free: connections carry a limited number of messages. */
  limit<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Shortest time limit of a stage, in ms. */
const leastStageMs = 1_000;

/**
 * Publishes the signed request until the provider answers or the retries are used up. When no relay accepted it,
 * `recoverAnswers` queries the relays, and then the job times out.
 */
export async function deliver(
  environment: ClientEnvironment,
  { transport, relayRecords, limit }: DeliveryServices,
  record: JobRecord,
  options: { readonly signal: AbortSignal; readonly recoverAnswers: () => Promise<boolean> },
): Promise<void> {
  const { clock, random, timers, logger, config } = environment;
  const { signal, recoverAnswers } = options;
  const { jobId, request, relays: own, providerRelays } = record.job;
  /** Relays that rejected the request although they were reachable, with their reason. */
  let rejection = '';

  const note = (relay: string, ok: boolean) => {
    const { accepted, failed } = relayRecords.get(relay) ?? { accepted: 0, failed: 0 };
    relayRecords.set(relay, ok ? { accepted: accepted + 1, failed } : { accepted, failed: failed + 1 });
  };

  const publish = (relays: readonly string[], timeoutMs: number) =>
    publishToAny(transport, request, relays, {
      timeoutMs,
      signal,
      onOutcome: async (relay, { status, message }) => {
        const ok = status === 'accepted';
        note(relay, ok);
        if (!ok) {
          rejection = `${relay}: ${message || status}`;
          logger.debug({ jobId, relay, status, message }, 'Relay did not accept a request');
        } else if (!record.job.deliveredTo.includes(relay))
          await record.apply({ type: 'accepted', at: clock(), relays: [relay] });
      },
      onError: (error) => logger.error({ err: error, jobId }, 'Request not published'),
    });

  const timeLeft = () => record.job.builtAt + config.processingTimeoutMs - clock();

  const sendRound = async (): Promise<void> => {
    if (record.job.deliveredAt !== null) {
      // A relay has it already, but the provider is silent: everywhere at once.
      await publish([...providerRelays, ...own], config.deliveryStagesMs[0]);
      return;
    }
    for (const stage of deliveryRound({ provider: providerRelays, own }, config, relayRecords)) {
      // Without any relay, the time limit of the job also ends its delivery.
      const timeoutMs = Math.min(stage.timeoutMs, Math.max(leastStageMs, timeLeft()));
      if (signal.aborted || (await publish(stage.relays, timeoutMs)) || timeLeft() <= 0) return;
    }
  };

  for (let retry = 0; record.job.heardAt === null && !signal.aborted; retry += 1) {
    if (retry > 0) {
      const delayMs = retryDelayMs(retry, config, random);
      if (delayMs === null) break;
      if (record.job.deliveredAt === null && delayMs > timeLeft()) break;
      if (!(await pause(timers, delayMs, signal)) || record.job.heardAt !== null) return;
    }
    try {
      await record.apply({ type: 'sending', at: clock() });
      await limit(sendRound);
    } catch (error) {
      // Most likely the store; the next round may find it working again.
      logger.error({ err: error, jobId }, 'Delivery round failed');
    }
  }
  const isHeard = () => record.job.heardAt !== null || isFinal(record.job.state);
  if (record.job.deliveredAt !== null || isHeard() || signal.aborted) return;
  await recoverAnswers();
  if (isHeard() || signal.aborted) return;
  await record.insist({
    type: 'timeout',
    at: clock(),
    timeoutClass: 'delivery',
    message:
      rejection === '' ? TIMEOUT_MESSAGES.delivery : `${TIMEOUT_MESSAGES.delivery} Last answer: ${rejection}`,
  });
}
