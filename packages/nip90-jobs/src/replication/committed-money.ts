import type { JobClient } from '../client/client.ts';
import { isFinal } from '../job.ts';
import type { Asked } from './panel.ts';

/**
 * What those who were asked may still cost or have cost, in millisatoshi: an open job its bid, a job that is over what was
 * paid for it, and what is in flight, since nobody knows yet.
 */
export async function committedMsat(
  client: Pick<JobClient, 'payment'>,
  asked: readonly Asked[],
  bidMsat: number,
): Promise<number> {
  let sum = 0;
  for (const { job } of asked) {
    if (!isFinal(job.state)) {
      sum += bidMsat;
      continue;
    }
    const payment = await client.payment(job.jobId);
    if (payment !== null && payment.status !== 'failed') sum += payment.amountMsat + payment.feesMsat;
  }
  return sum;
}
