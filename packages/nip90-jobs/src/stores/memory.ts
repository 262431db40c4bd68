import { type PeerEraser, pageOf } from '@bonafide/internal';
import { requirePublicKey } from '../codec/public-key.ts';
import { isClaimable, isFinal, type Job, type JobTransition, type StoredFeedback } from '../job.ts';
import { memoryStoreOptions, readConfig } from '../option-schemas.ts';
import { isOwed, isUnfinished } from '../provider/provided-job.ts';
import type { ProvidedJob, ProvidedQuery, ProviderStore } from '../provider/provider-store.ts';
import type { JobQuery, JobStore, JobUpdate, LeaseStore } from '../store.ts';
import { isAfter, jobPage, pageSize, providedCursor, readCursor, readProvidedCursor } from './page.ts';

/** Options of a memory store. */
export interface MemoryStoreOptions {
  /**
   * Maximum number of ended jobs to keep; the oldest ones are removed first.
   * @default 10_000
   */
  readonly maxEnded?: number;
}

/** Creates the leases of a memory store. */
export function createMemoryLeases(): LeaseStore {
  const leases = new Map<string, number>();
  return {
    async lease(holder, { now, until }) {
      leases.set(holder, until);
      for (const [other, expiresAt] of leases) if (expiresAt <= now) leases.delete(other);
      return [...leases.keys()];
    },
  };
}

/** Creates a job store in memory, for tests and for clients whose jobs need not survive the process. */
export function createMemoryJobStore(options: MemoryStoreOptions = {}): JobStore & PeerEraser {
  const { maxEnded } = readConfig(memoryStoreOptions, options);
  const jobs = new Map<string, Job>();
  const keys = new Map<string, string>();
  const steps = new Map<string, JobTransition[]>();
  const said = new Map<string, StoredFeedback[]>();
  /** In the order in which they ended. */
  const ended = new Set<string>();

  const byKey = (key: string | null) => (key === null ? undefined : jobs.get(keys.get(key) ?? ''));

  const remove = (jobId: string) => {
    const key = jobs.get(jobId)?.idempotencyKey ?? null;
    if (key !== null) keys.delete(key);
    for (const map of [jobs, steps, said]) map.delete(jobId);
    ended.delete(jobId);
  };

  return {
    ...createMemoryLeases(),
    async create(job) {
      const existing = jobs.get(job.jobId) ?? byKey(job.idempotencyKey);
      if (existing) return { job: existing, created: false };
      jobs.set(job.jobId, job);
      if (job.idempotencyKey !== null) keys.set(job.idempotencyKey, job.jobId);
      return { job, created: true };
    },
    async get(jobId) {
      return jobs.get(jobId) ?? null;
    },
    async getByKey(idempotencyKey) {
      return byKey(idempotencyKey) ?? null;
    },
    async list(query: JobQuery = {}) {
      const limit = pageSize(query.limit);
      const from = readCursor(query.cursor);
      const wanted = [...jobs.values()]
        .filter((job) => query.open === undefined || isFinal(job.state) !== query.open)
        .filter((job) => query.state === undefined || job.state === query.state)
        .filter((job) => query.provider === undefined || job.provider === query.provider)
        .filter((job) => query.claimable !== true || isClaimable(job))
        .filter((job) => query.notHeldBy === undefined || job.holder !== query.notHeldBy)
        .sort((a, b) => b.builtAt - a.builtAt || (a.jobId < b.jobId ? 1 : -1))
        .filter((job) => from === null || isAfter(job, from));
      return jobPage(wanted, limit);
    },
    async update({ job, transition, feedback }: JobUpdate) {
      const current = jobs.get(job.jobId);
      if (current === undefined || current.revision !== job.revision - 1) return false;
      const feedbacks = said.get(job.jobId) ?? [];
      if (feedback && feedbacks.some(({ eventId }) => eventId === feedback.eventId)) return false;
      jobs.set(job.jobId, job);
      if (feedback) said.set(job.jobId, [...feedbacks, feedback]);
      if (transition) {
        const before = steps.get(job.jobId) ?? [];
        steps.set(job.jobId, [...before, { ...transition, sequence: before.length + 1 }]);
      }
      // A paid result that has not arrived is not forgotten.
      if (isClaimable(job)) ended.delete(job.jobId);
      else if (isFinal(job.state)) {
        ended.add(job.jobId);
        const [oldest] = ended;
        if (ended.size > maxEnded && oldest !== undefined) remove(oldest);
      }
      return true;
    },
    async history(jobId) {
      return { transitions: steps.get(jobId) ?? [], feedback: said.get(jobId) ?? [] };
    },
    async prune({ before }) {
      const old = [...ended].filter((jobId) => {
        const job = jobs.get(jobId);
        return job !== undefined && (job.endedAt ?? before) < before;
      });
      for (const jobId of old) remove(jobId);
      return old.length;
    },
    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requirePublicKey(peer);
      const own = [...jobs.values()].filter(
        ({ provider, resultEvent }) => provider === pubkey || resultEvent?.pubkey === pubkey,
      );
      const isOver = (job: Job | undefined) => job !== undefined && isFinal(job.state) && !isClaimable(job);
      const over = own.filter(isOver);
      const elsewhere = [...said]
        .filter(([jobId]) => !own.some((job) => job.jobId === jobId))
        .flatMap(([jobId, feedback]) =>
          feedback.filter(({ event }) => event.pubkey === pubkey).map(() => jobId),
        );
      const ended = elsewhere.filter((jobId) => isFinal(jobs.get(jobId)?.state ?? 'built'));
      if (!preview) {
        for (const { jobId } of over) remove(jobId);
        for (const jobId of new Set(ended))
          said.set(
            jobId,
            (said.get(jobId) ?? []).filter(({ event }) => event.pubkey !== pubkey),
          );
      }
      return {
        erased: { jobs: over.length, feedback: ended.length },
        kept: { jobs: own.length - over.length, feedback: elsewhere.length - ended.length },
      };
    },
  };
}

const matches: Readonly<Record<ProvidedQuery, (job: ProvidedJob) => boolean>> = {
  unfinished: isUnfinished,
  owed: isOwed,
  receipts: ({ receipt }) => receipt !== null,
};

/** Creates a provider store in memory, for tests, and for work that may be repeated after a restart. */
export function createMemoryProviderStore(options: MemoryStoreOptions = {}): ProviderStore & PeerEraser {
  const { maxEnded } = readConfig(memoryStoreOptions, options);
  const requests = new Map<string, ProvidedJob>();
  const watermarks = new Map<string, number>();
  const ended = new Set<string>();

  const remove = (requestId: string) => {
    requests.delete(requestId);
    ended.delete(requestId);
  };

  return {
    ...createMemoryLeases(),
    async take(job) {
      if (requests.has(job.requestId)) return false;
      requests.set(job.requestId, job);
      return true;
    },
    async get(requestId) {
      return requests.get(requestId) ?? null;
    },
    async list(query, { limit, cursor } = {}) {
      const size = pageSize(limit);
      const from = readProvidedCursor(cursor);
      const found = [...requests.values()]
        .filter(matches[query])
        .sort((a, b) => a.receivedAt - b.receivedAt || (a.requestId < b.requestId ? -1 : 1))
        .filter(
          ({ receivedAt, requestId }) =>
            from === null || receivedAt > from[0] || (receivedAt === from[0] && requestId > from[1]),
        );
      return pageOf(found.slice(0, size + 1), size, providedCursor);
    },
    async update(job) {
      if (requests.get(job.requestId)?.revision !== job.revision - 1) return false;
      requests.set(job.requestId, job);
      if (!isUnfinished(job) && !isOwed(job)) {
        ended.add(job.requestId);
        const [oldest] = ended;
        if (ended.size > maxEnded && oldest !== undefined) remove(oldest);
      }
      return true;
    },
    async watermark(source) {
      return watermarks.get(source) ?? null;
    },
    async setWatermark(source, seconds) {
      watermarks.set(source, Math.max(seconds, watermarks.get(source) ?? 0));
    },
    async prune({ before }) {
      const old = [...requests.values()].filter(
        (job) => !isUnfinished(job) && !isOwed(job) && (job.answeredAt ?? job.droppedAt ?? before) < before,
      );
      for (const { requestId } of old) remove(requestId);
      return old.length;
    },
    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requirePublicKey(peer);
      const own = [...requests.values()].filter(({ customer }) => customer === pubkey);
      const finished = own.filter((job) => !isUnfinished(job) && !isOwed(job));
      if (!preview) for (const { requestId } of finished) remove(requestId);
      return { erased: { requests: finished.length }, kept: { requests: own.length - finished.length } };
    },
  };
}
