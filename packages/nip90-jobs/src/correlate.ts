import type { NostrEvent } from '@bonafide/nostr-transport';
import {
  type JobFeedback,
  type ParsedResult,
  parseFeedback,
  parseJobResult,
  resultKindOf,
} from './codec/index.ts';
import type { Job } from './job.ts';

/** What {@link correlate} makes of an event that arrived. */
export type Correlation =
  | { readonly match: 'result'; readonly job: Job; readonly result: ParsedResult }
  | { readonly match: 'feedback'; readonly job: Job; readonly feedback: JobFeedback }
  | { readonly match: 'none'; readonly reason: NoMatch; readonly job: Job | null };

/**
 * Why an event belongs to no job. `malformed`: it is neither result nor feedback in any known form. `uncorrelated`: it
 * names none of our jobs. `third-party`: it answers for a provider that did not sign it. `wrong-kind`: the addressed
 * provider answered in a kind other than the request's + 1000 (JOB-1). `encrypted`: it answers an open request in secret.
 */
export type NoMatch = 'malformed' | 'uncorrelated' | 'third-party' | 'wrong-kind' | 'encrypted';

/**
 * Finds the job that an event answers (JOB-9): the one that its `e` tag names, if the addressed provider signed it, or
 * anybody when the job addresses nobody. `jobs` are the open ones, by id. Pure.
 */
export function correlate(event: NostrEvent, jobs: { get(jobId: string): Job | undefined }): Correlation {
  const result = parseJobResult(event);
  const feedback = result.ok ? null : parseFeedback(event);
  const answer = result.ok ? result.result : feedback?.ok ? feedback.feedback : null;
  if (answer === null) return { match: 'none', reason: 'malformed', job: null };

  const job = answer.requestId === null ? undefined : jobs.get(answer.requestId);
  if (job === undefined) return { match: 'none', reason: 'uncorrelated', job: null };
  if (job.provider !== null && job.provider !== answer.provider) {
    return { match: 'none', reason: 'third-party', job };
  }
  if (answer.encryption !== null) return { match: 'none', reason: 'encrypted', job };
  if (feedback?.ok) return { match: 'feedback', job, feedback: feedback.feedback };
  if (result.ok && event.kind === resultKindOf(job.kind))
    return { match: 'result', job, result: result.result };
  return { match: 'none', reason: 'wrong-kind', job };
}
