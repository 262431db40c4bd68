import { JobError } from '../errors.ts';
import type { Job } from '../job.ts';

/** Where a page begins: after this job, newest first. */
export interface PageStart {
  readonly builtAt: number;
  readonly jobId: string;
}

/** The number of items on a page, 1–500. */
export function pageSize(limit = 100): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw new JobError('INVALID_OPTIONS', `A page holds 1 to 500 jobs, not ${limit}.`);
  }
  return limit;
}

/** The cursor that continues after `job`. */
export function cursorOf(job: Job | undefined): string | null {
  return job === undefined ? null : `${job.builtAt}.${job.jobId}`;
}

/** Reads a cursor; null for the first page. */
export function readCursor(cursor: string | undefined): PageStart | null {
  if (cursor === undefined) return null;
  const match = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(cursor);
  if (!match)
    throw new JobError(
      'INVALID_OPTIONS',
      'This is no cursor of a list of jobs. Pass nextCursor as it was given.',
    );
  return { builtAt: Number(match[1]), jobId: match[2] ?? '' };
}

/** True when `job` comes after `start`. */
export function isAfter(job: Job, start: PageStart): boolean {
  return job.builtAt < start.builtAt || (job.builtAt === start.builtAt && job.jobId < start.jobId);
}
