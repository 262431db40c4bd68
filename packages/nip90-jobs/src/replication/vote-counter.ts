import { isBonafideError } from '@bonafide/internal';
import type { JobResult } from '../outcome.ts';
import type { Vote } from './consensus.ts';
import type { Asked } from './replica-set.ts';

/** What became of those who were asked, in the order in which it was known. */
export interface VoteCounter {
  readonly votes: readonly Vote[];
  /** The result behind each vote, by provider. */
  readonly results: ReadonlyMap<string, JobResult>;
  /** Those who gave no answer that counts, and why. */
  readonly failed: readonly { readonly provider: string; readonly error: Error }[];
  /** Those who were told to stop. */
  readonly cancelled: readonly string[];
  /** Waits for one answer and counts it. Rejects with `CLOSED` when the client is closed before. */
  count(asked: Asked): Promise<void>;
}

/** Decides whether an answer counts. */
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
        // The job is still open: whoever goes on with it will know.
        if (code === 'CLOSED') throw error;
        if (code === 'JOB_CANCELLED') cancelled.push(provider);
        else failed.push({ provider, error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
  };
}
