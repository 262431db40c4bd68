import { leaseTimers } from '../lease.ts';
import { createPaymentExecutor } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { FetchReference } from '../references/fetch-reference.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { JobClientOptions } from './client-options.ts';
import type { JobPaymentServices } from './job-payment.ts';
import { cheapestOffer } from './offers.ts';

/** Creates what jobs need to be paid, from the options of a client. `payments` is null without a wallet. */
export function createClientPayments(
  environment: ClientEnvironment,
  options: Pick<JobClientOptions, 'payments' | 'chooseOffer' | 'leaseTimers'>,
  services: {
    readonly notify: JobNotifications;
    readonly fetchReference: FetchReference;
    /** Called for each payment that settles. */
    readonly onSettled: (payment: Payment) => void;
    /** Returns true while a job may be paid. */
    readonly isWanted: (jobId: string) => Promise<boolean>;
  },
): JobPaymentServices {
  const { payments } = options;
  const { notify, ...rest } = services;
  return {
    payments: payments
      ? createPaymentExecutor({
          ...payments,
          ...environment,
          ...rest,
          leaseMs: environment.config.leaseMs,
          leaseTimers: options.leaseTimers ?? leaseTimers,
        })
      : null,
    network: payments?.network ?? 'bitcoin',
    hasOtherMethods: (payments?.methods ?? []).length > 0,
    chooseOffer: options.chooseOffer ?? cheapestOffer,
    notify,
  };
}
