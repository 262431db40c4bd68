import * as z from 'zod';

const count = z.int().min(0);
const finite = z.number();
const inRange = { error: 'must not be more than the total' };

/** The evidence of a trust score: raw counts that others can check. */
export const trustEvidenceSchema = z.object({
  testCoverage: z
    .object({ passing: count, total: count })
    .refine(({ passing, total }) => passing <= total, { ...inRange, path: ['passing'] }),
  uptime: z.object({
    periodHours: finite.positive(),
    downtimeHours: finite,
    /** Observed share of the period, from `uptimeReport`: below 0.9 it limits the factor. */
    coverage: finite.min(0).max(1).optional(),
  }),
  successRate: z.object({ successful: count, failed: count, rejected: count.optional() }),
  endorsements: z
    .object({
      total: count,
      unique: count,
      endorserTrustAvg: finite.min(0).max(1),
      /** `endorsementMultiplier` of `detectEndorsementGaming`: 1, 0.5 or 0. */
      gamingMultiplier: finite.min(0).max(1).optional(),
    })
    .refine(({ total, unique }) => unique <= total, { ...inRange, path: ['unique'] }),
  attestationFreshness: z.object({ hours: finite, validityHours: finite.positive().optional() }),
});

/** The evidence of a trust score: raw counts that others can check. */
export type TrustEvidence = Readonly<z.output<typeof trustEvidenceSchema>>;
