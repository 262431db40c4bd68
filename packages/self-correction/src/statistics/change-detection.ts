/**
 * Computes the Bernoulli CUSUM of hits at the end of a series: the log likelihood ratio of a rate near 1 against `rate`, summed
 * from 0 up, and the index at which the sum last left 0.
 *
 * @see Reynolds, Stoumbos: A CUSUM Chart for Monitoring a Proportion. 1999.
 */
export function likelihoodSum(
  hits: readonly boolean[],
  rate: number,
): { readonly sum: number; readonly since: number } {
  const alternative = rate + 0.9 * (1 - rate);
  const hitStep = Math.log(alternative / rate);
  const missStep = Math.log((1 - alternative) / (1 - rate));
  let sum = 0;
  let since = 0;
  for (const [index, hit] of hits.entries()) {
    if (sum === 0) since = index;
    sum = Math.max(0, sum + (hit ? hitStep : missStep));
  }
  return { sum, since };
}

/** Compares the newest `recent` outcomes with all earlier ones, at least twice as many. Null without a shift of two sigma. */
export function twoSigmaShift(
  successes: readonly boolean[],
  recent: number,
): { readonly before: number; readonly after: number; readonly sigma: number } | null {
  const earlier = successes.length - recent;
  if (earlier < 2 * recent) return null;
  const share = (part: readonly boolean[]) => part.filter(Boolean).length / part.length;
  const [before, after] = [share(successes.slice(0, -recent)), share(successes.slice(-recent))];
  const all = share(successes);
  const sigma = Math.sqrt(all * (1 - all) * (1 / recent + 1 / earlier));
  return Math.abs(after - before) > 2 * sigma ? { before, after, sigma } : null;
}
