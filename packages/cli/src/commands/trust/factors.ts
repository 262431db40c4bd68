/** Factors of a trust score, as the command line and its JSON name them. */
export const factors = [
  'test_coverage',
  'uptime',
  'success_rate',
  'endorsements',
  'attestation_freshness',
] as const;

/** Name of a factor. */
export type Factor = (typeof factors)[number];

/** Returns true for the name of a factor. */
export const isFactor = (name: string): name is Factor => factors.some((factor) => factor === name);
