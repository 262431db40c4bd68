import { isBlank, sanitizeRemoteText } from '@bonafide/internal';
import type { JobFeedback, ParsedResult } from '../codec/index.ts';
import { isClaimable, isFinal, type MatchedBy } from '../job.ts';
import { lazy } from '../lazy.ts';
import { type AcceptResult, outcomeOf } from '../outcome.ts';
import { advance, type JobEvent } from '../transition.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { DecryptAnswer } from './decrypt-answer.ts';
import { createFairSemaphore } from './fair-semaphore.ts';
import type { JobPayment } from './job-payment.ts';
import type { JobRecord } from './job-record.ts';
import { offerOf } from './offers.ts';

/** Applies the answers of providers to a job. */
export interface AnswerHandler {
  takeFeedback(feedback: JobFeedback): Promise<void>;
  takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void>;
}

/** Results of one provider that are considered for an open job. */
const maxResultsPerProvider = 3;
/** `accept` calls of one job at the same time, shared among the providers. */
const maxAccepting = 16;

/** Accepts a result that is complete and not blank. */
const acceptWholeResult: AcceptResult = ({ status, content }) => status !== 'partial' && !isBlank(content);

/** `said` is the stored feedback. */
export function createAnswerHandler(
  environment: Pick<ClientEnvironment, 'clock' | 'config' | 'logger'>,
  services: {
    readonly notify: JobNotifications;
    readonly decryptAnswer: DecryptAnswer;
    readonly fetchContent: (result: ParsedResult) => Promise<ParsedResult | null>;
    readonly accept: AcceptResult | undefined;
  },
  record: JobRecord,
  payment: JobPayment,
  said: readonly JobFeedback[],
): AnswerHandler {
  const { clock, config, logger } = environment;
  const { notify, decryptAnswer, fetchContent, accept = acceptWholeResult } = services;
  const heard = lazy(() => new Set(said.map((feedback) => feedback.id)));
  let heardLength = said.reduce((sum, feedback) => sum + feedback.content.length, 0);
  /** Results considered for an open job, by provider. */
  const considered = lazy(() => new Map<string, Set<string>>());
  const accepting = lazy(() => createFairSemaphore(maxAccepting));

  /** Feedback that changes the course of an addressed job is stored although the limit is reached. */
  const isDecisive = ({ status }: JobFeedback) =>
    record.job.provider !== null &&
    (status === 'error' ||
      status === 'payment-required' ||
      (status === 'success' && record.job.successAt === null));

  const isFull = ({ content }: JobFeedback) =>
    heard().size >= config.maxFeedback || heardLength + content.length > config.maxFeedbackLength;

  /** Feedback of one among many providers of an open job: errors and announcements of one do not affect the others. */
  const takeOpenFeedback = async (feedback: JobFeedback, isFull: boolean): Promise<void> => {
    const { id: eventId, status } = feedback;
    const at = clock();
    const isDemand = status === 'payment-required' && feedback.amountMsat !== 0;
    if (isDemand) {
      const offer = payment.assess(feedback);
      if (offer === null || !payment.offer(offer))
        return notify.ignored('unpayable', feedback.event, record.job);
      // Offers beyond the limit compete in memory only.
      if (!isFull) await record.apply({ type: 'payment-required', at, eventId }, feedback);
      return;
    }
    if (isFull) return notify.ignored('flood', feedback.event, record.job);
    const type = status === 'processing' || status === 'partial' ? status : 'other';
    await record.apply({ type, at, eventId }, feedback);
  };

  const takeAddressedFeedback = async (feedback: JobFeedback, isFull: boolean): Promise<void> => {
    const { id: eventId, status, info, content } = feedback;
    if (isFull && !isDecisive(feedback)) return notify.ignored('flood', feedback.event, record.job);
    const at = clock();
    switch (status) {
      case 'processing':
      case 'partial':
      case 'success':
        await record.apply({ type: status, at, eventId }, feedback);
        return;
      case 'error': {
        const message = sanitizeRemoteText(info || content, 500);
        await record.apply({ type: 'failed', at, reason: 'provider-error', message, eventId }, feedback);
        return;
      }
      case 'payment-required':
        // A job is paid once.
        if (payment.isUnderWay() || record.job.paidAt !== null) {
          await record.apply({ type: 'other', at, eventId }, feedback);
          return;
        }
        await record.apply({ type: 'payment-required', at, eventId }, feedback);
        record.background(payment.demand(offerOf(feedback)), 'Payment of a job not made');
        return;
      default:
        await record.apply({ type: 'other', at, eventId }, feedback);
    }
  };

  /** Returns true when a result for an open job may be considered: a few per provider. */
  const mayConsider = ({ id, provider }: ParsedResult): boolean => {
    const ids = considered().get(provider) ?? new Set();
    if (ids.has(id) || ids.size >= maxResultsPerProvider) return false;
    considered().set(provider, ids.add(id));
    return true;
  };

  const isAccepted = async (event: Extract<JobEvent, { type: 'result' | 'late-result' }>) => {
    const outcome = outcomeOf(advance(record.job, event).job);
    if (outcome === null || outcome instanceof Error) return false;
    try {
      return await accepting().run(outcome.provider, async () => accept(outcome), record.stopSignal());
    } catch (error) {
      logger.warn({ err: error, jobId: record.job.jobId }, 'Result not accepted: `accept` failed');
      return false;
    }
  };

  return {
    async takeFeedback(feedback) {
      if (heard().has(feedback.id) || isFinal(record.job.state)) return;
      const isBeyondLimit = isFull(feedback);
      heard().add(feedback.id);
      const before = record.job.revision;
      try {
        // While the chosen provider is being paid, others may still offer.
        await (record.job.provider !== feedback.provider
          ? takeOpenFeedback(feedback, isBeyondLimit)
          : takeAddressedFeedback(feedback, isBeyondLimit));
        if (record.job.revision !== before) heardLength += feedback.content.length;
        else heard().delete(feedback.id);
      } catch (error) {
        // It was not stored: when the relays are queried again it counts as new.
        heard().delete(feedback.id);
        throw error;
      }
    },
    async takeResult(result, matchedBy, recovered) {
      const { job } = record;
      if (isFinal(job.state) && !isClaimable(job)) return;
      const isOpenJob = job.provider === null;
      if (isOpenJob && !mayConsider(result)) return;
      const complete = result.reference === null ? result : await fetchContent(result);
      if (complete === null) return;
      const { id: eventId, event, status, info, encryption } = complete;
      const content = await decryptAnswer(event.pubkey, complete);
      if (content === null) return notify.ignored('undecryptable', event, record.job);
      const at = clock();
      if (status === 'error') {
        if (record.job.provider === null) return notify.ignored('third-party', event, record.job);
        const message = sanitizeRemoteText(info || content, 500);
        await record.apply({ type: 'failed', at, reason: 'provider-error', message, eventId });
        return;
      }
      // Plain content is read from the event.
      const isInEvent = encryption === null && result.reference === null;
      const stored = { at, event, content: isInEvent ? null : content, matchedBy, recovered };
      if (isClaimable(record.job)) {
        if (await record.apply({ type: 'late-result', ...stored })) notify.lateResult(record.job);
        return;
      }
      if (isOpenJob && !(await isAccepted({ type: 'result', ...stored })))
        return notify.ignored('unaccepted', event, record.job);
      // Another provider was chosen while `accept` ran.
      const { provider } = record.job;
      if (provider !== null && provider !== complete.provider)
        return notify.ignored('third-party', event, record.job);
      await record.apply({ type: 'result', ...stored });
    },
  };
}
