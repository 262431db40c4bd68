import type { Logger } from '@bonafide/internal';
import { isFinal } from '../job.ts';
import type { Timers } from '../timers.ts';
import type { ActiveJob } from './active-job.ts';

/** Maximum number of jobs that one round reads; further ones follow in the next round. */
const maxPerRound = 200;

/** Reads jobs that other processes drive, so that their handles learn of every change. */
export interface JobWatcher {
  add(job: ActiveJob): void;
  remove(jobId: string): void;
  close(): void;
}

/** `onRead` is called after each read, to take over a job without a live holder. */
export function createJobWatcher(options: {
  readonly intervalMs: number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly onRead: (job: ActiveJob) => void;
}): JobWatcher {
  const { intervalMs, timers, logger, onRead } = options;
  const watched = new Map<string, ActiveJob>();
  let cancel: (() => void) | null = null;
  let closed = false;

  const read = async (job: ActiveJob) => {
    try {
      await job.refresh();
      if (!isFinal(job.job.state)) onRead(job);
    } catch (error) {
      logger.warn({ err: error, jobId: job.job.jobId }, 'Job not read: the store failed');
    }
  };

  const round = async () => {
    const due = [...watched.entries()].slice(0, maxPerRound);
    // Moved to the end, so that every job is read.
    for (const [jobId, job] of due) {
      watched.delete(jobId);
      watched.set(jobId, job);
    }
    for (const [, job] of due) await read(job);
    cancel = null;
    schedule();
  };

  const schedule = () => {
    if (closed || watched.size === 0) return;
    cancel ??= timers.after(intervalMs, () => void round());
  };

  return {
    add(job) {
      watched.set(job.job.jobId, job);
      schedule();
    },
    remove: (jobId) => void watched.delete(jobId),
    close() {
      closed = true;
      cancel?.();
      watched.clear();
    },
  };
}
