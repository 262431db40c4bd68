import type { Logger } from '@bonafide/internal';
import type { NostrEvent, RejectedEvent, Transport } from '@bonafide/nostr-transport';
import { answerFilters, resultKindOf } from '../codec/index.ts';
import { parseOversizedAnswer } from '../codec/oversized.ts';
import type { Job } from '../job.ts';
import { queryRelays } from '../query-relays.ts';
import type { ActiveJobs } from './active-jobs.ts';
import type { JobNotifications } from './client-context.ts';
import type { ClientSettings } from './client-options.ts';
import { correlate } from './correlate.ts';
import type { DecryptAnswer } from './decrypt-answer.ts';

/** Maximum number of open jobs in one query. */
const recoveryBatch = 200;

/** Matches received events to jobs. */
export interface AnswerReceiver {
  /** Applies an event of a subscription; logs failures. */
  receive(event: NostrEvent): void;
  /** Fails the job of an answer that the transport rejected for its size, when its provider signed it. */
  rejected(rejected: RejectedEvent): void;
  /**
   * Queries the relays for stored answers to some jobs, and applies them, oldest first. Returns false when no relay was
   * read completely, so that an answer may have been missed.
   */
  recover(jobs: readonly Job[], signal?: AbortSignal): Promise<boolean>;
}

export function createAnswerReceiver(options: {
  readonly transport: Transport;
  readonly relays: readonly string[];
  readonly active: ActiveJobs;
  readonly decryptAnswer: DecryptAnswer;
  readonly notify: JobNotifications;
  readonly config: ClientSettings;
  readonly logger: Logger;
}): AnswerReceiver {
  const { transport, relays, active, decryptAnswer, notify, config, logger } = options;

  const apply = async (event: NostrEvent, isRecovered: boolean): Promise<void> => {
    const found = correlate(event, active.open, { allowPlaintext: config.allowPlaintext });
    if (found.match === 'none') return notify.ignored(found.reason, event, found.job);
    const job = active.get(found.job.jobId);
    if (found.match === 'result') return job?.takeResult(found.result, found.matchedBy, isRecovered);
    // What a reference points to is decrypted by who downloads it.
    const { reference } = found.feedback;
    const content = reference?.url ?? (await decryptAnswer(event.pubkey, found.feedback));
    if (content === null) return notify.ignored('undecryptable', event, found.job);
    await job?.takeFeedback({ ...found.feedback, content });
  };

  const rejected = ({ reason, event, relay }: RejectedEvent): void => {
    const answer = reason === 'too-large' ? parseOversizedAnswer(event) : null;
    const job = answer && active.get(answer.requestId);
    if (!answer || !job || job.job.provider !== answer.provider) return;
    const isOther = answer.type === 'result' && answer.kind !== resultKindOf(job.job.kind);
    if (isOther || !answer.verify()) return;
    logger.warn({ jobId: answer.requestId, eventId: answer.id, relay }, 'Answer exceeds the size limit');
    job.takeOversized(answer);
  };

  const recoverSome = async (jobs: readonly Job[], signal?: AbortSignal): Promise<boolean> => {
    const asked = new Set([...relays, ...jobs.flatMap((job) => [...job.relays, ...job.deliveredTo])]);
    const filters = answerFilters(jobs.map(({ jobId, kind, provider }) => ({ id: jobId, kind, provider })));
    const { events, incomplete, isBlind } = await queryRelays(transport, [...asked], filters, {
      timeoutMs: config.queryTimeoutMs,
      onRejected: rejected,
      ...(signal ? { signal } : {}),
    });
    if (incomplete.length > 0) logger.warn({ relays: incomplete }, 'Answers not read completely');
    for (const event of [...events].sort((a, b) => a.created_at - b.created_at)) await apply(event, true);
    return !isBlind;
  };

  return {
    rejected,
    receive(event) {
      apply(event, false).catch((error) =>
        logger.error({ err: error, eventId: event.id }, 'Answer not stored'),
      );
    },
    async recover(jobs, signal) {
      let isRead = true;
      for (let at = 0; at < jobs.length; at += recoveryBatch)
        isRead = (await recoverSome(jobs.slice(at, at + recoveryBatch), signal)) && isRead;
      return isRead;
    },
  };
}
