import { decodeCursor, encodeCursor, type Page, pageOf } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import type { Job } from '../job.ts';
import type { ProvidedJob } from '../provider/provider-store.ts';

/** The position of a job in a list that is ordered by `builtAt` and `jobId`, newest first. */
export interface JobPosition {
  readonly builtAt: number;
  readonly jobId: string;
}

/** Returns the page size, 1–500, or throws `INVALID_INPUT`. */
export function pageSize(limit = 100): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw new JobError('INVALID_INPUT', `A page holds 1 to 500 jobs, not ${limit}.`);
  }
  return limit;
}

/** Creates a page from up to `limit + 1` jobs. */
export function jobPage(jobs: readonly Job[], limit: number): Page<Job> {
  return pageOf(jobs, limit, ({ builtAt, jobId }) => encodeCursor('jobs', [builtAt, jobId]));
}

/** Decodes a cursor; returns null for the first page and throws `INVALID_INPUT` for a cursor of another list. */
export function readCursor(cursor: string | undefined): JobPosition | null {
  if (cursor === undefined) return null;
  const position = decodeCursor('jobs', cursor, ['integer', 'string']);
  if (position === null)
    throw new JobError(
      'INVALID_INPUT',
      'The cursor does not belong to a list of jobs. Pass `nextCursor` unchanged.',
    );
  return { builtAt: position[0], jobId: position[1] };
}

/** Returns true when `job` follows `position` in the list. */
export function isAfter(job: Job, position: JobPosition): boolean {
  return job.builtAt < position.builtAt || (job.builtAt === position.builtAt && job.jobId < position.jobId);
}

/** Creates the cursor that continues after a provided job. */
export function providedCursor({ receivedAt, requestId }: ProvidedJob): string {
  return encodeCursor('provided', [receivedAt, requestId]);
}

/** Decodes a cursor of {@link providedCursor}; null for the first page. Throws `INVALID_INPUT` for another list's. */
export function readProvidedCursor(cursor: string | undefined): readonly [number, string] | null {
  if (cursor === undefined) return null;
  const position = decodeCursor('provided', cursor, ['integer', 'string']);
  if (position === null)
    throw new JobError(
      'INVALID_INPUT',
      'The cursor does not belong to a list of requests. Pass `nextCursor` unchanged.',
    );
  return position;
}
