import type { JobFeedback } from '../codec/index.ts';
import type { Job } from '../job.ts';
import type { ClientEnvironment } from './client-context.ts';
import { type Delivery, type DeliveryServices, startDelivery } from './delivery.ts';
import { createJobDeadline, type DeadlineSteps, type JobDeadline } from './job-deadline.ts';
import type { JobPayment } from './job-payment.ts';
import type { JobRecord } from './job-record.ts';

/** Services of the client that sessions use. */
export interface JobSessionServices extends DeliveryServices {
  /** Reads the stored feedback of a job. */
  readFeedback(jobId: string): Promise<readonly JobFeedback[]>;
}

/** The time in which a client drives a job: it delivers the request, pays, and ends the job at its time limit. */
export interface JobSession {
  /** Restarts the timer of the time limit after a change of the job. */
  reset(): void;
  end(): void;
}

/** Starts to drive a job that the caller holds. */
export const startJobSession = (
  environment: ClientEnvironment,
  services: JobSessionServices,
  record: JobRecord,
  payment: JobPayment,
): JobSession => new DrivenJob(environment, services, record, payment);

class DrivenJob implements JobSession, DeadlineSteps {
  readonly #services: JobSessionServices;
  readonly #payment: JobPayment;
  readonly #deadline: JobDeadline;
  readonly #delivery: Delivery;

  constructor(
    environment: ClientEnvironment,
    services: JobSessionServices,
    record: JobRecord,
    payment: JobPayment,
  ) {
    this.#services = services;
    this.#payment = payment;
    this.#deadline = createJobDeadline(environment, record, this);
    // An earlier process ended between the demand and the end of the payment.
    if (record.job.state === 'payment-required' && !payment.isUnderWay())
      record.background(
        services.readFeedback(record.job.jobId).then((said) => payment.resume(said)),
        'Payment of a job not resumed',
      );
    this.#deadline.reset();
    this.#delivery = startDelivery(environment, services, record);
  }

  reset(): void {
    this.#deadline.reset();
  }

  end(): void {
    this.#delivery.end();
    this.#deadline.end();
  }

  recoverAnswers(job: Job): Promise<boolean> {
    return this.#services.recoverAnswers(job);
  }

  beforeTimeout(): Promise<boolean> {
    return this.#payment.giveUp();
  }
}
