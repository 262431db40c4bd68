/**
 * Returns the probability under Beta(1 + successes, 1 + failures) that the success rate is above `rate`. Counts are
 * integers ≥ 0, `rate` is in 0..1.
 *
 * For integers it equals the probability that a binomial with `successes + failures + 1` trials of probability `rate`
 * has at most `successes` successes, which sums in the logarithm without underflow.
 */
export function probabilityAbove(rate: number, successes: number, failures: number): number {
  if (rate <= 0) return 1;
  if (rate >= 1) return 0;
  const trials = successes + failures + 1;
  const step = Math.log(rate) - Math.log1p(-rate);
  let term = trials * Math.log1p(-rate);
  let sum = Math.exp(term);
  for (let k = 1; k <= successes; k += 1) {
    term += Math.log(trials - k + 1) - Math.log(k) + step;
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}
