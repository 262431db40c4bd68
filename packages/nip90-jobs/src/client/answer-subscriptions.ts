import type { Logger } from '@bonafide/internal';
import type { Filter, NostrEvent, RejectedEvent, Subscription, Transport } from '@bonafide/nostr-transport';
import { answerFilters, FEEDBACK_KIND, resultKindOf } from '../codec/index.ts';
import type { Job } from '../job.ts';
import type { Timers } from '../timers.ts';

/** Delay before a subscription is changed, so that several changes are combined, in ms. */
const settleMs = 20;
/** Maximum number of jobs that a subscription names by id, see {@link createAnswerSubscriptions}. */
const maxNamed = 200;
/** Below this they are asked for one by one again. */
const fewAgain = 100;
/** More providers than this are not named in a filter. */
const maxAuthors = 500;
/** Answers may be dated this many seconds before their job, by the provider's clock. */
const slackSeconds = 60;

/** Filter of a subscription that names no job ids. */
interface Broad {
  readonly kinds: ReadonlySet<number>;
  /** Providers; null for every author. */
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
 * Creates the subscriptions. `onEvent` is called once per event and subscription, and again for some events
 * after a change of the jobs.
 *
 * Up to 200 jobs are requested by id, which finds every answer. Ten thousand ids exceed the message size of
 * relays, and each change would make the relay send all stored answers again. More jobs are therefore
 * requested by their customer (`p`), since the oldest open one, which needs no change when jobs are added or
 * removed. Answers without `p` are then found at the job's deadline, by a query.
 */
export function createAnswerSubscriptions(options: {
  readonly transport: Transport;
  readonly timers: Timers;
  readonly logger: Logger;
  /** The public key that asks. */
  readonly customer: () => string;
  readonly onEvent: (event: NostrEvent) => void;
  readonly onRejected: (rejected: RejectedEvent) => void;
}): AnswerSubscriptions {
  const { transport, timers, logger, customer, onEvent, onRejected } = options;
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
    set.subscription =
      filters.length === 0 ? null : transport.subscribe(set.relays, filters, { onEvent, onRejected });
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

/** Creates filters by request id, and by customer and provider for answers that name no request. */
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
