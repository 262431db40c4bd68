import type { Logger } from '@bonafide/internal';
import {
  fitTiers,
  nextReadingMs,
  nextStanding,
  type RelayObservation,
  type RelayStanding,
  type RelayTier,
  type TierPolicy,
} from '../registry/relay-tier.ts';

/** Counters of a relay since the start. */
export interface RelayTotals {
  readonly fresh: number;
  readonly delivered: number;
  readonly wasted: number;
  readonly interruptions: number;
  /** True if it is connected; `null` if that is unknown. */
  readonly isConnected: boolean | null;
}

/** A reading of a relay, live until it is closed. */
export interface RelayReading {
  close(): void;
  /** True if events were lost and the reading must restart from the watermark. */
  readonly isBroken: boolean;
}

/** Callbacks of a reading. */
export interface ReadingEvents {
  /** Called at EOSE. */
  onAnswered(): void;
  /** Called when the relay ends the subscription. */
  onClosed(): void;
}

export interface RelayScheduleOptions {
  readonly relays: readonly string[];
  readonly policy: TierPolicy;
  readonly pollMs: number;
  readonly sampleMs: number;
  /** Timeout of a relay that is polled or sampled, ms. */
  readonly readingMs: number;
  /** Time for which it stays subscribed after EOSE, ms. */
  readonly lingerMs: number;
  readonly open: (relay: string, events: ReadingEvents) => Promise<RelayReading>;
  readonly totals: (relay: string) => RelayTotals;
  readonly onTier: (change: {
    readonly relay: string;
    readonly before: RelayTier;
    readonly after: RelayTier;
    readonly score: number | null;
  }) => void;
  readonly clock: () => number;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Reads relays according to their tiers. Acts only in `tick`. */
export interface RelaySchedule {
  /** Opens, rates and closes what is due. Concurrent calls share one run. */
  tick(): Promise<void>;
  standing(relay: string): RelayStanding | undefined;
  /** Restores the tiers of an earlier run, before the first tick. */
  restore(standings: ReadonlyMap<string, RelayStanding>): void;
  /** Ends all readings. A later tick resumes. */
  stop(): Promise<void>;
}

/** Number of relays that are polled at a time. */
const maxPolls = 8;

interface Session {
  readonly reading: RelayReading;
  readonly openedAt: number;
  answeredAt: number | null;
  isClosed: boolean;
}

interface Place {
  standing: RelayStanding;
  session: Session | null;
  before: RelayTotals;
  latencyMs: number | null;
  dueAt: number;
}

export function createRelaySchedule(options: RelayScheduleOptions): RelaySchedule {
  const { policy, clock, random, logger, pollMs, sampleMs, readingMs, lingerMs } = options;
  const places = new Map<string, Place>();
  let ticking: Promise<void> | null = null;

  for (const [index, relay] of [...new Set(options.relays)].entries()) {
    const tier: RelayTier = index < policy.maxPersistent ? 'persistent' : 'polled';
    places.set(relay, {
      standing: { tier, score: null, changedAt: clock() },
      session: null,
      before: options.totals(relay),
      latencyMs: null,
      dueAt: clock(),
    });
  }

  async function open(relay: string, place: Place): Promise<void> {
    const openedAt = clock();
    const progress: Pick<Session, 'answeredAt' | 'isClosed'> = { answeredAt: null, isClosed: false };
    const reading = await options.open(relay, {
      onAnswered() {
        progress.answeredAt ??= clock();
        place.latencyMs ??= progress.answeredAt - openedAt;
      },
      onClosed() {
        progress.isClosed = true;
      },
    });
    place.session = Object.assign(progress, { reading, openedAt });
  }

  function end(place: Place): void {
    place.session?.reading.close();
    place.session = null;
    place.latencyMs = null;
  }

  /** Returns the changes since the previous observation, and starts a new one. */
  function observe(relay: string, place: Place): RelayObservation {
    const { before, session } = place;
    const now = options.totals(relay);
    place.before = now;
    const isLive = place.standing.tier === 'persistent';
    const answered = session !== null && session.answeredAt !== null;
    // A polled relay has succeeded once it answered.
    const ok = answered && !(isLive && (session.isClosed || now.isConnected === false));
    return {
      at: clock(),
      ok,
      latencyMs: place.latencyMs,
      interruptions: Math.max(0, now.interruptions - before.interruptions),
      fresh: now.fresh - before.fresh,
      delivered: now.delivered - before.delivered,
      wasted: now.wasted - before.wasted,
    };
  }

  function plan(place: Place): void {
    place.dueAt = clock() + nextReadingMs(place.standing.tier, { pollMs, sampleMs }, random);
  }

  function judge(relay: string, place: Place): void {
    const standing = nextStanding(place.standing, observe(relay, place), policy);
    const others = new Map([...places].map(([each, { standing: its }]) => [each, its]));
    const incumbent = place.standing.tier === 'persistent' ? relay : null;
    const fitted = fitTiers(others.set(relay, standing), clock(), policy, incumbent);
    for (const [each, after] of fitted) {
      const one = places.get(each);
      if (one === undefined) continue;
      const before = one.standing;
      one.standing = after;
      if (before.tier === after.tier) continue;
      const { score } = after;
      logger.info({ relay: each, before: before.tier, after: after.tier, score }, 'Relay tier changed');
      // Live and polled readings differ, so a change between them ends the reading.
      if (before.tier === 'persistent') end(one);
      plan(one);
      options.onTier({ relay: each, before: before.tier, after: after.tier, score });
    }
  }

  async function stepLive(relay: string, place: Place): Promise<void> {
    if (place.session === null) {
      await open(relay, place);
      place.before = options.totals(relay);
      plan(place);
      return;
    }
    if (clock() < place.dueAt) return;
    plan(place);
    const { isClosed, reading } = place.session;
    judge(relay, place);
    // Restart from the watermark if it was closed or broken, unless the relay was just demoted.
    if (place.session === null || !(isClosed || reading.isBroken)) return;
    end(place);
    await open(relay, place);
  }

  async function stepPolled(relay: string, place: Place, polls: number): Promise<void> {
    const now = clock();
    const { session } = place;
    if (session === null) {
      if (now < place.dueAt || polls >= maxPolls) return;
      place.before = options.totals(relay);
      await open(relay, place);
      return;
    }
    const isDone = session.answeredAt !== null && now - session.answeredAt >= lingerMs;
    if (!isDone && !session.isClosed && now - session.openedAt < readingMs) return;
    plan(place);
    judge(relay, place);
    if (place.standing.tier !== 'persistent') end(place);
  }

  async function step(): Promise<void> {
    const failures: unknown[] = [];
    for (const [relay, place] of places) {
      const polls = [...places.values()].filter(
        ({ session, standing }) => session !== null && standing.tier !== 'persistent',
      ).length;
      try {
        if (place.standing.tier === 'persistent') await stepLive(relay, place);
        else await stepPolled(relay, place, polls);
      } catch (error) {
        logger.error({ err: error, relay }, 'Reading a relay failed');
        end(place);
        plan(place);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    tick() {
      ticking ??= step().finally(() => {
        ticking = null;
      });
      return ticking;
    },
    standing: (relay) => places.get(relay)?.standing,
    restore(standings) {
      const all = new Map(
        [...places].map(([relay, { standing }]) => [relay, standings.get(relay) ?? standing]),
      );
      // The set of relays may differ from the earlier run.
      for (const [relay, standing] of fitTiers(all, clock(), policy)) {
        const place = places.get(relay);
        if (place === undefined) continue;
        place.standing = standing;
        place.before = options.totals(relay);
      }
    },
    async stop() {
      // The caller of tick() got the error.
      await ticking?.catch(() => {});
      for (const place of places.values()) {
        end(place);
        place.dueAt = clock();
      }
    },
  };
}
