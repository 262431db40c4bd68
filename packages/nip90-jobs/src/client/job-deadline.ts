import { isFinal } from '../job.ts';
import { type Deadline, deadline, TIMEOUT_MESSAGES, UNREAD_MESSAGE } from '../timings.ts';
import type { ClientEnvironment } from './client-context.ts';
import type { JobRecord } from './job-record.ts';

/** Ends a job when its time limit has passed. */
export interface JobDeadline {
  /** Restarts the timer after a change of the job. */
  reset(): void;
  end(): void;
}

/**
 * The time limit depends on the stored job only, so that resuming never extends it. `recoverAnswers` queries the relays
 * before the job times out. `beforeTimeout` may end the job differently, and then returns true.
 */
export function createJobDeadline(
  environment: ClientEnvironment,
  record: JobRecord,
  options: {
    readonly signal: AbortSignal;
    readonly recoverAnswers: () => Promise<boolean>;
    readonly beforeTimeout: () => Promise<boolean>;
  },
): JobDeadline {
  const { clock, timers, config } = environment;
  const { signal, recoverAnswers, beforeTimeout } = options;
  let cancel = () => {};

  const expired = (): Deadline | null => {
    const due = deadline(record.job, config);
    return due !== null && due.at <= clock() ? due : null;
  };

  const reset = () => {
    cancel();
    const due = deadline(record.job, config);
    if (due === null || signal.aborted) return;
    cancel = timers.after(Math.max(0, due.at - clock()), () =>
      record.background(expire(), 'Time limit of a job not handled'),
    );
  };

  const expire = async () => {
    // An answer that was published and missed is found here.
    const isRead = expired() === null || (await recoverAnswers());
    if (isFinal(record.job.state) || signal.aborted) return;
    const due = expired();
    if (due === null) return reset();
    if (await beforeTimeout()) return;
    // A provider is not silent because its answer could not be read.
    const isUnread = due.timeoutClass === 'silence' && !isRead;
    const timeoutClass = isUnread ? 'delivery' : due.timeoutClass;
    const message = isUnread ? UNREAD_MESSAGE : TIMEOUT_MESSAGES[timeoutClass];
    await record.insist({ type: 'timeout', at: clock(), timeoutClass, message });
  };

  return { reset, end: () => cancel() };
}
