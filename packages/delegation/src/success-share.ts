import type { CheckOutcome } from './ports.ts';

/** Share of success by the outcome of a check, 0..1. */
export const successShares: Readonly<Record<CheckOutcome, number>> = {
  SUCCESS: 1,
  PARTIAL: 0.5,
  FAILURE: 0,
  ERROR: 0,
  SECURITY_VIOLATION: 0,
  INFRA: 0,
};
