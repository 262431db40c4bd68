import type { Job } from '../job.ts';
import type { AnswerInbox } from './answer-inbox.ts';
import type { ClientEnvironment } from './client-context.ts';

/** Queries the relays for missed answers to a job. Returns false when none was read. Logs failures. */
export type RecoverAnswers = (job: Job) => Promise<boolean>;

/** Creates a function that queries at most as long as a result may take. `lifetime` aborts when the client closes. */
export function createAnswerRecovery(
  { timers, logger, config }: Pick<ClientEnvironment, 'timers' | 'logger' | 'config'>,
  inbox: Pick<AnswerInbox, 'recover'>,
  lifetime: AbortSignal,
): RecoverAnswers {
  return async (job) => {
    let cancel = () => {};
    const limit = new Promise<false>((resolve) => {
      cancel = timers.after(config.resultTimeoutMs, () => resolve(false));
    });
    try {
      return await Promise.race([inbox.recover([job], lifetime), limit]);
    } catch (error) {
      logger.warn({ err: error, jobId: job.jobId }, 'Relays not queried for answers');
      return false;
    } finally {
      cancel();
    }
  };
}
