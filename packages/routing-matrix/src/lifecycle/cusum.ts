const lowestRate = 0.2;
const highestRate = 0.98;

/**
 * Returns the next level of a Bernoulli CUSUM statistic that looks for a drop of a success rate: the log-likelihood ratio
 * of the lower rate against the usual one, summed and never below 0. With a usual rate of .9 and a drop of .15, a level
 * of 4 is reached by chance about every 1,000 works, and about 37 works after a drop.
 *
 * @param rate - The usual success rate, 0..1.
 */
export function nextCusum(level: number, success: boolean, rate: number, drop: number): number {
  const usual = Math.min(highestRate, Math.max(lowestRate, rate));
  const low = Math.max(lowestRate / 2, usual - drop);
  const step = success ? Math.log(low / usual) : Math.log((1 - low) / (1 - usual));
  return Math.max(0, level + step);
}
