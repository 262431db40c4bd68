import type { NostrEvent } from '@bonafide/nostr-transport';
import {
  isEncryptedRequest,
  type JobFeedback,
  type JobInput,
  type ParsedResult,
  parseFeedback,
  parseJobRequest,
  parseJobResult,
  resultKindOf,
} from '../codec/index.ts';
import type { Job, MatchedBy } from '../job.ts';

/** Result of {@link correlate}. */
export type Correlation =
  | {
      readonly match: 'result';
      readonly job: Job;
      readonly matchedBy: MatchedBy;
      readonly result: ParsedResult;
    }
  | {
      readonly match: 'feedback';
      readonly job: Job;
      readonly matchedBy: MatchedBy;
      readonly feedback: JobFeedback;
    }
  | { readonly match: 'none'; readonly reason: NoMatch; readonly job: Job | null };

/**
 * Reason why an event matches no job. `malformed`: neither result nor feedback in a known form.
 * `uncorrelated`: answers none of our jobs. `third-party`: not signed by the addressed provider.
 * `wrong-kind`: the addressed provider answered in a kind other than the request's + 1000. `encrypted`: an
 * encrypted answer to a plain request. `plaintext`: a plain answer to an encrypted request.
 */
export type NoMatch = 'malformed' | 'uncorrelated' | 'third-party' | 'wrong-kind' | 'encrypted' | 'plaintext';

/** The open jobs. */
export interface OpenJobs {
  get(jobId: string): Job | undefined;
  /** Those addressed to a provider; may be left out, then only answers that name the request are matched. */
  of?(provider: string): Iterable<Job>;
}

/** An answer may be dated this many ms before its job, by the clocks of two machines. */
const clockSlackMs = 5_000;

type Answer =
  | { readonly type: 'result'; readonly said: ParsedResult }
  | { readonly type: 'feedback'; readonly said: JobFeedback };

/**
 * Matches an event to a job, and reports how. The request id in the `e` tag decides if there is one; else the
 * repeated request or inputs; else the provider, the kind and the customer, when they leave one job that was
 * open at that time. Only the addressed provider's signature counts; for an open job every signature does, and
 * while the provider that was chosen for it is being paid, further offers do. Pure.
 */
export function correlate(
  event: NostrEvent,
  jobs: OpenJobs,
  options: { readonly allowPlaintext?: boolean } = {},
): Correlation {
  const answer = read(event);
  if (answer === null) return { match: 'none', reason: 'malformed', job: null };
  const found = find(answer, jobs);
  if (found === null) return { match: 'none', reason: 'uncorrelated', job: null };

  const { job, matchedBy } = found;
  const { said } = answer;
  if (job.provider !== null && job.provider !== said.provider && !isOffer(answer, job))
    return { match: 'none', reason: 'third-party', job };
  const secret = isEncryptedRequest(job.request);
  if (said.encryption !== null && !secret) return { match: 'none', reason: 'encrypted', job };
  if (answer.type === 'result' && event.kind !== resultKindOf(job.kind))
    return { match: 'none', reason: 'wrong-kind', job };
  // Feedback without content gives nothing away.
  const isOpen = said.encryption === null && (answer.type === 'result' || said.content !== '');
  if (secret && isOpen && !options.allowPlaintext) return { match: 'none', reason: 'plaintext', job };
  return answer.type === 'result'
    ? { match: 'result', job, matchedBy, result: answer.said }
    : { match: 'feedback', job, matchedBy, feedback: answer.said };
}

/** Returns true for an offer to an open job that is not paid yet. */
function isOffer({ type, said }: Answer, job: Job): boolean {
  if (type !== 'feedback' || said.status !== 'payment-required' || job.paidAt !== null) return false;
  const parsed = parseJobRequest(job.request);
  return parsed.ok && parsed.request.providers.length === 0;
}

function read(event: NostrEvent): Answer | null {
  const result = parseJobResult(event);
  if (result.ok) return { type: 'result', said: result.result };
  const feedback = parseFeedback(event);
  return feedback.ok ? { type: 'feedback', said: feedback.feedback } : null;
}

function find(answer: Answer, jobs: OpenJobs): { readonly job: Job; readonly matchedBy: MatchedBy } | null {
  const { said } = answer;
  if (said.requestId !== null) {
    const job = jobs.get(said.requestId);
    return job ? { job, matchedBy: 'request-id' } : null;
  }
  if (answer.type === 'result' && answer.said.repeatedRequestId !== null) {
    const job = jobs.get(answer.said.repeatedRequestId);
    return job ? { job, matchedBy: 'content' } : null;
  }
  const candidates = [...(jobs.of?.(said.provider) ?? [])].filter(
    (job) =>
      job.builtAt <= said.createdAt + clockSlackMs &&
      (answer.type === 'feedback' || answer.said.kind === resultKindOf(job.kind)),
  );
  if (answer.type === 'result' && answer.said.inputs.length > 0) {
    const inputs = answer.said.inputs;
    const job = only(candidates.filter((candidate) => sameInputs(inputs, inputsOf(candidate))));
    return job && { job, matchedBy: 'content' };
  }
  const job = only(candidates.filter(({ request }) => request.pubkey === said.customer));
  return job && { job, matchedBy: 'window' };
}

function only<Item>(items: readonly Item[]): Item | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

function inputsOf(job: Job): readonly JobInput[] {
  const parsed = parseJobRequest(job.request);
  return parsed.ok ? parsed.request.inputs : [];
}

function sameInputs(a: readonly JobInput[], b: readonly JobInput[]): boolean {
  return a.length === b.length && a.every((input, at) => input.data === b[at]?.data);
}
