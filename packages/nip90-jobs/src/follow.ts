import type { Logger } from '@bonafide/internal';
import type { NostrEvent, Signer, Transport } from '@bonafide/nostr-transport';
import { buildJobCancellation, type JobFeedback, type ParsedResult, parseJobRequest } from './codec/index.ts';
import type { NoMatch } from './correlate.ts';
import { JobError } from './errors.ts';
import { createLog } from './feedback-log.ts';
import type { JobHandle } from './handle.ts';
import { isFinal, type Job, type JobTransition, type MatchedBy } from './job.ts';
import { type ChooseOffer, type Offer, offerOf } from './offers.ts';
import { type JobResult, outcomeOf } from './outcome.ts';
import type { Payment } from './payment/payment-store.ts';
import type { PaymentResult, Payments } from './payment/payments.ts';
import { publishToAny } from './publish.ts';
import type { JobStore } from './store.ts';
import { strangersWords } from './strangers-words.ts';
import { pause, type Timers } from './timers.ts';
import { deadline, deliveryRound, type JobTimings, type RelayRecord, retryDelayMs } from './timetable.ts';
import { advance, type JobEvent } from './transition.ts';

/**
 * Why an event was not taken: {@link NoMatch}, `flood` when a provider says more than is kept, or `undecryptable` when it
 * cannot be read by us.
 */
export type IgnoredReason = NoMatch | 'flood' | 'undecryptable';

/** What following a job needs of its client. */
export interface FollowContext {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: JobStore;
  readonly clock: () => number;
  readonly random: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly timings: JobTimings;
  readonly maxFeedback: number;
  readonly maxFeedbackLength: number;
  /** Null when the client has no wallet. */
  readonly payments: Payments | null;
  readonly chooseOffer: ChooseOffer;
  /** How long offers for an open job are collected, from the first one on. */
  readonly offerWindowMs: number;
  /** How relays did so far; written here. */
  readonly experience: Map<string, RelayRecord>;
  /** Runs a piece of delivery when there is room: connections take only so much at once. */
  delivering<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Looks for stored answers to the job and takes them in. */
  recover(job: Job, signal: AbortSignal): Promise<void>;
  onTransition(job: Job, transition: Omit<JobTransition, 'sequence'>): void;
  onFeedback(job: Job, feedback: JobFeedback): void;
  onPaid(job: Job, payment: Payment): void;
  onIgnored(reason: IgnoredReason, event: NostrEvent, job: Job): void;
  onEnd(jobId: string): void;
}

/** One job in the hands of a running client. */
export interface FollowedJob {
  readonly job: Job;
  readonly handle: JobHandle;
  /** Starts delivery and deadlines; does nothing the second time. */
  drive(): void;
  takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void>;
  takeFeedback(feedback: JobFeedback): Promise<void>;
  cancelOn(signal: AbortSignal): void;
  /** Stops following and leaves the job open. */
  leave(): Promise<void>;
}

/** How long to wait when the store fails. */
const storeRetryMs = 5_000;
/** How long the deletion of a cancelled request is tried. */
const cancellationTimeoutMs = 5_000;
/** Offers for one open job that are looked at. */
const maxOffers = 100;

/** `said` is the feedback taken in before; `resumed` tells that the job was begun by an earlier process. */
export function followJob(
  context: FollowContext,
  stored: Job,
  said: readonly JobFeedback[],
  resumed: boolean,
): FollowedJob {
  const { transport, signer, store, clock, random, timers, logger, timings } = context;
  let job = stored;
  const log = createLog(said);
  const heard = new Set(said.map((feedback) => feedback.id));
  let heardLength = said.reduce((sum, feedback) => sum + feedback.content.length, 0);
  const settled = Promise.withResolvers<JobResult>();
  // Nobody has to look at the result: a rejection that no one observes must not end the process.
  settled.promise.catch(() => {});
  const stop = new AbortController();
  let driven = false;
  let cancelTimer: (() => void) | null = null;
  /** A payment, or a choice among offers, is under way. */
  let settling = false;
  const offers = new Map<string, Offer>();
  let offerTimer: (() => void) | null = null;
  // A process that was away gives the provider's last words time to arrive before it judges.
  const patientUntil = resumed ? clock() + timings.resultTimeoutMs : 0;
  let writing: Promise<unknown> = Promise.resolve();

  const finish = () => {
    cancelTimer?.();
    offerTimer?.();
    stop.abort();
    log.end();
    const outcome = outcomeOf(job);
    if (outcome instanceof Error) settled.reject(outcome);
    else if (outcome) settled.resolve(outcome);
    context.onEnd(job.jobId);
  };

  /** Writes what happened, one thing after the other. False when it changed nothing. */
  const apply = (event: JobEvent, feedback: JobFeedback | null = null): Promise<boolean> => {
    const done = writing.then(async () => {
      const step = advance(job, event);
      if (step.job === job) return false;
      const written = await store.update({
        job: step.job,
        transition: step.transition,
        feedback: feedback && {
          jobId: job.jobId,
          eventId: feedback.id,
          receivedAt: event.at,
          event: feedback.event,
        },
      });
      if (!written) {
        // Somebody else wrote: what is stored counts.
        job = (await store.get(job.jobId)) ?? job;
        logger.warn(
          { jobId: job.jobId, type: event.type },
          'A job was changed by somebody else; going on from what is stored',
        );
        if (isFinal(job.state)) finish();
        return false;
      }
      job = step.job;
      if (feedback) {
        log.push(feedback);
        context.onFeedback(job, feedback);
      }
      if (step.transition) context.onTransition(job, step.transition);
      if (isFinal(job.state)) finish();
      else if (driven) schedule();
      return true;
    });
    writing = done.catch(() => {});
    return done;
  };

  /** Writes what nothing else would bring about again: while the store fails, tries once more and again. */
  const insist = async (event: JobEvent): Promise<void> => {
    for (;;) {
      try {
        await apply(event);
        return;
      } catch (error) {
        logger.error(
          { err: error, jobId: job.jobId, type: event.type },
          'The end of a job could not be stored',
        );
        if (!(await pause(timers, storeRetryMs, stop.signal))) return;
      }
    }
  };

  const background = (work: Promise<unknown>, what: string) => {
    work.catch((error) => {
      if (!stop.signal.aborted) logger.error({ err: error, jobId: job.jobId }, what);
    });
  };

  const schedule = () => {
    cancelTimer?.();
    cancelTimer = null;
    const due = deadline(job, timings);
    if (due === null || stop.signal.aborted) return;
    const delayMs = Math.max(0, Math.max(due.at, patientUntil) - clock());
    cancelTimer = timers.after(delayMs, () => background(expire(), 'A deadline could not be handled'));
  };

  const isDue = () => {
    const due = deadline(job, timings);
    return due !== null && Math.max(due.at, patientUntil) <= clock() ? due : null;
  };

  const expire = async () => {
    // What was published but never arrived is asked for before the provider is blamed.
    if (isDue()) await recoverQuietly();
    if (isFinal(job.state) || stop.signal.aborted) return;
    const due = isDue();
    if (due === null) return schedule();
    if (job.state === 'payment-required' && settling) return decline(stillInFlight, null);
    const { timeoutClass } = due;
    await insist({ type: 'timeout', at: clock(), timeoutClass, message: timeoutMessages[timeoutClass] });
  };

  const recoverQuietly = async () => {
    try {
      await context.recover(job, stop.signal);
    } catch (error) {
      logger.warn({ err: error, jobId: job.jobId }, 'Stored answers could not be looked for');
    }
  };

  const publish = (relays: readonly string[], timeoutMs: number) =>
    publishToAny(transport, job.request, relays, {
      timeoutMs,
      signal: stop.signal,
      onOutcome: async (relay, { status, message }) => {
        const { accepted, failed } = context.experience.get(relay) ?? { accepted: 0, failed: 0 };
        const ok = status === 'accepted';
        context.experience.set(
          relay,
          ok ? { accepted: accepted + 1, failed } : { accepted, failed: failed + 1 },
        );
        if (!ok) logger.debug({ jobId: job.jobId, relay, status, message }, 'A relay did not take a request');
        else if (!job.deliveredTo.includes(relay))
          await apply({ type: 'accepted', at: clock(), relays: [relay] });
      },
      onError: (error) => logger.error({ err: error, jobId: job.jobId }, 'A request could not be sent'),
    });

  const sendRound = async (): Promise<void> => {
    const own = job.relays;
    if (job.deliveredAt !== null) {
      // A relay has it already, but the provider is silent: everywhere at once.
      await publish([...job.providerRelays, ...own], timings.deliveryStagesMs[0]);
      return;
    }
    for (const stage of deliveryRound({ provider: job.providerRelays, own }, timings, context.experience)) {
      if (stop.signal.aborted || (await publish(stage.relays, stage.timeoutMs))) return;
    }
  };

  /** Sends the one signed request until the provider is heard of, or the tries are used up. */
  const deliver = async () => {
    for (let retry = 0; job.heardAt === null && !stop.signal.aborted; retry += 1) {
      if (retry > 0) {
        const delayMs = retryDelayMs(retry, timings, random);
        if (delayMs === null) break;
        if (!(await pause(timers, delayMs, stop.signal)) || job.heardAt !== null) return;
      }
      try {
        await apply({ type: 'sending', at: clock() });
        await context.delivering(sendRound);
      } catch (error) {
        // Most likely the store; the next round may find it well again.
        logger.error({ err: error, jobId: job.jobId }, 'A round of delivery failed');
      }
    }
    if (job.deliveredAt !== null || job.heardAt !== null || stop.signal.aborted) return;
    await recoverQuietly();
    if (job.heardAt !== null || isFinal(job.state)) return;
    await insist({
      type: 'timeout',
      at: clock(),
      timeoutClass: 'delivery',
      message: timeoutMessages.delivery,
    });
  };

  const decline = async (message: string, eventId: string | null) => {
    await insist({ type: 'failed', at: clock(), reason: 'payment-declined', message, eventId });
  };

  const bidMsat = () => {
    const parsed = parseJobRequest(job.request);
    return parsed.ok ? parsed.request.bidMsat : null;
  };

  /** Takes what became of a payment over into the job. */
  const settle = async (paying: Promise<PaymentResult>, eventId: string | null): Promise<void> => {
    settling = true;
    try {
      const paid = await paying;
      if (paid.status === 'paid') {
        await insist({ type: 'paid', at: clock() });
        context.onPaid(job, paid.payment);
      } else await decline(paid.message, eventId);
    } finally {
      settling = false;
    }
  };

  /** Answers a provider that wants to be paid before it goes on: once per job, whatever it says later. */
  const demand = async ({ provider, amountMsat, bolt11, eventId }: Offer): Promise<void> => {
    if (amountMsat === 0) return insist({ type: 'paid', at: clock() });
    if (context.payments === null) return decline(noWallet(amountMsat), eventId);
    const paying = context.payments.pay(job, { provider, amountMsat, bolt11, bidMsat: bidMsat() });
    await settle(paying, eventId);
  };

  /** Chooses among the offers for an open job; from then on nobody else's answer counts. */
  const choose = async (): Promise<void> => {
    if (isFinal(job.state) || job.provider !== null || settling) return;
    const chosen = context.chooseOffer([...offers.values()], { job, bidMsat: bidMsat() });
    // None will do: somebody may still do it for less.
    if (chosen === null) return offers.clear();
    await insist({ type: 'chosen', at: clock(), provider: chosen.provider });
    await demand(chosen);
  };

  const takeOffer = (offer: Offer) => {
    if (offers.size >= maxOffers && !offers.has(offer.provider)) return;
    offers.set(offer.provider, offer);
    offerTimer ??= timers.after(context.offerWindowMs, () => {
      offerTimer = null;
      background(choose(), 'No offer could be chosen');
    });
  };

  /** Goes on with a payment that an earlier process was about to make, or had made. */
  const resumePayment = async (): Promise<void> => {
    const begun = await context.payments?.resume(job.jobId);
    if (begun) return settle(Promise.resolve(begun), null);
    const demands = said.filter(({ status }) => status === 'payment-required').map(offerOf);
    if (job.provider === null) {
      for (const offer of demands) takeOffer(offer);
      return;
    }
    const last = demands.filter(({ provider }) => provider === job.provider).at(-1);
    if (last) await demand(last);
    else await decline(noWallet(null), null);
  };

  const cancel = async (reason = ''): Promise<void> => {
    const sent = job.attempts > 0;
    const { request, provider, relays, deliveredTo, providerRelays } = job;
    if (!(await apply({ type: 'cancelled', at: clock(), message: reason })) || !sent) return;
    try {
      const template = buildJobCancellation({ request, provider, reason, createdAt: clock() });
      const everywhere = [...new Set([...deliveredTo, ...providerRelays, ...relays])];
      await transport.publish(await signer.signEvent(template), everywhere, {
        timeoutMs: cancellationTimeoutMs,
      });
    } catch (error) {
      logger.warn({ err: error, jobId: job.jobId }, 'The cancellation of a job could not be published');
    }
  };

  const takeFeedback = async (feedback: JobFeedback): Promise<void> => {
    if (heard.has(feedback.id) || isFinal(job.state)) return;
    const { id: eventId, status } = feedback;
    // Of an open job's many voices none is decisive: an offer that finds no room is not heard.
    const full =
      heard.size >= context.maxFeedback || heardLength + feedback.content.length > context.maxFeedbackLength;
    const decisive =
      job.provider !== null &&
      (status === 'error' ||
        status === 'payment-required' ||
        (status === 'success' && job.successAt === null));
    if (full && !decisive) return context.onIgnored('flood', feedback.event, job);
    heard.add(eventId);
    try {
      await act(feedback);
      heardLength += feedback.content.length;
    } catch (error) {
      // It was not stored: when the relays are asked again it counts as new.
      heard.delete(eventId);
      throw error;
    }
  };

  /** What one of many says about an open job binds nobody else: neither an error nor an announcement does. */
  const hear = async (feedback: JobFeedback): Promise<void> => {
    const { id: eventId, status } = feedback;
    const at = clock();
    const isDemand = status === 'payment-required' && feedback.amountMsat !== 0;
    if (isDemand && context.payments !== null && !settling) {
      await apply({ type: 'payment-required', at, eventId }, feedback);
      takeOffer(offerOf(feedback));
    } else if (status === 'processing' || status === 'partial') {
      await apply({ type: status, at, eventId }, feedback);
    } else await apply({ type: 'other', at, eventId }, feedback);
  };

  const act = async (feedback: JobFeedback): Promise<void> => {
    if (job.provider === null) return hear(feedback);
    const { id: eventId, status, info, content } = feedback;
    const at = clock();
    switch (status) {
      case 'processing':
      case 'partial':
      case 'success':
        await apply({ type: status, at, eventId }, feedback);
        return;
      case 'error':
        await apply(
          { type: 'failed', at, reason: 'provider-error', message: strangersWords(info || content), eventId },
          feedback,
        );
        return;
      case 'payment-required':
        // Paid is paid: who asks again gets nothing more.
        if (settling || job.paidAt !== null) {
          await apply({ type: 'other', at, eventId }, feedback);
          return;
        }
        await apply({ type: 'payment-required', at, eventId }, feedback);
        background(demand(offerOf(feedback)), 'A payment could not be made');
        return;
      default:
        await apply({ type: 'other', at, eventId }, feedback);
    }
  };

  const takeResult = async (
    result: ParsedResult,
    matchedBy: MatchedBy,
    recovered: boolean,
  ): Promise<void> => {
    const at = clock();
    if (result.status === 'error') {
      if (job.provider === null) return context.onIgnored('third-party', result.event, job);
      const message = strangersWords(result.info || result.content);
      await apply({ type: 'failed', at, reason: 'provider-error', message, eventId: result.id });
      return;
    }
    // Until a resumed job is driven, what the relays had stored comes by the subscription as well.
    await apply({
      type: 'result',
      at,
      event: result.event,
      content: result.encryption === null ? null : result.content,
      matchedBy,
      recovered: recovered || (resumed && !driven),
    });
  };

  if (isFinal(job.state)) finish();

  return {
    get job() {
      return job;
    },
    handle: {
      jobId: job.jobId,
      get state() {
        return job.state;
      },
      get job() {
        return job;
      },
      result: settled.promise,
      feedback: log,
      cancel,
    },
    drive() {
      if (driven || isFinal(job.state)) return;
      driven = true;
      // The process ended between hearing of the price and the end of the payment.
      if (job.state === 'payment-required')
        background(resumePayment(), 'A payment could not be gone on with');
      schedule();
      background(deliver(), 'A job could not be delivered');
    },
    takeResult,
    takeFeedback,
    cancelOn(signal) {
      const onAbort = () => background(cancel('aborted by the caller'), 'A job could not be cancelled');
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true, signal: stop.signal });
    },
    async leave() {
      cancelTimer?.();
      offerTimer?.();
      stop.abort();
      log.end();
      await writing;
      settled.reject(
        new JobError(
          'CLOSED',
          'The job client was closed. The job stays open and goes on with the next start.',
        ),
      );
    },
  };
}

const stillInFlight =
  'The wallet has not said yet what became of the payment. The money stays set aside until it does; nothing is paid twice.';

function noWallet(amountMsat: number | null): string {
  return amountMsat === null
    ? 'The provider wants to be paid first and this client has no wallet.'
    : `The provider wants ${amountMsat} msat first and this client has no wallet.`;
}

const timeoutMessages = {
  delivery: 'No relay took the request. Check the relays, or give others where the provider reads.',
  silence: 'The provider gave no sign of life.',
  processing: 'The provider began but did not finish in time.',
  result: 'The provider announced a result that never came.',
} as const;
