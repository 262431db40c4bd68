import type { Logger } from '@bonafide/internal';
import type { NostrEvent, Subscription, Transport } from '@bonafide/nostr-transport';
import { answerFilters } from './codec/index.ts';
import type { Job } from './job.ts';
import type { Timers } from './timers.ts';

/** How long to collect jobs that come and go before the subscription is changed. */
const settleMs = 20;

interface RelaySet {
  readonly relays: readonly string[];
  readonly jobs: Map<string, Job>;
  subscription: Subscription | null;
  /** Jobs that the subscription asks for although they are over. */
  stale: number;
  planned: (() => void) | null;
}

/** Listens for the answers to the open jobs: one subscription per set of relays, however many jobs there are. */
export interface Answers {
  add(job: Job): void;
  remove(jobId: string): void;
  close(): void;
}

/** `onEvent` hears each event once per subscription; after a change of the jobs it may hear it again. */
export function createAnswers(options: {
  readonly transport: Transport;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly onEvent: (event: NostrEvent) => void;
}): Answers {
  const { transport, timers, logger, onEvent } = options;
  const sets = new Map<string, RelaySet>();

  const keyOf = (relays: readonly string[]) => [...relays].sort().join(' ');

  const subscribe = (set: RelaySet) => {
    set.planned = null;
    set.stale = 0;
    const before = set.subscription;
    const filters = answerFilters(
      [...set.jobs.values()].map(({ jobId, kind, provider }) => ({ id: jobId, kind, provider })),
    );
    // The new one stands before the old one falls, so that nothing slips between them.
    set.subscription = filters.length === 0 ? null : transport.subscribe(set.relays, filters, { onEvent });
    before?.close();
  };

  const plan = (set: RelaySet) => {
    set.planned ??= timers.after(settleMs, () => {
      try {
        subscribe(set);
      } catch (error) {
        logger.error({ err: error, relays: set.relays }, 'Answers cannot be listened for');
      }
    });
  };

  return {
    add(job) {
      const key = keyOf(job.relays);
      const set = sets.get(key) ?? {
        relays: job.relays,
        jobs: new Map(),
        subscription: null,
        stale: 0,
        planned: null,
      };
      sets.set(key, set);
      set.jobs.set(job.jobId, job);
      plan(set);
    },
    remove(jobId) {
      for (const set of sets.values()) {
        if (!set.jobs.delete(jobId)) continue;
        set.stale += 1;
        // Asking for what is over costs little; changing the subscription for each job that ends costs more.
        if (set.stale >= Math.max(10, set.jobs.size) || set.jobs.size === 0) plan(set);
      }
    },
    close() {
      for (const set of sets.values()) {
        set.planned?.();
        set.subscription?.close();
      }
      sets.clear();
    },
  };
}
