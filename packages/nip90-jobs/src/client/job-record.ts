import type { JobFeedback } from '../codec/index.ts';
import { isFinal, type Job } from '../job.ts';
import { pause } from '../timers.ts';
import { advance, type JobEvent } from '../transition.ts';
import type { ClientContext } from './client-context.ts';

/** One job as it is stored, written by one hand: one thing after the other, and stored before anybody hears of it. */
export interface JobRecord {
  /** As it stands now. */
  readonly job: Job;
  /** Fires when the job is over or left alone. */
  readonly stop: AbortSignal;
  /** Writes what happened. False when it changed nothing. */
  apply(event: JobEvent, feedback?: JobFeedback): Promise<boolean>;
  /** Writes what nothing else would bring about again: while the store fails, tries once more and again. */
  insist(event: JobEvent): Promise<void>;
  /** Lets work go on that nobody waits for; what goes wrong is logged as `what`. */
  background(work: Promise<unknown>, what: string): void;
  /** Ends all that goes on about the job. */
  end(): void;
  /** Resolves when nothing is being written. */
  idle(): Promise<unknown>;
}

/** How long to wait when the store fails. */
const storeRetryMs = 5_000;

/** `onChange` hears of every change that was stored, `onOver` once of the last one. */
export function createJobRecord(
  context: ClientContext,
  stored: Job,
  on: { readonly onChange: (feedback: JobFeedback | null) => void; readonly onOver: () => void },
): JobRecord {
  const { store, timers, logger } = context;
  const stop = new AbortController();
  let job = stored;
  let writing: Promise<unknown> = Promise.resolve();

  const write = async (event: JobEvent, feedback: JobFeedback | null): Promise<boolean> => {
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
    if (!written) {
      // Somebody else wrote: what is stored counts.
      job = (await store.get(job.jobId)) ?? job;
      logger.warn(
        { jobId: job.jobId, type: event.type },
        'A job was changed by somebody else; going on from what is stored',
      );
      if (isFinal(job.state)) on.onOver();
      return false;
    }
    job = step.job;
    if (feedback) context.onFeedback(job, feedback);
    if (step.transition) context.onTransition(job, step.transition);
    on.onChange(feedback);
    if (isFinal(job.state)) on.onOver();
    return true;
  };

  const apply = (event: JobEvent, feedback: JobFeedback | null = null): Promise<boolean> => {
    const done = writing.then(() => write(event, feedback));
    writing = done.catch(() => {});
    return done;
  };

  return {
    get job() {
      return job;
    },
    stop: stop.signal,
    apply,
    async insist(event) {
      for (;;) {
        try {
          await apply(event);
          return;
        } catch (error) {
          logger.error(
            { err: error, jobId: job.jobId, type: event.type },
            'The end of a job could not be stored',
          );
          if (!(await pause(timers, storeRetryMs, stop.signal))) return;
        }
      }
    },
    background(work, what) {
      work.catch((error) => {
        if (!stop.signal.aborted) logger.error({ err: error, jobId: job.jobId }, what);
      });
    },
    end: () => stop.abort(),
    idle: () => writing,
  };
}
