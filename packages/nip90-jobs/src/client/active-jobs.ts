import type { Job } from '../job.ts';
import type { ActiveJob } from './active-job.ts';
import type { OpenJobs } from './correlate.ts';

/** Most open jobs of one provider among which an answer that names no request is looked for. */
const maxCandidates = 200;

/** The open jobs of a running client, by their ids and by whose they are. */
export interface ActiveJobs extends Iterable<ActiveJob> {
  get(jobId: string): ActiveJob | undefined;
  add(job: ActiveJob): void;
  remove(jobId: string): void;
  clear(): void;
  /** For finding the job that an event answers. */
  readonly open: OpenJobs;
}

export function createActiveJobs(): ActiveJobs {
  const followed = new Map<string, ActiveJob>();
  const byProvider = new Map<string, Set<string>>();

  /** Those of a provider, unless they are too many to tell one from the other anyhow. */
  const of = (provider: string): Job[] => {
    const ids = byProvider.get(provider);
    if (ids === undefined || ids.size > maxCandidates) return [];
    return [...ids].flatMap((jobId) => followed.get(jobId)?.job ?? []);
  };

  return {
    get: (jobId) => followed.get(jobId),
    add(one) {
      const { jobId, provider } = one.job;
      followed.set(jobId, one);
      if (provider === null) return;
      const others = byProvider.get(provider);
      if (others) others.add(jobId);
      else byProvider.set(provider, new Set([jobId]));
    },
    remove(jobId) {
      const provider = followed.get(jobId)?.job.provider;
      followed.delete(jobId);
      const others = provider == null ? undefined : byProvider.get(provider);
      if (provider != null && others?.delete(jobId) && others.size === 0) byProvider.delete(provider);
    },
    clear() {
      followed.clear();
      byProvider.clear();
    },
    [Symbol.iterator]: () => [...followed.values()].values(),
    open: { get: (jobId) => followed.get(jobId)?.job, of },
  };
}
