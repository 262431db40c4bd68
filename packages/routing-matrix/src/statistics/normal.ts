/** Returns the cumulative distribution of the standard normal (Abramowitz and Stegun 26.2.17, error < 7.5e-8). */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(x));
  const polynomial =
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = 0.398_942_280_401_4 * Math.exp((-x * x) / 2) * polynomial;
  return x >= 0 ? 1 - tail : tail;
}
