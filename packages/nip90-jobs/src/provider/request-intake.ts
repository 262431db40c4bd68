import type { NostrEvent } from '@bonafide/nostr-transport';
import { DELETION_KIND, type JobRequest, parseJobRequest, RECEIPT_KIND } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { Lease } from '../lease.ts';
import { pause } from '../timers.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import { createCancellations } from './cancellations.ts';
import type { DecryptRequest } from './decrypt-request.ts';
import type { Invoicing } from './invoicing.ts';
import { freshProvided, isPaymentUndecided } from './provided-job.ts';
import { storeRetryMs } from './provided-jobs.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { ProvidedJob } from './provider-store.ts';
import type { Receipts } from './receipts.ts';
import { createRequestClassifier, type UnansweredReason } from './request-classifier.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Takes events from relays, and unfinished requests from the store, to the handler. */
export interface RequestIntake {
  /** Takes an event in the background: a request, a cancellation or a receipt. */
  take(event: NostrEvent): void;
  /** Resumes the unfinished requests of processes that have ended. */
  resumeAll(): Promise<void>;
  /** Returns the number of events without an answer, by reason. */
  unanswered(): Readonly<Record<UnansweredReason, number>>;
}

/** Services that take part in the intake. */
export interface RequestIntakeServices {
  readonly kinds: readonly number[];
  readonly broadcast: boolean;
  readonly admit: ProviderOptions['admit'];
  readonly lease: Pick<Lease, 'holder' | 'isFreeNow'>;
  readonly publicKey: () => string;
  readonly decryptRequest: DecryptRequest;
  /** Null for a provider without prices. */
  readonly invoicing: Invoicing | null;
  readonly answers: AnswerPublisher;
  readonly workers: WorkerPool;
  readonly receipts: Receipts;
  /** Refunds a payment in the background when it is owed. */
  readonly settleObligation: (provided: ProvidedJob) => void;
}

/** Creates the intake of a provider. */
export function createRequestIntake(
  context: ProviderContext,
  services: RequestIntakeServices,
): RequestIntake {
  const { store, jobs, emitter, clock, timers, logger, config, stop, background } = context;
  const { kinds, broadcast, admit, lease, publicKey } = services;
  const { decryptRequest, invoicing, answers, workers, receipts, settleObligation } = services;
  const classifier = createRequestClassifier({ kinds, broadcast, clock, ...config });
  const cancellations = createCancellations(jobs);
  const counts: Record<UnansweredReason, number> = {
    malformed: 0,
    'not-addressed': 0,
    'other-kind': 0,
    'too-old': 0,
    'rate-limited': 0,
    receipt: 0,
  };

  const ignore = (reason: UnansweredReason, event: NostrEvent) => {
    counts[reason] += 1;
    logger.debug(
      { reason, eventId: event.id, kind: event.kind, pubkey: event.pubkey },
      'Ignored event: not a request to answer',
    );
  };

  /** Stores a request. Returns null when it is stored already. Retries while the store fails, since it arrives once. */
  const keep = async ({ id: requestId, customer, kind, event }: JobRequest): Promise<ProvidedJob | null> => {
    for (;;) {
      try {
        const provided: ProvidedJob = {
          ...freshProvided,
          requestId,
          customer,
          kind,
          request: event,
          receivedAt: clock(),
          holder: lease.holder,
        };
        return (await store.take(provided)) ? provided : null;
      } catch (error) {
        logger.error({ err: error, requestId }, 'Request not stored: the store failed');
        if (!(await pause(timers, storeRetryMs, stop))) return null;
      }
    }
  };

  const askAdmission = async (request: JobRequest): Promise<string | null> => {
    try {
      return admit ? await admit(request) : null;
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'Admission of a request failed');
      return 'Not available at the moment.';
    }
  };

  /** Takes a stored request to its handler: decrypts, admits, collects the payment, enqueues. */
  const begin = async (received: JobRequest, provided: ProvidedJob): Promise<void> => {
    const opened = await decryptRequest(received);
    if (!opened.ok) return answers.refuse(received, opened.message);
    const { request } = opened;
    // A request with an invoice was admitted; its payment may be on the way.
    const isAdmitted = provided.charge !== null || provided.paidAt !== null;
    const declined = isAdmitted ? null : await askAdmission(request);
    if (declined !== null) return answers.refuse(request, declined);
    const collected = invoicing ? await invoicing.collect(request, provided) : collectedBefore(provided);
    if (collected === 'over') return;
    // A paid request is accepted although the queue is full.
    if (!workers.enqueue(request, { force: collected === 'paid' }))
      return answers.refuse(request, 'Busy: too many requests are waiting.');
  };

  const drop = async (requestId: string): Promise<void> => {
    const provided = await jobs.apply(requestId, { type: 'dropped', at: clock() });
    emitter.emit('cancelled', { requestId });
    // Paid, and cancelled before the answer.
    settleObligation(provided);
  };

  const takeRequest = async (event: NostrEvent): Promise<void> => {
    const found = classifier.classify(event, publicKey());
    if (found.verdict === 'ignore') return ignore(found.reason, event);
    if (found.verdict === 'known') return;
    const { request } = found;
    const provided = await keep(request);
    if (provided === null) return;
    emitter.emit('request', { request });
    if (cancellations.cameBefore(request)) return drop(request.id);
    await begin(request, provided);
  };

  const takeCancellation = async (event: NostrEvent): Promise<void> => {
    for (const { requestId } of await cancellations.read(event)) {
      await drop(requestId);
      workers.cancel(requestId);
    }
  };

  const takeReceipt = async (event: NostrEvent): Promise<void> => {
    if (!(await receipts.take(event))) ignore('receipt', event);
  };

  /** Resumes a request of an earlier process. */
  const resume = async (stored: ProvidedJob): Promise<void> => {
    const read = parseJobRequest(stored.request);
    if (!read.ok)
      throw new JobError('STORE_FAILED', `Request ${stored.requestId} cannot be read: ${read.message}`);
    const provided = await jobs.claim(stored, lease.holder);
    if (provided === null) return;
    classifier.remember(provided.requestId);
    // The wallet is asked before anything is dropped that may have been paid.
    if ((provided.droppedAt !== null || provided.publishedAt !== null) && isPaymentUndecided(provided)) {
      await invoicing?.reconcile(provided);
      return;
    }
    if (provided.answer) {
      // Refused before the wallet had decided.
      if (isPaymentUndecided(provided) && invoicing)
        background(invoicing.reconcile(provided), 'Payment not decided', provided.requestId);
      return answers.publish(read.request, provided.answer);
    }
    const isCharged = provided.charge !== null || provided.paidAt !== null;
    if (!isCharged && classifier.isTooOld(read.request)) return drop(provided.requestId);
    await begin(read.request, provided);
  };

  const resumeAll = async (): Promise<void> => {
    for await (const provided of jobs.list('unfinished')) {
      const { holder, requestId } = provided;
      if (stop.aborted) return;
      if (holder === lease.holder || !(await lease.isFreeNow(holder))) continue;
      background(resume(provided), 'Request not resumed', requestId);
    }
  };

  return {
    take(event) {
      if (event.kind === DELETION_KIND)
        background(takeCancellation(event), 'Cancellation not accepted', event.id);
      else if (event.kind === RECEIPT_KIND) background(takeReceipt(event), 'Receipt not accepted', event.id);
      else background(takeRequest(event), 'Request not accepted', event.id);
    },
    resumeAll,
    unanswered: () => ({ ...counts }),
  };
}

/** A provider without prices still does the work that was paid before. */
function collectedBefore({ paidAt }: ProvidedJob): 'paid' | 'free' {
  return paidAt === null ? 'free' : 'paid';
}
