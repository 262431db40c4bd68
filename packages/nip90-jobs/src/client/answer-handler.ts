import { isBlank, sanitizeRemoteText } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobFeedback, ParsedResult } from '../codec/index.ts';
import { isClaimable, isFinal, type MatchedBy } from '../job.ts';
import { type AcceptResult, outcomeOf } from '../outcome.ts';
import { advance, type JobEvent } from '../transition.ts';
import type { ClientEnvironment, IgnoredReason, JobNotifications } from './client-context.ts';
import type { DecryptAnswer } from './decrypt-answer.ts';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';
import { createContentFetcher, type Downloads, type FetchContent } from './fetch-content.ts';
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

/** Services of the client that answers use. */
export interface AnswerServices {
  readonly notify: JobNotifications;
  readonly decryptAnswer: DecryptAnswer;
  readonly downloads: Downloads;
  /** Aborts when the client closes; unlike the signal of a record it outlives the end of a job, for late results. */
  readonly lifetime: AbortSignal;
}

/** `said` is the stored feedback. */
export const createAnswerHandler = (
  environment: ClientEnvironment,
  services: AnswerServices,
  job: { readonly record: JobRecord; readonly payment: JobPayment },
  options: { readonly said: readonly JobFeedback[]; readonly accept: AcceptResult | undefined },
): AnswerHandler => new RecordAnswers(environment, services, job, options);

type Result = Extract<JobEvent, { type: 'result' | 'late-result' }>;

/** A class whose collections are created when they are needed: thousands of open jobs have one each. */
class RecordAnswers implements AnswerHandler {
  readonly #environment: ClientEnvironment;
  readonly #services: AnswerServices;
  readonly #record: JobRecord;
  readonly #payment: JobPayment;
  readonly #accept: AcceptResult;
  readonly #said: readonly JobFeedback[];
  /** Ids of the feedback that is stored, or about to be. */
  #heard: Set<string> | null = null;
  #kept: number;
  #keptLength: number;
  /** Results considered for an open job, by provider. */
  #considered: Map<string, Set<string>> | null = null;
  #accepting: FairSemaphore | null = null;
  #fetchContent: FetchContent | null = null;

  constructor(
    environment: ClientEnvironment,
    services: AnswerServices,
    { record, payment }: { readonly record: JobRecord; readonly payment: JobPayment },
    {
      said,
      accept = acceptWholeResult,
    }: { readonly said: readonly JobFeedback[]; readonly accept: AcceptResult | undefined },
  ) {
    this.#environment = environment;
    this.#services = services;
    this.#record = record;
    this.#payment = payment;
    this.#accept = accept;
    this.#said = said;
    this.#kept = said.length;
    this.#keptLength = said.reduce((sum, feedback) => sum + feedback.content.length, 0);
  }

  async takeFeedback(feedback: JobFeedback): Promise<void> {
    const { id, content, provider } = feedback;
    this.#heard ??= new Set(this.#said.map((known) => known.id));
    if (this.#heard.has(id) || isFinal(this.#record.job.state)) return;
    const { maxFeedback, maxFeedbackLength } = this.#environment.config;
    const isFull = this.#kept >= maxFeedback || this.#keptLength + content.length > maxFeedbackLength;
    this.#heard.add(id);
    // Reserved, since others arrive before this one is stored.
    if (!isFull) this.#count(1, content);
    let isStored = false;
    try {
      // While the chosen provider is being paid, others may still offer.
      isStored = await (this.#record.job.provider !== provider
        ? this.#takeOpenFeedback(feedback, isFull)
        : this.#takeAddressedFeedback(feedback, isFull));
    } finally {
      // What was not stored counts as new when the relays are queried again.
      if (!isStored) this.#heard.delete(id);
      if (isStored && isFull) this.#count(1, content);
      if (!isStored && !isFull) this.#count(-1, content);
    }
  }

  async takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void> {
    const record = this.#record;
    if (isFinal(record.job.state) && !isClaimable(record.job)) return;
    const isOpenJob = record.job.provider === null;
    if (isOpenJob && !this.#mayConsider(result)) return;
    const complete = result.reference === null ? result : await this.#fetch(result);
    if (complete === null) return;
    const { id: eventId, event, status, info, encryption } = complete;
    const content = await this.#services.decryptAnswer(event.pubkey, complete);
    if (content === null) return this.#ignore('undecryptable', event);
    const at = this.#environment.clock();
    if (status === 'error') {
      if (record.job.provider === null) return this.#ignore('third-party', event);
      const message = sanitizeRemoteText(info || content, 500);
      await record.apply({ type: 'failed', at, reason: 'provider-error', message, eventId });
      return;
    }
    // Plain content is read from the event.
    const isInEvent = encryption === null && result.reference === null;
    const stored = { at, event, content: isInEvent ? null : content, matchedBy, recovered };
    if (isClaimable(record.job)) {
      if (await record.apply({ type: 'late-result', ...stored }))
        this.#services.notify.lateResult(record.job);
      return;
    }
    if (isOpenJob && !(await this.#isAccepted({ type: 'result', ...stored })))
      return this.#ignore('unaccepted', event);
    // Another provider was chosen while `accept` ran.
    const { provider } = record.job;
    if (provider !== null && provider !== complete.provider) return this.#ignore('third-party', event);
    await record.apply({ type: 'result', ...stored });
  }

  #ignore(reason: IgnoredReason, event: NostrEvent): void {
    this.#services.notify.ignored(reason, event, this.#record.job);
  }

  /** Counts feedback that is stored, or about to be. */
  #count(sign: 1 | -1, content: string): void {
    this.#kept += sign;
    this.#keptLength += sign * content.length;
  }

  /**
   * Feedback of one among many providers of an open job: errors and announcements of one do not affect the others. Returns
   * true when it was stored.
   */
  async #takeOpenFeedback(feedback: JobFeedback, isFull: boolean): Promise<boolean> {
    const { id: eventId, status, event } = feedback;
    const at = this.#environment.clock();
    const isDemand = status === 'payment-required' && feedback.amountMsat !== 0;
    if (isDemand) {
      const offer = this.#payment.assess(feedback);
      if (offer === null || !this.#payment.offer(offer)) {
        this.#ignore('unpayable', event);
        return false;
      }
      // Offers beyond the limit compete in memory only.
      return !isFull && this.#record.apply({ type: 'payment-required', at, eventId }, feedback);
    }
    if (isFull) {
      this.#ignore('flood', event);
      return false;
    }
    const type = status === 'processing' || status === 'partial' ? status : 'other';
    return this.#record.apply({ type, at, eventId }, feedback);
  }

  /** Returns true when the feedback was stored. */
  async #takeAddressedFeedback(feedback: JobFeedback, isFull: boolean): Promise<boolean> {
    const { id: eventId, status, info, content, event } = feedback;
    const record = this.#record;
    if (isFull && !this.#isDecisive(feedback)) {
      this.#ignore('flood', event);
      return false;
    }
    const at = this.#environment.clock();
    switch (status) {
      case 'processing':
      case 'partial':
      case 'success':
        return record.apply({ type: status, at, eventId }, feedback);
      case 'error': {
        const message = sanitizeRemoteText(info || content, 500);
        return record.apply({ type: 'failed', at, reason: 'provider-error', message, eventId }, feedback);
      }
      case 'payment-required': {
        // A job is paid once.
        if (this.#payment.isUnderWay() || record.job.paidAt !== null)
          return record.apply({ type: 'other', at, eventId }, feedback);
        const isStored = await record.apply({ type: 'payment-required', at, eventId }, feedback);
        record.background(this.#payment.demand(offerOf(feedback)), 'Payment of a job not made');
        return isStored;
      }
      default:
        return record.apply({ type: 'other', at, eventId }, feedback);
    }
  }

  /** Feedback that changes the course of an addressed job is stored although the limit is reached. */
  #isDecisive({ status }: JobFeedback): boolean {
    const { provider, successAt } = this.#record.job;
    return (
      provider !== null &&
      (status === 'error' || status === 'payment-required' || (status === 'success' && successAt === null))
    );
  }

  /** Returns true when a result for an open job may be considered: a few per provider. */
  #mayConsider({ id, provider }: ParsedResult): boolean {
    this.#considered ??= new Map();
    const ids = this.#considered.get(provider) ?? new Set();
    if (ids.has(id) || ids.size >= maxResultsPerProvider) return false;
    this.#considered.set(provider, ids.add(id));
    return true;
  }

  async #isAccepted(event: Result): Promise<boolean> {
    const { job } = this.#record;
    const outcome = outcomeOf(advance(job, event).job);
    if (outcome === null || outcome instanceof Error) return false;
    this.#accepting ??= createFairSemaphore(maxAccepting);
    const accept = this.#accept;
    try {
      return await this.#accepting.run(
        outcome.provider,
        async () => accept(outcome),
        this.#record.stopSignal(),
      );
    } catch (error) {
      this.#environment.logger.warn({ err: error, jobId: job.jobId }, 'Result not accepted: `accept` failed');
      return false;
    }
  }

  /** Downloads the content of a result that is not in its event. */
  #fetch(result: ParsedResult): Promise<ParsedResult | null> {
    this.#fetchContent ??= createContentFetcher(this.#environment, this.#services, this.#record);
    return this.#fetchContent(result);
  }
}
