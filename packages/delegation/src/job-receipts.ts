import { hasMethods, isBonafideError, type Logger, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { clockSchema, loggerSchema, parseConfig } from './host-options.ts';
import type { FinishedWork, Jobs, ReceiptJudgment, Receipts } from './ports.ts';

/** Options of {@link createJobReceipts}. */
export interface JobReceiptsOptions {
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  readonly logger?: Logger;
  /** Time for which a receipt that no relay accepts is sent again, ms. @default 60000 */
  readonly retryMs?: number;
}

const jobsSchema = z.custom<Pick<Jobs, 'sendReceipt'>>(
  hasMethods('sendReceipt'),
  'Receipts need jobs with `sendReceipt`, such as createJobClient(…) of @bonafide/nip90-jobs',
);
const optionsSchema = z.strictObject({
  clock: clockSchema,
  logger: loggerSchema,
  retryMs: z.number().min(0).default(60_000),
});

/** Codes of receipts that cannot be sent, however often it is tried. */
const impossible: ReadonlySet<string> = new Set(['INVALID_CONFIG', 'INVALID_INPUT', 'JOB_NOT_FOUND']);
/** Codes that say nothing about the receipt: it is sent when the process is back. */
const interruptions: ReadonlySet<string> = new Set(['ABORTED', 'CLOSED', 'NOT_STARTED']);

/**
 * Creates receipts over a job client: each answer that was checked brings its platform the signed outcome, trials included. A receipt that
 * no relay accepts within `retryMs` is logged and left out, so that no order waits for it.
 *
 * @throws DelegationError `INVALID_CONFIG` for jobs without `sendReceipt`
 */
export function createJobReceipts(
  jobs: Pick<Jobs, 'sendReceipt'>,
  options: JobReceiptsOptions = {},
): Receipts {
  parseConfig(jobsSchema, jobs, 'jobs');
  const { clock = Date.now, logger = silentLogger, retryMs } = parseConfig(optionsSchema, options, 'options');
  /** Time of the first failure by the key of the work, ms since epoch. */
  const failing = new Map<string, number>();

  const sendOnce = async ({ jobId, ...work }: FinishedWork): Promise<void> => {
    const sent = await jobs.sendReceipt?.(jobId, { outcome: receiptOutcome(work) });
    if (sent?.deliveredTo.length === 0) throw new Error(`No relay accepted the receipt for job ${jobId}.`);
  };

  return {
    async send(work) {
      const { key, jobId } = work;
      try {
        await sendOnce(work);
      } catch (error) {
        const code = isBonafideError(error) ? error.code : '';
        if (interruptions.has(code)) throw error;
        const since = failing.get(key) ?? clock();
        if (!impossible.has(code) && clock() < since + retryMs) {
          failing.set(key, since);
          throw error;
        }
        logger.warn({ err: error, jobId }, 'Receipt not sent');
      }
      failing.delete(key);
    },
  };
}

/** Returns the outcome of an answered job, as a receipt states it. */
function receiptOutcome({
  outcome,
  verifiedBy,
}: Pick<FinishedWork, 'outcome' | 'verifiedBy'>): ReceiptJudgment['outcome'] {
  switch (outcome) {
    case 'SUCCESS':
      return 'success';
    case 'PARTIAL':
      return 'partial';
    case 'SECURITY_VIOLATION':
      return 'violation';
    default:
      // An answer that came after the end of its job was not checked.
      return verifiedBy === null ? 'timeout' : 'failure';
  }
}
