import { isFinal } from '../job.ts';
import { publishToAny } from '../publish.ts';
import { pause } from '../timers.ts';
import { deliveryRound, retryDelayMs } from '../timings.ts';
import type { ClientContext } from './client-context.ts';
import type { JobRecord } from './job-record.ts';
import { timeoutMessages } from './timeout-messages.ts';

/**
 * Sends the one signed request until the provider is heard of, or the tries are used up (JOB-7, JOB-8). When no relay
 * took it, `recoverAnswers` asks the relays for answers once more, then the job is over.
 */
export async function deliver(
  context: ClientContext,
  record: JobRecord,
  recoverAnswers: () => Promise<void>,
): Promise<void> {
  const { transport, clock, random, timers, logger, config, experience } = context;
  const { stop } = record;
  const { jobId, request, relays: own, providerRelays } = record.job;

  const note = (relay: string, ok: boolean) => {
    const { accepted, failed } = experience.get(relay) ?? { accepted: 0, failed: 0 };
    experience.set(relay, ok ? { accepted: accepted + 1, failed } : { accepted, failed: failed + 1 });
  };

  const publish = (relays: readonly string[], timeoutMs: number) =>
    publishToAny(transport, request, relays, {
      timeoutMs,
      signal: stop,
      onOutcome: async (relay, { status, message }) => {
        const ok = status === 'accepted';
        note(relay, ok);
        if (!ok) logger.debug({ jobId, relay, status, message }, 'A relay did not take a request');
        else if (!record.job.deliveredTo.includes(relay))
          await record.apply({ type: 'accepted', at: clock(), relays: [relay] });
      },
      onError: (error) => logger.error({ err: error, jobId }, 'A request could not be sent'),
    });

  const sendRound = async (): Promise<void> => {
    if (record.job.deliveredAt !== null) {
      // A relay has it already, but the provider is silent: everywhere at once.
      await publish([...providerRelays, ...own], config.deliveryStagesMs[0]);
      return;
    }
    for (const stage of deliveryRound({ provider: providerRelays, own }, config, experience)) {
      if (stop.aborted || (await publish(stage.relays, stage.timeoutMs))) return;
    }
  };

  for (let retry = 0; record.job.heardAt === null && !stop.aborted; retry += 1) {
    if (retry > 0) {
      const delayMs = retryDelayMs(retry, config, random);
      if (delayMs === null) break;
      if (!(await pause(timers, delayMs, stop)) || record.job.heardAt !== null) return;
    }
    try {
      await record.apply({ type: 'sending', at: clock() });
      await context.delivering(sendRound);
    } catch (error) {
      // Most likely the store; the next round may find it well again.
      logger.error({ err: error, jobId }, 'A round of delivery failed');
    }
  }
  const isHeard = () => record.job.heardAt !== null || isFinal(record.job.state);
  if (record.job.deliveredAt !== null || isHeard() || stop.aborted) return;
  await recoverAnswers();
  if (isHeard()) return;
  const timeoutClass = 'delivery';
  await record.insist({ type: 'timeout', at: clock(), timeoutClass, message: timeoutMessages[timeoutClass] });
}
