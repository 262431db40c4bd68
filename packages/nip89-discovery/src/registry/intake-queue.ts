import { type Logger, runSoon } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { cardKind, maxFutureMs, reject } from '../card/assess.ts';
import { deletionKind } from '../card/deletion.ts';
import { recommendationKind } from '../card/recommendation.ts';
import type { DiscoveryConfig } from '../config.ts';
import type { Arrival, CardIntake, Taken } from './card-intake.ts';
import type { RegistryEntry } from './entry.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { RejectedCard, RelayCounters } from './rejections.ts';
import type { StatementIntake } from './statement-intake.ts';
import { type DiscoveryStore, maxBatch } from './store.ts';

/** Callbacks of a reading, for events that are lost. */
export interface Source {
  /** Called when the queue is full. */
  onOverflow(): void;
  /** Called when an event could not be stored. */
  onFailure(): void;
}

/**
 * A bounded queue of events from relays. Known events are skipped; the others are stored in order, in
 * batches.
 */
export interface IntakeQueue {
  /** Adds an event. Never throws: failures are reported to `source` and logged. */
  receive(event: NostrEvent, relay: string, source: Source): void;
  /**
   * Stores events and returns the number of new or newer cards. An event that the store refuses is counted as `not-stored`.
   *
   * @throws DiscoveryError `STORE_FAILED` if the store stores nothing
   */
  takeAll(events: readonly NostrEvent[], relay: string): Promise<number>;
  /** Runs a task after all events that were received before. */
  after<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns true if an event of a relay was processed recently. */
  isSettled(event: NostrEvent, relay: string): boolean;
}

/** Number of processed events to remember, about 5 MB. */
const maxSettled = 20_000;

/** Number of refused events to remember. */
const maxRefused = 1_000;

/** Longest time for which a batch grows, ms. */
const gatherMs = 200;

interface Waiting extends Arrival {
  /** Key of event and relay among the processed events. */
  readonly name: string;
  readonly source: Source;
  readonly bytes: number;
}

export function createIntakeQueue(options: {
  readonly store: Pick<DiscoveryStore, 'putState'>;
  readonly writer: EntryWriter;
  readonly cards: CardIntake;
  readonly statements: StatementIntake;
  readonly counters: RelayCounters;
  readonly config: Pick<DiscoveryConfig, 'maxPending' | 'maxPendingBytes'>;
  /** Called for each new or newer card after it is durable. */
  readonly onTaken: (entry: RegistryEntry) => void;
  readonly onRejected: (rejected: RejectedCard) => void;
  readonly clock: () => number;
  readonly logger: Logger;
}): IntakeQueue {
  const { writer, cards, statements, counters, config, clock, logger } = options;
  /** Recently processed events, by relay. */
  const settled = new Set<string>();
  /** Ids of events that the store refused once. */
  const refusedBefore = new Set<string>();
  let queue: (Waiting | { readonly work: () => Promise<void> })[] = [];
  /** Index of the first item of the queue. */
  let front = 0;
  let isDraining = false;
  let pending = 0;
  let pendingBytes = 0;

  function settle({ event, name }: Waiting): void {
    // An event from the future may be accepted later.
    if (event.created_at * 1_000 > clock() + maxFutureMs) return;
    remember(settled, name, maxSettled);
  }

  function note({ event, relay }: Arrival, result: Taken): boolean {
    if (result === 'known') return false;
    if ('entry' in result) {
      writer.emitChange(result.before, result.entry);
      counters.of(relay).taken += 1;
      options.onTaken(result.entry);
      return true;
    }
    const { reason, message } = result;
    const { id: eventId, pubkey } = event;
    options.onRejected({ reason, message, eventId, pubkey, relay, at: clock(), raw: null });
    return false;
  }

  function count({ relay }: Arrival): void {
    const ofRelay = counters.of(relay);
    ofRelay.received += 1;
    ofRelay.lastEventAt = clock();
  }

  /** Stores events of one kind, at most one batch. Returns the number of new or newer cards. */
  async function takeRun(run: readonly Arrival[], refused = new Set<Arrival>()): Promise<number> {
    for (const arrival of run) count(arrival);
    return takeCounted(run, refused);
  }

  /**
   * Stores counted events. After a failure it stores them one by one, so that an event which cannot be stored does not affect
   * the others. Adds those to `refused`.
   */
  async function takeCounted(run: readonly Arrival[], refused: Set<Arrival>): Promise<number> {
    try {
      return await takeTogether(run);
    } catch (error) {
      const [first] = run;
      if (first === undefined) return 0;
      if (run.length === 1) {
        if (!(await canStore())) throw error;
        const { id: eventId } = first.event;
        logger.error({ err: error, relay: first.relay, eventId }, 'The store refused an event');
        note(first, reject('not-stored', 'The store refused this event, see the log.'));
        refused.add(first);
        return 0;
      }
      let taken = 0;
      for (const one of run) taken += await takeCounted([one], refused);
      return taken;
    }
  }

  /** Returns true if the store stores anything, to tell an unusual event from a failed store. */
  async function canStore(): Promise<boolean> {
    try {
      await options.store.putState(new Map([['last refused event', String(clock())]]));
      return true;
    } catch {
      return false;
    }
  }

  async function takeTogether(run: readonly Arrival[]): Promise<number> {
    const [first] = run;
    if (first === undefined) return 0;
    const { event, relay } = first;
    switch (event.kind) {
      case deletionKind:
        await statements.takeDeletion(event);
        return 0;
      case recommendationKind:
        if (await statements.takeRecommendation(event)) counters.of(relay).taken += 1;
        return 0;
      default: {
        const results = await cards.takeAll(run);
        return run.filter((arrival, place) => note(arrival, results[place] ?? 'known')).length;
      }
    }
  }

  /** Stores a batch. If the store fails, calls `onFailure` of each event's source, which reads it again. */
  async function takeAndLog(run: readonly Waiting[]): Promise<void> {
    try {
      const refused = new Set<Arrival>();
      await takeRun(run, refused);
      for (const arrival of run) {
        // The cause may pass, so the relay is read again once.
        if (refused.has(arrival) && !refusedBefore.has(arrival.event.id)) {
          remember(refusedBefore, arrival.event.id, maxRefused);
          arrival.source.onFailure();
        } else settle(arrival);
      }
    } catch (error) {
      for (const { relay, source } of run) {
        counters.of(relay).received -= 1;
        source.onFailure();
      }
      logger.error({ err: error, events: run.length }, 'Storing events failed');
    }
  }

  /** Returns the events at the front of the queue that can be stored together. */
  function nextRun(): Waiting[] {
    const run: Waiting[] = [];
    for (let at = front; at < queue.length && run.length < maxBatch; at += 1) {
      const item = queue[at];
      if (item === undefined || 'work' in item) break;
      if (run.length > 0 && item.event.kind !== cardKind) break;
      run.push(item);
      if (item.event.kind !== cardKind) break;
    }
    return run;
  }

  /**
   * Waits while the batch grows, because a transaction for many events costs little more than one for a
   * single event.
   */
  function gather(grewFrom: number, since: number): void {
    const isGrowing = pending > grewFrom && pending < maxBatch;
    if (isGrowing && performance.now() - since < gatherMs) {
      const grewTo = pending;
      runSoon(() => gather(grewTo, since));
    } else void takeNext();
  }

  async function takeNext(): Promise<void> {
    const next = queue[front];
    if (next === undefined) {
      queue = [];
      front = 0;
      isDraining = false;
      return;
    }
    if ('work' in next) {
      front += 1;
      await next.work();
      await takeNext();
      return;
    }
    const run = nextRun();
    front += run.length;
    if (front > 1_024) {
      queue = queue.slice(front);
      front = 0;
    }
    await writer.exclusive(() => takeAndLog(run));
    pending -= run.length;
    pendingBytes -= run.reduce((sum, { bytes }) => sum + bytes, 0);
    runSoon(() => gather(0, performance.now()));
  }

  function scheduleDrain(): void {
    if (isDraining) return;
    isDraining = true;
    runSoon(() => gather(0, performance.now()));
  }

  return {
    receive(event, relay, source) {
      const name = nameOf(event, relay);
      // Repeated events must not fill the queue.
      if (settled.delete(name)) {
        settled.add(name);
        return;
      }
      const bytes = weightOf(event);
      if (pending >= config.maxPending || pendingBytes + bytes > config.maxPendingBytes) {
        counters.of(relay).dropped += 1;
        source.onOverflow();
        return;
      }
      pending += 1;
      pendingBytes += bytes;
      queue.push({ event, relay, name, source, bytes });
      scheduleDrain();
    },

    async takeAll(events, relay) {
      let taken = 0;
      const atOnce = events.every(({ kind }) => kind === cardKind) ? maxBatch : 1;
      for (let at = 0; at < events.length; at += atOnce) {
        const run = events.slice(at, at + atOnce).map((event) => ({ event, relay }));
        taken += await writer.exclusive(() => takeRun(run));
      }
      return taken;
    },

    after<Result>(work: () => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        queue.push({ work: () => writer.exclusive(work).then(resolve, reject) });
        scheduleDrain();
      });
    },

    isSettled: (event, relay) => settled.has(nameOf(event, relay)),
  };
}

function remember(names: Set<string>, name: string, most: number): void {
  names.add(name);
  const [oldest] = names;
  if (names.size > most && oldest !== undefined) names.delete(oldest);
}

const nameOf = (event: NostrEvent, relay: string) => `${relay} ${event.id}`;

/** Estimates the size of an event in memory, bytes. */
function weightOf({ content, tags }: NostrEvent): number {
  const inTags = tags.reduce((sum, tag) => sum + tag.reduce((bytes, value) => bytes + value.length, 32), 0);
  return 512 + content.length + inTags;
}
