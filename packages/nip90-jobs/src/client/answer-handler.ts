import { sanitizeRemoteText } from '@bonafide/internal';
import type { JobFeedback, ParsedResult } from '../codec/index.ts';
import { isFinal, type MatchedBy } from '../job.ts';
import type { ClientContext } from './client-context.ts';
import { createContentFetcher } from './fetch-content.ts';
import type { JobPayment } from './job-payment.ts';
import type { JobRecord } from './job-record.ts';
import { offerOf } from './offers.ts';

/** Takes in what providers say about a job (JOB-10). */
export interface AnswerHandler {
  takeFeedback(feedback: JobFeedback): Promise<void>;
  takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void>;
}

/** `said` is the feedback taken in before. */
export function createAnswerHandler(
  context: ClientContext,
  record: JobRecord,
  settlement: JobPayment,
  said: readonly JobFeedback[],
): AnswerHandler {
  const { clock, config, payments } = context;
  const fetchContent = createContentFetcher(context, record);
  const heard = new Set(said.map((feedback) => feedback.id));
  let heardLength = said.reduce((sum, feedback) => sum + feedback.content.length, 0);

  /** Who may say no more is still heard when it decides something. Of an open job's many voices none does. */
  const isDecisive = ({ status }: JobFeedback) =>
    record.job.provider !== null &&
    (status === 'error' ||
      status === 'payment-required' ||
      (status === 'success' && record.job.successAt === null));

  /** What one of many says about an open job binds nobody else: neither an error nor an announcement does. */
  const hearOneOfMany = async (feedback: JobFeedback): Promise<void> => {
    const { id: eventId, status } = feedback;
    const at = clock();
    const isDemand = status === 'payment-required' && feedback.amountMsat !== 0;
    if (isDemand && payments !== null && !settlement.isUnderWay) {
      await record.apply({ type: 'payment-required', at, eventId }, feedback);
      settlement.offer(offerOf(feedback));
    } else if (status === 'processing' || status === 'partial') {
      await record.apply({ type: status, at, eventId }, feedback);
    } else await record.apply({ type: 'other', at, eventId }, feedback);
  };

  const hearProvider = async (feedback: JobFeedback): Promise<void> => {
    const { id: eventId, status, info, content } = feedback;
    const at = clock();
    switch (status) {
      case 'processing':
      case 'partial':
      case 'success':
        await record.apply({ type: status, at, eventId }, feedback);
        return;
      case 'error':
        await record.apply(
          {
            type: 'failed',
            at,
            reason: 'provider-error',
            message: sanitizeRemoteText(info || content, 500),
            eventId,
          },
          feedback,
        );
        return;
      case 'payment-required':
        // Paid is paid: who asks again gets nothing more.
        if (settlement.isUnderWay || record.job.paidAt !== null) {
          await record.apply({ type: 'other', at, eventId }, feedback);
          return;
        }
        await record.apply({ type: 'payment-required', at, eventId }, feedback);
        record.background(settlement.demand(offerOf(feedback)), 'A payment could not be made');
        return;
      default:
        await record.apply({ type: 'other', at, eventId }, feedback);
    }
  };

  return {
    async takeFeedback(feedback) {
      if (heard.has(feedback.id) || isFinal(record.job.state)) return;
      const { id: eventId, content } = feedback;
      const full =
        heard.size >= config.maxFeedback || heardLength + content.length > config.maxFeedbackLength;
      if (full && !isDecisive(feedback)) return context.onIgnored('flood', feedback.event, record.job);
      heard.add(eventId);
      try {
        await (record.job.provider === null ? hearOneOfMany(feedback) : hearProvider(feedback));
        heardLength += content.length;
      } catch (error) {
        // It was not stored: when the relays are asked again it counts as new.
        heard.delete(eventId);
        throw error;
      }
    },
    async takeResult(result, matchedBy, recovered) {
      const there = result.reference === null ? result : await fetchContent(result);
      if (there === null) return;
      const { id: eventId, event, status, info, encryption } = there;
      const content = await context.decryptAnswer(event.pubkey, there);
      if (content === null) return context.onIgnored('undecryptable', event, record.job);
      const at = clock();
      if (status === 'error') {
        if (record.job.provider === null) return context.onIgnored('third-party', event, record.job);
        const message = sanitizeRemoteText(info || content, 500);
        await record.apply({ type: 'failed', at, reason: 'provider-error', message, eventId });
        return;
      }
      // What the event itself says in clear need not be kept twice.
      const isInEvent = encryption === null && result.reference === null;
      await record.apply({
        type: 'result',
        at,
        event,
        content: isInEvent ? null : content,
        matchedBy,
        recovered,
      });
    },
  };
}
