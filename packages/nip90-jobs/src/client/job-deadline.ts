import { isFinal, type Job } from '../job.ts';
import { type Deadline, deadline, TIMEOUT_MESSAGES, UNREAD_MESSAGE } from '../timings.ts';
import type { ClientEnvironment } from './client-context.ts';
import type { JobRecord } from './job-record.ts';

/** Ends a job when its time limit has passed. */
export interface JobDeadline {
  /** Restarts the timer after a change of the job. */
  reset(): void;
  end(): void;
}

/** Steps before a job times out. */
export interface DeadlineSteps {
  /** Queries the relays for missed answers. Returns false when none was read. */
  recoverAnswers(job: Job): Promise<boolean>;
  /** May end the job differently, and then returns true. */
  beforeTimeout(): Promise<boolean>;
}

/** The time limit depends on the stored job only, so that resuming never extends it. */
export const createJobDeadline = (
  environment: ClientEnvironment,
  record: JobRecord,
  steps: DeadlineSteps,
): JobDeadline => new StoredDeadline(environment, record, steps);

class StoredDeadline implements JobDeadline {
  readonly #environment: ClientEnvironment;
  readonly #record: JobRecord;
  readonly #steps: DeadlineSteps;
  #ended = false;
  #cancel: (() => void) | null = null;

  constructor(environment: ClientEnvironment, record: JobRecord, steps: DeadlineSteps) {
    this.#environment = environment;
    this.#record = record;
    this.#steps = steps;
  }

  reset(): void {
    this.#cancel?.();
    const { clock, timers, config } = this.#environment;
    const due = deadline(this.#record.job, config);
    if (due === null || this.#ended) return;
    this.#cancel = timers.after(Math.max(0, due.at - clock()), () =>
      this.#record.background(this.#expire(), 'Time limit of a job not handled'),
    );
  }

  end(): void {
    this.#ended = true;
    this.#cancel?.();
  }

  #expired(): Deadline | null {
    const { clock, config } = this.#environment;
    const due = deadline(this.#record.job, config);
    return due !== null && due.at <= clock() ? due : null;
  }

  async #expire(): Promise<void> {
    // An answer that was published and missed is found here.
    const isRead = this.#expired() === null || (await this.#steps.recoverAnswers(this.#record.job));
    if (isFinal(this.#record.job.state) || this.#ended) return;
    const due = this.#expired();
    if (due === null) return this.reset();
    if (await this.#steps.beforeTimeout()) return;
    // A provider is not silent because its answer could not be read.
    const isUnread = due.timeoutClass === 'silence' && !isRead;
    const timeoutClass = isUnread ? 'delivery' : due.timeoutClass;
    const message = isUnread ? UNREAD_MESSAGE : TIMEOUT_MESSAGES[timeoutClass];
    await this.#record.insist({ type: 'timeout', at: this.#environment.clock(), timeoutClass, message });
  }
}
