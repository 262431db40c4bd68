import type { PaymentStatus } from './payment-store.ts';

/**
 * An observation about a payment.
 *
 * - `start`: the budget was reserved.
 * - `settled`: the wallet says that it paid, with a preimage of this payment hash.
 * - `settled-mismatch`: the wallet says that it paid, with a preimage of another hash.
 * - `settled-unproven`: the wallet says that it paid, without a preimage.
 * - `failed`: the wallet says that it paid nothing.
 * - `in-flight`: the wallet says that it does not know yet.
 * - `unknown`: the wallet does not know the payment.
 * - `no-answer`: the wallet threw, or did not answer in time.
 */
export type WalletObservation =
  | { readonly from: 'start' }
  | {
      readonly from: 'pay';
      readonly says: Settled | 'failed' | 'in-flight' | 'no-answer';
    }
  | {
      readonly from: 'lookup';
      readonly says: Settled | 'failed' | 'in-flight' | 'unknown' | 'no-answer';
    };

type Settled = 'settled' | 'settled-mismatch' | 'settled-unproven';

/** Answer of the latest `pay` call that matters to a look-up; null when there was none in this process. */
export type PayClaim = 'settled-mismatch' | 'settled-unproven' | 'failed' | null;

/** Number of look-ups without a trace of the payment after which it is given up. */
const confirmations = 2;

/** Age of the payment's instructions. `late`: expired so long ago that no payment can be on its way any more. */
export type Expiry = 'valid' | 'expired' | 'late';

/**
 * The next action. `pay`: call the wallet. `look-up-now`, `look-up-later`: ask the wallet about the payment. `done`: decided.
 */
export interface PaymentDecision {
  readonly status: PaymentStatus;
  readonly action: 'pay' | 'look-up-now' | 'look-up-later' | 'done';
  readonly claim: PayClaim;
}

/**
 * Decides the status of a payment and the next action. Pure and total.
 *
 * | status | observation | next status | action |
 * |---|---|---|---|
 * | held | start, the wallet may be called | in-flight | pay |
 * | held | start, the wallet may not be called: nothing was paid | failed-after-lookup | done |
 * | held, in-flight | settled, by pay or look-up | settled | done |
 * | held, in-flight | pay: settled with a wrong or no preimage, failed | in-flight | look up now |
 * | held, in-flight | pay: in flight, no answer | in-flight | look up later |
 * | held, in-flight | look-up: settled with a wrong or no preimage | settled | done |
 * | held, in-flight | look-up: failed | failed-after-lookup | done |
 * | held, in-flight | look-up: in flight, no answer | in-flight | look up later |
 * | held, in-flight | look-up: unknown, after pay said failed | failed-after-lookup | done |
 * | held, in-flight | look-up: unknown, after pay said settled with a wrong preimage | settled | done |
 * | held, in-flight | look-up: unknown, after pay said settled without preimage, not long expired | in-flight | look up later |
 * | held, in-flight | look-up: unknown, instructions valid, the wallet may be called | in-flight | pay (Lightning pays an invoice once) |
 * | held, in-flight | look-up: unknown, instructions valid, the wallet may not be called | in-flight | look up later |
 * | held, in-flight | the same for the second time since the latest call | failed-after-lookup | done |
 * | held, in-flight | look-up: unknown, just expired | in-flight | look up later |
 * | held, in-flight | look-up: unknown, expired long ago | failed-after-lookup | done |
 * | failed-after-lookup | settled, with or without proof | settled | done |
 * | failed-after-lookup | anything else | failed-after-lookup | done |
 * | settled | anything | settled | done |
 *
 * A wallet that contradicts itself therefore never frees budget that it may have spent, and no error of `pay` is final. A
 * wallet may not be called (`mayPay` is false) when the job has ended, or when it was called often enough: an invoice
 * that no wallet can pay then does not hold up the job and its budget.
 */
export function decidePayment(
  status: PaymentStatus,
  observed: WalletObservation,
  context: {
    readonly claim: PayClaim;
    readonly expiry: Expiry;
    /** @default true */
    readonly mayPay?: boolean;
    /**
     * Number of look-ups since the latest call that found nothing, the observed one included.
     * @default 0
     */
    readonly unknowns?: number;
  },
): PaymentDecision {
  const { claim, expiry, mayPay = true, unknowns = 0 } = context;
  const settled: PaymentDecision = { status: 'settled', action: 'done', claim };
  const failed: PaymentDecision = { status: 'failed-after-lookup', action: 'done', claim };
  const open = (action: PaymentDecision['action'], next: PayClaim = claim): PaymentDecision => ({
    status: 'in-flight',
    action,
    claim: next,
  });

  if (status === 'settled') return settled;
  if (status === 'failed-after-lookup') {
    const says = observed.from === 'start' ? null : observed.says;
    return says?.startsWith('settled') ? settled : failed;
  }
  if (observed.from === 'start') return mayPay ? open('pay') : failed;
  if (observed.says === 'settled') return settled;
  if (observed.from === 'pay') {
    const { says } = observed;
    if (says === 'settled-unproven' || says === 'settled-mismatch' || says === 'failed')
      return open('look-up-now', says);
    return open('look-up-later', null);
  }
  switch (observed.says) {
    case 'settled-mismatch':
    case 'settled-unproven':
      return settled;
    case 'failed':
      return failed;
    case 'unknown':
      // The wallet insists that it paid: counted as spent, which is the careful side.
      if (claim === 'settled-mismatch') return settled;
      if (claim === 'failed' || expiry === 'late') return failed;
      if (claim === 'settled-unproven' || expiry === 'expired') return open('look-up-later');
      if (mayPay) return open('pay');
      return unknowns >= confirmations ? failed : open('look-up-later');
    default:
      return open('look-up-later');
  }
}
