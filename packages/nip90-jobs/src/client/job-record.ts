import type { Logger } from '@bonafide/internal';
import type { JobFeedback } from '../codec/index.ts';
import { isFinal, type Job } from '../job.ts';
import type { JobStore } from '../store.ts';
import { pause, type Timers } from '../timers.ts';
import { advance, type JobEvent } from '../transition.ts';
import type { JobNotifications } from './client-context.ts';

/** One stored job with serialized writes: each change is stored before it is reported. */
export interface JobRecord {
  /** The latest known version. */
  readonly job: Job;
  /** Returns a signal that aborts when the job ends or the client closes. Most jobs never need one. */
  stopSignal(): AbortSignal;
  /**
   * Stores an event. When another process has written the job meanwhile, the event is applied to the newer version.
   * Returns false when it changed nothing.
   */
  apply(event: JobEvent, feedback?: JobFeedback): Promise<boolean>;
  /** Stores an event that no relay will repeat: retries while the store fails. Returns as {@link JobRecord.apply}. */
  insist(event: JobEvent): Promise<boolean>;
  /** Reads the job again, and reports what other processes have stored. */
  refresh(): Promise<void>;
  /** Runs work in the background and logs its failure as `message`. */
  background(work: Promise<unknown>, message: string): void;
  /** Aborts {@link JobRecord.stopSignal}. */
  end(): void;
  /** Resolves when no write is pending. */
  idle(): Promise<unknown>;
}

/** Delay before a retry when the store fails, in ms. */
const storeRetryMs = 5_000;

/** Callbacks of a record. */
export interface JobRecordListeners {
  /** Called with each new version, before anything is reported. */
  onVersion(job: Job): void;
  /** Called after each stored change of this process. */
  onChange(feedback: JobFeedback | null): void;
  /** Called with a version that another process has stored. */
  onForeign(job: Job): void;
  /** Called once when the job has ended. */
  onEnd(): void;
}

/** Services of a client that a record uses. */
export interface JobRecordServices {
  readonly store: JobStore;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly notify: JobNotifications;
}

export const createJobRecord = (
  services: JobRecordServices,
  stored: Job,
  on: JobRecordListeners,
): JobRecord => new StoredJobRecord(services, stored, on);

/** A class with plain properties: closures and accessors would take a kilobyte more for each of thousands of jobs. */
class StoredJobRecord implements JobRecord {
  job: Job;
  readonly #services: JobRecordServices;
  readonly #on: JobRecordListeners;
  #stopped = false;
  #controller: AbortController | null = null;
  #ended: boolean;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(services: JobRecordServices, stored: Job, on: JobRecordListeners) {
    this.#services = services;
    this.job = stored;
    this.#on = on;
    this.#ended = isFinal(stored.state);
  }

  apply(event: JobEvent, feedback: JobFeedback | null = null): Promise<boolean> {
    return this.#serialize(() => this.#write(event, feedback));
  }

  async insist(event: JobEvent): Promise<boolean> {
    const { timers, logger } = this.#services;
    for (;;) {
      try {
        return await this.apply(event);
      } catch (error) {
        const { jobId } = this.job;
        logger.error({ err: error, jobId, type: event.type }, 'Job not stored: the store failed');
        if (!(await pause(timers, storeRetryMs, this.stopSignal()))) return false;
      }
    }
  }

  refresh(): Promise<void> {
    return this.#serialize(async () => {
      const fresh = await this.#services.store.get(this.job.jobId);
      if (fresh !== null && fresh.revision !== this.job.revision) this.#adopt(fresh);
    });
  }

  background(work: Promise<unknown>, message: string): void {
    work.catch((error) => {
      if (!this.#stopped) this.#services.logger.error({ err: error, jobId: this.job.jobId }, message);
    });
  }

  stopSignal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#stopped) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  end(): void {
    this.#stopped = true;
    this.#controller?.abort();
  }

  idle(): Promise<unknown> {
    return this.#writing;
  }

  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }

  async #write(event: JobEvent, feedback: JobFeedback | null): Promise<boolean> {
    const { store, notify } = this.#services;
    for (;;) {
      const { job } = this;
      const step = advance(job, event);
      if (step.job === job) return false;
      const written = await store.update({
        job: step.job,
        transition: step.transition,
        feedback: feedback && {
          jobId: job.jobId,
          eventId: feedback.id,
          receivedAt: event.at,
          event: feedback.event,
        },
      });
      if (written) {
        this.#setVersion(step.job);
        if (feedback) notify.feedback(step.job, feedback);
        if (step.transition) notify.transition(step.job, step.transition);
        this.#on.onChange(feedback);
        this.#reportEnd();
        return true;
      }
      const fresh = await store.get(job.jobId);
      // The feedback is stored already, or the job was pruned.
      if (fresh === null || fresh.revision === job.revision) return false;
      this.#adopt(fresh);
    }
  }

  /** Takes over a version that another process has stored. */
  #adopt(fresh: Job): void {
    this.#setVersion(fresh);
    this.#on.onForeign(fresh);
    this.#reportEnd();
  }

  #setVersion(job: Job): void {
    this.job = job;
    this.#on.onVersion(job);
  }

  #reportEnd(): void {
    if (this.#ended || !isFinal(this.job.state)) return;
    this.#ended = true;
    this.#on.onEnd();
  }
}
