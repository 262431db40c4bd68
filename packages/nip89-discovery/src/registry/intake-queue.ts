import type { Logger } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { cardKind, maxFutureMs } from '../card/assess.ts';
import { deletionKind } from '../card/deletion.ts';
import { recommendationKind } from '../card/recommendation.ts';
import type { DiscoveryConfig } from '../config.ts';
import type { Arrival, CardIntake, Taken } from './card-intake.ts';
import type { RegistryEntry } from './entry.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { RejectedCard, RelayCounters } from './rejections.ts';
import type { StatementIntake } from './statement-intake.ts';
import { maxBatch } from './store.ts';

/** A reading whose events come in; it learns when one of them is lost. */
export interface Source {
  /** There was no room for an event. */
  onOverflow(): void;
  /** An event could not be taken in. */
  onFailure(): void;
}

/**
 * Where events come in from relays (DIS-15): those that are known are passed over, the others wait in bounded room and are
 * taken into the registry in order, as many at once as have come.
 */
export interface IntakeQueue {
  /** An event that nobody waits for. Never throws: what goes wrong is told to `source` and logged. */
  receive(event: NostrEvent, relay: string, source: Source): void;
  /** Events that somebody waits for. How many cards were taken. @throws DiscoveryError `STORE_FAILED` */
  takeAll(events: readonly NostrEvent[], relay: string): Promise<number>;
  /** Does something once all that was received up to now is taken in. */
  after<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether an event of a relay was dealt with lately. */
  isSettled(event: NostrEvent, relay: string): boolean;
}

/** Events that are remembered as dealt with: about 5 MB. */
const maxSettled = 20_000;

/** How long cards are gathered at most while they keep coming, ms. */
const gatherMs = 50;

interface Waiting extends Arrival {
  /** Of the event and its relay, among those that were dealt with. */
  readonly name: string;
  readonly source: Source;
  readonly bytes: number;
}

export function createIntakeQueue(options: {
  readonly writer: EntryWriter;
  readonly cards: CardIntake;
  readonly statements: StatementIntake;
  readonly counters: RelayCounters;
  readonly config: Pick<DiscoveryConfig, 'maxPending' | 'maxPendingBytes'>;
  /** Told of each card that was new or newer, once it is durable. */
  readonly onTaken: (entry: RegistryEntry) => void;
  readonly onRejected: (rejected: RejectedCard) => void;
  readonly clock: () => number;
  readonly logger: Logger;
}): IntakeQueue {
  const { writer, cards, statements, counters, config, clock, logger } = options;
  /** Events that were dealt with lately, by relay. */
  const settled = new Set<string>();
  let queue: (Waiting | { readonly work: () => Promise<void> })[] = [];
  /** Where the queue begins. */
  let front = 0;
  let isDraining = false;
  let pending = 0;
  let pendingBytes = 0;

  function settle({ event, name }: Waiting): void {
    // What comes too early may come again.
    if (event.created_at * 1_000 > clock() + maxFutureMs) return;
    settled.add(name);
    const [oldest] = settled;
    if (settled.size > maxSettled && oldest !== undefined) settled.delete(oldest);
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

  /** Events of one sort, no more than can be taken at once. Gives how many cards were taken. */
  async function takeRun(run: readonly Arrival[]): Promise<number> {
    const [first] = run;
    if (first === undefined) return 0;
    for (const arrival of run) count(arrival);
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

  /** Takes a run that nobody waits for. One event that cannot be taken must not keep out the others. */
  async function takeQuietly(run: readonly Waiting[]): Promise<void> {
    try {
      await takeRun(run);
      for (const arrival of run) settle(arrival);
    } catch (error) {
      if (run.length > 1) {
        for (const one of run) counters.of(one.relay).received -= 1;
        for (const one of run) await takeQuietly([one]);
        return;
      }
      for (const { event, relay, source } of run) {
        source.onFailure();
        logger.error({ err: error, relay, eventId: event.id }, 'An event could not be taken in');
      }
    }
  }

  /** What may be taken together, from the front of the queue. */
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

  /** Waits while more is coming, since one transaction for many costs little more than for one; never for long. */
  function gather(grewFrom: number, since: number): void {
    const isGrowing = pending > grewFrom && pending < maxBatch;
    if (isGrowing && performance.now() - since < gatherMs) setImmediate(gather, pending, since);
    else void takeNext();
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
    await writer.exclusive(() => takeQuietly(run));
    pending -= run.length;
    pendingBytes -= run.reduce((sum, { bytes }) => sum + bytes, 0);
    setImmediate(gather, 0, performance.now());
  }

  function scheduleDrain(): void {
    if (isDraining) return;
    isDraining = true;
    setImmediate(gather, 0, performance.now());
  }

  return {
    receive(event, relay, source) {
      const name = nameOf(event, relay);
      // Read again, or replayed: that must not keep out what is new.
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

const nameOf = (event: NostrEvent, relay: string) => `${relay} ${event.id}`;

/** About how many bytes an event holds in memory. */
function weightOf({ content, tags }: NostrEvent): number {
  const inTags = tags.reduce((sum, tag) => sum + tag.reduce((bytes, value) => bytes + value.length, 32), 0);
  return 512 + content.length + inTags;
}
