import { JobError } from '../errors.ts';
import { isFinal, type Job, type JobTransition, type StoredFeedback } from '../job.ts';
import type { JobQuery, JobStore, JobUpdate, ProvidedJob, ProviderStore } from '../store.ts';
import { isAfter, jobPage, pageSize, readCursor } from './page.ts';

/** Creates a job store in memory, for tests and for clients whose jobs need not survive the process. */
export function createMemoryJobStore(): JobStore {
  const jobs = new Map<string, Job>();
  const keys = new Map<string, string>();
  const steps = new Map<string, JobTransition[]>();
  const said = new Map<string, StoredFeedback[]>();

  const byKey = (key: string | null) => (key === null ? undefined : jobs.get(keys.get(key) ?? ''));

  return {
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
        .sort((a, b) => b.builtAt - a.builtAt || (a.jobId < b.jobId ? 1 : -1))
        .filter((job) => from === null || isAfter(job, from));
      return jobPage(wanted, limit);
    },
    async update({ job, transition, feedback }: JobUpdate) {
      const current = jobs.get(job.jobId);
      if (current === undefined || current.revision !== job.revision - 1 || isFinal(current.state))
        return false;
      const feedbacks = said.get(job.jobId) ?? [];
      if (feedback && feedbacks.some(({ eventId }) => eventId === feedback.eventId)) return false;
      jobs.set(job.jobId, job);
      if (feedback) said.set(job.jobId, [...feedbacks, feedback]);
      if (transition) {
        const before = steps.get(job.jobId) ?? [];
        steps.set(job.jobId, [...before, { ...transition, sequence: before.length + 1 }]);
      }
      return true;
    },
    async transitions(jobId) {
      return steps.get(jobId) ?? [];
    },
    async feedback(jobId) {
      return said.get(jobId) ?? [];
    },
  };
}

/** Creates a provider store in memory, for tests, and for work that may be repeated after a restart. */
export function createMemoryProviderStore(): ProviderStore {
  const requests = new Map<string, ProvidedJob>();
  const watermarks = new Map<string, number>();

  return {
    async take(job) {
      if (requests.has(job.requestId)) return false;
      requests.set(job.requestId, job);
      return true;
    },
    async getProvided(requestId) {
      return requests.get(requestId) ?? null;
    },
    async listUnfinished() {
      return [...requests.values()]
        .filter((job) => job.publishedAt === null && job.droppedAt === null)
        .sort((a, b) => a.receivedAt - b.receivedAt || (a.requestId < b.requestId ? -1 : 1));
    },
    async begin(requestId) {
      const job = requests.get(requestId);
      if (job === undefined) throw new JobError('JOB_NOT_FOUND', `Request ${requestId} was never taken.`);
      requests.set(requestId, { ...job, attempts: job.attempts + 1 });
      return job.attempts + 1;
    },
    async charge(requestId, charge) {
      const job = requests.get(requestId);
      if (job === undefined) return null;
      requests.set(requestId, { ...job, charge: job.charge ?? charge });
      return job.charge ?? charge;
    },
    async paid(requestId, paidAt) {
      const job = requests.get(requestId);
      if (job && job.paidAt === null) requests.set(requestId, { ...job, paidAt });
    },
    async answer(requestId, answer, answeredAt) {
      const job = requests.get(requestId);
      if (job === undefined || job.droppedAt !== null) return null;
      if (job.answer !== null) return job.answer;
      requests.set(requestId, { ...job, answer, answeredAt });
      return answer;
    },
    async published(requestId, publishedAt) {
      const job = requests.get(requestId);
      if (job?.answer == null)
        throw new JobError('JOB_NOT_FOUND', `Request ${requestId} has no answer to publish.`);
      if (job.publishedAt === null) requests.set(requestId, { ...job, publishedAt });
    },
    async drop(requestId, droppedAt) {
      const job = requests.get(requestId);
      if (job && job.answer === null && job.droppedAt === null)
        requests.set(requestId, { ...job, droppedAt });
    },
    async watermark(source) {
      return watermarks.get(source) ?? null;
    },
    async setWatermark(source, seconds) {
      watermarks.set(source, Math.max(seconds, watermarks.get(source) ?? 0));
    },
  };
}
