import { createEmitter, type Emitter } from '@bonafide/internal';
import type { RejectedEvent } from '@bonafide/nostr-transport';
import type { DiscoveryContext } from '../context.ts';
import { DiscoveryError } from '../errors.ts';
import { type CapacityLimit, createCapacityLimit } from './capacity.ts';
import { createCardIntake } from './card-intake.ts';
import { createEntryWriter, type EntryWriter } from './entry-writer.ts';
import { type DiscoveryEvents, discoveryEventNames } from './events.ts';
import { createIntakeQueue, type IntakeQueue } from './intake-queue.ts';
import { countCards } from './metrics.ts';
import { createProfileLookup, type ProfileLookup } from './profile-lookup.ts';
import { createRecommendationSignals, type RecommendationSignals } from './recommendations.ts';
import { createRelayCounters, type RejectedCard, type RelayCounters, readRefused } from './rejections.ts';
import { createStatementIntake, type StatementIntake } from './statement-intake.ts';

/** The registry without its relays: events go in through `intake` and come out as entries and events. */
export interface Registry {
  readonly emitter: Emitter<DiscoveryEvents>;
  readonly counters: RelayCounters;
  readonly writer: EntryWriter;
  readonly intake: IntakeQueue;
  readonly profiles: ProfileLookup;
  readonly capacity: CapacityLimit;
  readonly signals: RecommendationSignals;
  readonly statements: StatementIntake;
  /** Counts an event that the transport refused. */
  onRefused(rejected: RejectedEvent): void;
}

/** Creates a registry over a store. */
export function createRegistry(context: DiscoveryContext): Registry {
  const { transport, store, relays, config, addresses, verifier, clock, logger } = context;
  const emitter = createEmitter<DiscoveryEvents>({
    logger,
    names: discoveryEventNames,
    fail: (message) => new DiscoveryError('INVALID_INPUT', message),
  });
  countCards(emitter);
  const counters = createRelayCounters(config.rememberedRejections);
  const writer = createEntryWriter(store, emitter);
  const profiles = createProfileLookup({
    transport,
    relays,
    writer,
    verifier,
    timeoutMs: config.queryTimeoutMs,
    clock,
  });
  const capacity = createCapacityLimit({ store, writer, capacity: config.maxPlatforms, logger });

  const signals = createRecommendationSignals({ store, writer, standing: context.standing });

  const statements = createStatementIntake({ store, writer, emitter, signals, addresses, verifier, clock });

  const onRejected = (rejected: RejectedCard) => {
    counters.reject(rejected);
    logger.debug(rejected, 'Card rejected');
    emitter.emit('rejected', rejected);
  };

  const intake = createIntakeQueue({
    store,
    writer,
    cards: createCardIntake({ store, writer, config, addresses, verifier, clock }),
    statements,
    counters,
    config,
    onTaken(entry) {
      profiles.request(entry);
      if (entry.revision > 1) return;
      capacity.added();
      if (!signals.isUsed) return;
      // Recommendations may have come before the card.
      writer
        .exclusive(() => signals.refresh(entry.pubkey, entry.canonicalD))
        .catch((error) => logger.error({ err: error }, 'Weighing recommendations failed'));
    },
    onRejected,
    clock,
    logger,
  });

  return {
    emitter,
    counters,
    writer,
    intake,
    profiles,
    capacity,
    signals,
    statements,
    onRefused(rejected) {
      counters.of(rejected.relay).refused += 1;
      onRejected(readRefused(rejected, clock()));
    },
  };
}
