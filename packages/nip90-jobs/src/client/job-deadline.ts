import { isFinal } from '../job.ts';
import { type Deadline, deadline } from '../timings.ts';
import type { ClientContext } from './client-context.ts';
import type { JobRecord } from './job-record.ts';
import { timeoutMessages } from './timeout-messages.ts';

/** Waits for a job's end until its time is up (JOB-8). */
export interface JobDeadline {
  /** Sets the clock anew, after each change of the job. */
  reset(): void;
  end(): void;
}

/**
 * `resumed`: the job was begun by an earlier process, and what its provider said meanwhile gets time to arrive.
 * `recoverAnswers` asks the relays for answers before the provider is blamed. `beforeTimeout` may end the job in another way.
 */
export function createJobDeadline(
  context: ClientContext,
  record: JobRecord,
  options: {
    readonly resumed: boolean;
    readonly recoverAnswers: () => Promise<void>;
    readonly beforeTimeout: () => Promise<boolean>;
  },
): JobDeadline {
  const { clock, timers, config } = context;
  const { resumed, recoverAnswers, beforeTimeout } = options;
  const patientUntil = resumed ? clock() + config.resultTimeoutMs : 0;
  let cancel = () => {};

  const next = (): Deadline | null => {
    const due = deadline(record.job, config);
    return due && { ...due, at: Math.max(due.at, patientUntil) };
  };

  const expired = (): Deadline | null => {
    const due = next();
    return due !== null && due.at <= clock() ? due : null;
  };

  const reset = () => {
    cancel();
    const due = next();
    if (due === null || record.stop.aborted) return;
    cancel = timers.after(Math.max(0, due.at - clock()), () =>
      record.background(expire(), 'A deadline could not be handled'),
    );
  };

  const expire = async () => {
    // What was published but never arrived is asked for first.
    if (expired()) await recoverAnswers();
    if (isFinal(record.job.state) || record.stop.aborted) return;
    const due = expired();
    if (due === null) return reset();
    if (await beforeTimeout()) return;
    const { timeoutClass } = due;
    await record.insist({
      type: 'timeout',
      at: clock(),
      timeoutClass,
      message: timeoutMessages[timeoutClass],
    });
  };

  return { reset, end: () => cancel() };
}
