import type { PublishOutcome, Transport } from '@bonafide/nostr-transport';
import { isFinal, type Job } from '../job.ts';
import { publishToAny } from '../publish.ts';
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
  /** Queries the relays for missed answers. Returns false when none was read. */
  recoverAnswers(job: Job): Promise<boolean>;
}

/** Publishes the request of one job, in rounds. */
export interface Delivery {
  /** Stops publishing. */
  end(): void;
}

/** Shortest time limit of a stage, in ms. */
const leastStageMs = 1_000;
const failureMessage = 'Job not delivered';

/**
 * Publishes the signed request until the provider answers or the retries are used up. When no relay accepted it,
 * `recoverAnswers` queries the relays, and then the job times out.
 */
export function startDelivery(
  environment: ClientEnvironment,
  services: DeliveryServices,
  record: JobRecord,
): Delivery {
  const delivery = new RequestDelivery(environment, services, record);
  record.background(delivery.run(0), failureMessage);
  return delivery;
}

/** A class, and a timer between rounds instead of a suspended function: thousands of jobs wait at the same time. */
class RequestDelivery implements Delivery {
  readonly #environment: ClientEnvironment;
  readonly #services: DeliveryServices;
  readonly #record: JobRecord;
  #ended = false;
  /** Cancels the timer of the next round. */
  #cancelRound: (() => void) | null = null;
  /** Aborts what is being published; null while nothing is. */
  #publishing: AbortController | null = null;
  #publications = 0;
  /** The last relay that rejected the request although it was reachable, with its reason. */
  #rejection = '';

  constructor(environment: ClientEnvironment, services: DeliveryServices, record: JobRecord) {
    this.#environment = environment;
    this.#services = services;
    this.#record = record;
  }

  end(): void {
    this.#ended = true;
    this.#cancelRound?.();
    this.#publishing?.abort();
  }

  /** Publishes once and schedules the next round; `retry` counts the rounds from 0. */
  async run(retry: number): Promise<void> {
    if (this.#isOver()) return;
    const { clock, random, timers, logger, config } = this.#environment;
    const { job } = this.#record;
    try {
      await this.#record.apply({ type: 'sending', at: clock() });
      await this.#services.limit(() => this.#sendRound());
    } catch (error) {
      // Most likely the store; the next round may find it working again.
      logger.error({ err: error, jobId: job.jobId }, 'Delivery round failed');
    }
    if (this.#isOver()) return;
    const delayMs = retryDelayMs(retry + 1, config, random);
    const isInTime = delayMs !== null && (this.#isDelivered() || delayMs <= this.#timeLeft());
    if (!isInTime) return this.#giveUp();
    this.#cancelRound = timers.after(delayMs, () => {
      this.#cancelRound = null;
      this.#record.background(this.run(retry + 1), failureMessage);
    });
  }

  async #sendRound(): Promise<void> {
    // It may have ended while it waited for a permit.
    if (this.#ended) return;
    const { config } = this.#environment;
    const { relays: own, providerRelays } = this.#record.job;
    if (this.#isDelivered()) {
      // A relay has it already, but the provider is silent: everywhere at once.
      await this.#publish([...providerRelays, ...own], config.deliveryStagesMs[0]);
      return;
    }
    const relays = { provider: providerRelays, own };
    for (const stage of deliveryRound(relays, config, this.#services.relayRecords)) {
      // Without any relay, the time limit of the job also ends its delivery.
      const timeoutMs = Math.min(stage.timeoutMs, Math.max(leastStageMs, this.#timeLeft()));
      if (this.#ended || (await this.#publish(stage.relays, timeoutMs)) || this.#timeLeft() <= 0) return;
    }
  }

  #publish(relays: readonly string[], timeoutMs: number): Promise<boolean> {
    const { request, jobId } = this.#record.job;
    this.#publishing ??= new AbortController();
    this.#publications += 1;
    return publishToAny(this.#services.transport, request, relays, {
      timeoutMs,
      signal: this.#publishing.signal,
      onOutcome: (relay, outcome) => this.#note(relay, outcome),
      onError: (error) => this.#environment.logger.error({ err: error, jobId }, 'Request not published'),
      onDone: () => {
        this.#publications -= 1;
        if (this.#publications === 0) this.#publishing = null;
      },
    });
  }

  async #note(relay: string, { status, message }: PublishOutcome): Promise<void> {
    const { clock, logger } = this.#environment;
    const { relayRecords } = this.#services;
    const { accepted, failed } = relayRecords.get(relay) ?? { accepted: 0, failed: 0 };
    if (status === 'accepted') {
      relayRecords.set(relay, { accepted: accepted + 1, failed });
      if (!this.#record.job.deliveredTo.includes(relay))
        await this.#record.apply({ type: 'accepted', at: clock(), relays: [relay] });
      return;
    }
    relayRecords.set(relay, { accepted, failed: failed + 1 });
    this.#rejection = `${relay}: ${message || status}`;
    const { jobId } = this.#record.job;
    logger.debug({ jobId, relay, status, message }, 'Relay did not accept a request');
  }

  /** Ends the job when no relay accepted the request and none has an answer. */
  async #giveUp(): Promise<void> {
    if (this.#isDelivered()) return;
    await this.#services.recoverAnswers(this.#record.job);
    if (this.#isOver()) return;
    const last = this.#rejection === '' ? '' : ` Last answer: ${this.#rejection}`;
    await this.#record.insist({
      type: 'timeout',
      at: this.#environment.clock(),
      timeoutClass: 'delivery',
      message: `${TIMEOUT_MESSAGES.delivery}${last}`,
    });
  }

  /** Returns true when the provider has answered, the job has ended, or another process delivers it. */
  #isOver(): boolean {
    const { heardAt, state } = this.#record.job;
    return this.#ended || heardAt !== null || isFinal(state);
  }

  #isDelivered(): boolean {
    return this.#record.job.deliveredAt !== null;
  }

  /** Returns the ms until the job ends without an answer. */
  #timeLeft(): number {
    const { clock, config } = this.#environment;
    return this.#record.job.builtAt + config.processingTimeoutMs - clock();
  }
}
