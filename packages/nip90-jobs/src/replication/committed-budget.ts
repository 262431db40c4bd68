import type { JobClient } from '../client/job-client.ts';
import { isFinal } from '../job.ts';
import type { Asked } from './replica-set.ts';

/**
 * Computes the committed budget in millisatoshi. `spent`: paid, or in flight. `held`: the bids of open jobs.
 */
export async function committedBudget(
  client: Pick<JobClient, 'payment'>,
  asked: readonly Asked[],
  bidMsat: number,
): Promise<{ readonly spent: number; readonly held: number }> {
  let spent = 0;
  let held = 0;
  for (const { job } of asked) {
    if (!isFinal(job.state)) held += bidMsat;
    else {
      const payment = await client.payment(job.jobId);
      if (payment !== null && payment.status !== 'failed-after-lookup')
        spent += payment.amountMsat + payment.feesMsat;
    }
  }
  return { spent, held };
}
