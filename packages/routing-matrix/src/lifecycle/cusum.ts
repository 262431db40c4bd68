const lowestRate = 0.2;
const highestRate = 0.98;

/** Weight of the expected rate, in works, so that a few failures of a new platform do not lower the bar. */
const expectedWorks = 20;

/** Success rate that a platform is held to: an expected rate, and the works since it was set. */
export interface UsualRate {
  /** 0..1 */
  expected: number;
  good: number;
  all: number;
}

/** Returns the rate that a platform without works is held to. */
export const expectedRate = (expected = 0.9): UsualRate => ({ expected, good: 0, all: 0 });

/** Returns the usual success rate, 0..1. */
export const rateOf = ({ expected, good, all }: UsualRate): number =>
  (expectedWorks * expected + good) / (expectedWorks + all);

/**
 * Returns the rate that a platform is held to after the statistic found a drop: the lower one, so that a platform that stays
 * there is reported once, and one that falls further is reported again.
 */
export const rateAfterDrop = (usual: UsualRate, drop: number): UsualRate =>
  expectedRate(Math.max(lowestRate, rateOf(usual) - drop));

/** Returns the next level of the CUSUM statistic. Arguments are valid. */
export function nextCusum(level: number, success: boolean | number, rate: number, drop: number): number {
  const usual = Math.min(highestRate, Math.max(lowestRate, rate));
  const low = Math.max(lowestRate / 2, usual - drop);
  const share = Number(success);
  const step = share * Math.log(low / usual) + (1 - share) * Math.log((1 - low) / (1 - usual));
  return Math.max(0, level + step);
}
