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
  /** Aborts when the job ends or the client closes. */
  readonly stop: AbortSignal;
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
  /** Aborts {@link JobRecord.stop}. */
  end(): void;
  /** Resolves when no write is pending. */
  idle(): Promise<unknown>;
}

/** Delay before a retry when the store fails, in ms. */
const storeRetryMs = 5_000;

/** Callbacks of a record. */
export interface JobRecordListeners {
  /** Called with each new version, before anything is reported. */
  readonly onVersion: (job: Job) => void;
  /** Called after each stored change of this process. */
  readonly onChange: (feedback: JobFeedback | null) => void;
  /** Called with a version that another process has stored. */
  readonly onForeign: (job: Job) => void;
  /** Called once when the job has ended. */
  readonly onEnd: () => void;
}

export function createJobRecord(
  services: {
    readonly store: JobStore;
    readonly timers: Timers;
    readonly logger: Logger;
    readonly notify: JobNotifications;
  },
  stored: Job,
  on: JobRecordListeners,
): JobRecord {
  const { store, timers, logger, notify } = services;
  const stop = new AbortController();
  let ended = isFinal(stored.state);
  let writing: Promise<unknown> = Promise.resolve();

  const reportEnd = () => {
    if (ended || !isFinal(record.job.state)) return;
    ended = true;
    on.onEnd();
  };

  const setVersion = (job: Job) => {
    record.job = job;
    on.onVersion(job);
  };

  const adopt = (fresh: Job) => {
    setVersion(fresh);
    on.onForeign(fresh);
    reportEnd();
  };

  const write = async (event: JobEvent, feedback: JobFeedback | null): Promise<boolean> => {
    for (;;) {
      const { job } = record;
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
        setVersion(step.job);
        if (feedback) notify.feedback(step.job, feedback);
        if (step.transition) notify.transition(step.job, step.transition);
        on.onChange(feedback);
        reportEnd();
        return true;
      }
      const fresh = await store.get(job.jobId);
      // The feedback is stored already, or the job was pruned.
      if (fresh === null || fresh.revision === job.revision) return false;
      adopt(fresh);
    }
  };

  const serialize = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = writing.then(work);
    writing = done.catch(() => {});
    return done;
  };

  const apply = (event: JobEvent, feedback: JobFeedback | null = null): Promise<boolean> =>
    serialize(() => write(event, feedback));

  // A plain property, since an object with accessors takes half a kilobyte more, and there are thousands.
  const record: { -readonly [Key in keyof JobRecord]: JobRecord[Key] } = {
    job: stored,
    stop: stop.signal,
    apply,
    async insist(event) {
      for (;;) {
        try {
          return await apply(event);
        } catch (error) {
          logger.error(
            { err: error, jobId: stored.jobId, type: event.type },
            'Job not stored: the store failed',
          );
          if (!(await pause(timers, storeRetryMs, stop.signal))) return false;
        }
      }
    },
    refresh: () =>
      serialize(async () => {
        const fresh = await store.get(stored.jobId);
        if (fresh !== null && fresh.revision !== record.job.revision) adopt(fresh);
      }),
    background(work, message) {
      work.catch((error) => {
        if (!stop.signal.aborted) logger.error({ err: error, jobId: stored.jobId }, message);
      });
    },
    end: () => stop.abort(),
    idle: () => writing,
  };
  return record;
}
