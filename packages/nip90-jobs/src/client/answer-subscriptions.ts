import type { Logger } from '@bonafide/internal';
import type { Filter, NostrEvent, Subscription, Transport } from '@bonafide/nostr-transport';
import { answerFilters, FEEDBACK_KIND, resultKindOf } from '../codec/index.ts';
import type { Job } from '../job.ts';
import type { Timers } from '../timers.ts';

/** How long to collect jobs that come and go before the subscription is changed. */
const settleMs = 20;
/** Up to so many jobs are asked for one by one; more by their customer, see {@link createAnswerSubscriptions}. */
const maxNamed = 200;
/** Below this they are asked for one by one again. */
const fewAgain = 100;
/** More providers than this are not named in a filter. */
const maxAuthors = 500;
/** How much earlier than a job's building its answers may be dated. */
const slackSeconds = 60;

/** What a subscription is about when it names no jobs. */
interface Broad {
  readonly kinds: ReadonlySet<number>;
  /** Null: anybody's. */
  readonly authors: ReadonlySet<string> | null;
  readonly sinceSeconds: number;
}

interface RelaySet {
  readonly relays: readonly string[];
  readonly jobs: Map<string, Job>;
  subscription: Subscription | null;
  broad: Broad | null;
  /** Jobs that the subscription asks for although they are over. */
  stale: number;
  planned: (() => void) | null;
}

/** Listens for the answers to the open jobs: one subscription per set of relays, however many jobs there are. */
export interface AnswerSubscriptions {
  add(job: Job): void;
  remove(jobId: string): void;
  close(): void;
}

/**
 * `onEvent` hears each event once per subscription; after a change of the jobs it may hear it again.
 *
 * A few jobs are asked for by their ids, which finds every answer. Ten thousand ids fit no message that a relay takes, and
 * each change would have the relay send all stored answers again; so many are asked for by their customer (`p`), from
 * the oldest on, which needs no change as jobs come and go (JOB-17). What lacks the `p` is then found when the job's
 * time is up, as everything that was missed.
 */
export function createAnswerSubscriptions(options: {
  readonly transport: Transport;
  readonly timers: Timers;
  readonly logger: Logger;
  /** The public key that asks. */
  readonly customer: () => string;
  readonly onEvent: (event: NostrEvent) => void;
}): AnswerSubscriptions {
  const { transport, timers, logger, customer, onEvent } = options;
  const sets = new Map<string, RelaySet>();
  const setOf = new Map<string, RelaySet>();

  const keyOf = (relays: readonly string[]) => [...relays].sort().join(' ');

  const subscribe = (set: RelaySet) => {
    set.planned = null;
    set.stale = 0;
    const before = set.subscription;
    const jobs = [...set.jobs.values()];
    const many = jobs.length > (set.broad === null ? maxNamed : fewAgain);
    set.broad = many ? broadOver(jobs) : null;
    const filters = set.broad ? [filterOf(set.broad, customer())] : namedFilters(jobs, customer());
    // The new one stands before the old one falls, so that nothing slips between them.
    set.subscription = filters.length === 0 ? null : transport.subscribe(set.relays, filters, { onEvent });
    before?.close();
  };

  const plan = (set: RelaySet) => {
    set.planned ??= timers.after(settleMs, () => {
      try {
        subscribe(set);
      } catch (error) {
        logger.error({ err: error, relays: set.relays }, 'AnswerSubscriptions cannot be listened for');
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
        broad: null,
        stale: 0,
        planned: null,
      };
      sets.set(key, set);
      set.jobs.set(job.jobId, job);
      setOf.set(job.jobId, set);
      if (set.broad === null || !covers(set.broad, job)) plan(set);
    },
    remove(jobId) {
      const set = setOf.get(jobId);
      setOf.delete(jobId);
      if (!set?.jobs.delete(jobId)) return;
      set.stale += 1;
      // Asking for what is over costs little; changing the subscription for each job that ends costs more.
      const few = set.jobs.size < fewAgain && set.stale >= Math.max(10, set.jobs.size);
      if (set.jobs.size === 0 || few) plan(set);
    },
    close() {
      for (const set of sets.values()) {
        set.planned?.();
        set.subscription?.close();
      }
      sets.clear();
      setOf.clear();
    },
  };
}

/** By the ids of the requests, and by customer and provider for answers that name no request (JOB-9). */
function namedFilters(jobs: readonly Job[], customer: string): Filter[] {
  const addressed = jobs.filter(({ provider }) => provider !== null);
  const named = answerFilters(jobs.map(({ jobId, kind, provider }) => ({ id: jobId, kind, provider })));
  return addressed.length === 0 ? named : [...named, filterOf(broadOver(addressed), customer)];
}

function broadOver(jobs: readonly Job[]): Broad {
  const authors = new Set(jobs.map(({ provider }) => provider));
  const named = [...authors].filter((author) => author !== null);
  return {
    kinds: new Set([FEEDBACK_KIND, ...jobs.map(({ kind }) => resultKindOf(kind))]),
    authors: named.length === authors.size && named.length <= maxAuthors ? new Set(named) : null,
    sinceSeconds:
      Math.floor(jobs.reduce((oldest, { builtAt }) => Math.min(oldest, builtAt), Infinity) / 1000) -
      slackSeconds,
  };
}

function filterOf({ kinds, authors, sinceSeconds }: Broad, customer: string): Filter {
  const filter: Filter = { kinds: [...kinds], '#p': [customer], since: Math.max(0, sinceSeconds) };
  return authors === null ? filter : { ...filter, authors: [...authors] };
}

function covers({ kinds, authors, sinceSeconds }: Broad, job: Job): boolean {
  return (
    kinds.has(resultKindOf(job.kind)) &&
    (authors === null || (job.provider !== null && authors.has(job.provider))) &&
    Math.floor(job.builtAt / 1000) >= sinceSeconds
  );
}
