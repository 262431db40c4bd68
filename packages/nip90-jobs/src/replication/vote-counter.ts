import { isBonafideError } from '@bonafide/internal';
import type { JobResult } from '../outcome.ts';
import type { Vote } from './consensus.ts';
import type { Asked } from './replica-set.ts';

/** Outcomes of the requested replicas, in order of arrival. */
export interface VoteCounter {
  readonly votes: readonly Vote[];
  /** The result of each vote, by provider. */
  readonly results: ReadonlyMap<string, JobResult>;
  /** Providers without a valid answer, with the reason. */
  readonly failed: readonly { readonly provider: string; readonly error: Error }[];
  /** Providers whose jobs were cancelled. */
  readonly cancelled: readonly string[];
  /** Waits for one answer and counts it. Rejects with `CLOSED` when the client closes first. */
  count(asked: Asked): Promise<void>;
}

/** Decides whether an answer is valid. */
export type Acceptance = (result: JobResult) => Promise<boolean> | boolean;

export function createVoteCounter(isAcceptable: Acceptance = () => true): VoteCounter {
  const votes: Vote[] = [];
  const results = new Map<string, JobResult>();
  const failed: { provider: string; error: Error }[] = [];
  const cancelled: string[] = [];

  const objection = async (result: JobResult): Promise<Error | null> => {
    // A part is no answer to agree with.
    if (result.status === 'partial') return new Error('Only a part was done.');
    try {
      return (await isAcceptable(result)) ? null : new Error('The answer was not accepted.');
    } catch (error) {
      return new Error('Whether the answer is acceptable could not be decided.', { cause: error });
    }
  };

  return {
    votes,
    results,
    failed,
    cancelled,
    async count({ provider, job }) {
      try {
        const result = await job.result;
        const error = await objection(result);
        if (error) failed.push({ provider, error });
        else {
          results.set(provider, result);
          votes.push({ provider, content: result.content });
        }
      } catch (error) {
        const code = isBonafideError(error) ? error.code : null;
        // The job is still open: the process that continues it will know.
        if (code === 'CLOSED') throw error;
        if (code === 'JOB_CANCELLED') cancelled.push(provider);
        else failed.push({ provider, error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
  };
}
