/** Twenty histories: the outcomes of the works with one peer, in order. */
export const sequences = Array.from({ length: 20 }, (_, n) =>
  Array.from(
    { length: 3 + (n % 8) },
    (__, k) => ((n * 7 + k * 5) % 10 < n % 10 ? 'rejected' : 'verified') as 'rejected' | 'verified',
  ),
);

/** Returns a judgment in passing, as a model gives it inline: the last result in general words. */
export const inlineRationale = (outcomes: readonly string[]): string =>
  outcomes.at(-1) === 'verified'
    ? 'Seems helpful and delivered a good result.'
    : 'The last result was not good.';

/** Counts the observed facts that a rationale cites: numbers of requests and results, rates, and the time span. */
export function cited(rationale: string): number {
  const facts = [
    /\d+ messages?/u,
    /\d+ requested/u,
    /\d+ delivered/u,
    /\d+ verified/u,
    /\d+ rejected/u,
    /\d+ of \d+/u,
  ];
  const spans = [/over \d+ \w+/u, /Median time/u, /Trust before|First assessment/u];
  return [...facts, ...spans].filter((pattern) => pattern.test(rationale)).length;
}
