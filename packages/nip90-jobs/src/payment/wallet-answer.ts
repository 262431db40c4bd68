import type { Timers } from '../timers.ts';
import type { PaymentOutcome } from './wallet.ts';

/** Answer of a wallet to `pay` or `lookup`. `no-answer`: it threw, took too long, or answered something else. */
export type WalletAnswer =
  | PaymentOutcome
  | { readonly status: 'unknown' }
  | { readonly status: 'no-answer'; readonly error: unknown };

/** Time limit for an answer of a wallet, in ms: more than a Lightning payment takes that is routed several times. */
const walletAnswerMs = 120_000;

/** Internal: the time limit passed. */
class TooLate extends Error {}

/**
 * Resolves with what `work` resolves with, or rejects after {@link walletAnswerMs}. What it does afterwards is ignored: a wallet
 * that never answers must not hold up what depends on other questions.
 */
export async function answerInTime<Value>(
  work: () => Promise<Value>,
  { timers, signal }: { readonly timers: Timers; readonly signal: AbortSignal },
): Promise<Value> {
  const { promise: unanswered, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  const cancel = timers.after(walletAnswerMs, () =>
    reject(new TooLate('The wallet did not answer in time.')),
  );
  if (signal.aborted) aborted();
  else signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([(async () => work())(), unanswered]);
  } finally {
    cancel();
    signal.removeEventListener('abort', aborted);
  }
}

/**
 * Reads an answer of a wallet, which may be any program: members of another type are replaced, invalid fees by
 * `feeReserveMsat`, since they may have been paid.
 */
export function readWalletAnswer(answer: unknown, feeReserveMsat: number): WalletAnswer {
  const said = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  switch (said.status) {
    case 'settled': {
      const { preimage, feesMsat } = said;
      const isAmount = typeof feesMsat === 'number' && feesMsat >= 0 && feesMsat <= Number.MAX_SAFE_INTEGER;
      return {
        status: 'settled',
        preimage: typeof preimage === 'string' ? preimage : null,
        feesMsat: isAmount ? Math.ceil(feesMsat) : feeReserveMsat,
      };
    }
    case 'failed':
      return { status: 'failed', reason: typeof said.reason === 'string' ? said.reason : '' };
    case 'in-flight':
    case 'unknown':
      return { status: said.status };
    default:
      return {
        status: 'no-answer',
        error: new Error('The wallet answered with something other than an outcome.'),
      };
  }
}
