import * as z from 'zod';
import { copyDocument } from '../document.ts';
import { parseInput } from '../errors.ts';
import { signedEventSchema } from '../signing/nostr-event.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const moment = z.iso.datetime();
const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`, 'u'));

/** Most receipts that a report can have, and most digests: work on a report is limited before it is done. */
const maxReceipts = 10_000;
const maxDigests = 50_000;

const factor = <Evidence extends z.ZodType>(evidence: Evidence) =>
  z.looseObject({
    score: share,
    weight: share,
    contribution: share,
    insufficient_data: z.boolean().optional(),
    evidence,
  });

const incident = z.looseObject({
  start: moment,
  end: moment.nullable(),
  duration_hours: z.number().min(0),
  reason: z.string().optional(),
});

/** A trust report without its verification part. */
const reportBodySchema = z.looseObject({
  agent_id: z.string().min(1),
  /** Of the agent. */
  version: z.string(),
  report_date: moment,
  trust_score: share,
  tier: z.enum(['unverified', 'verified', 'trusted', 'highly_trusted']),
  algorithm_version: z.string(),
  factors: z.looseObject({
    test_coverage: factor(
      z.looseObject({
        total_tests: count,
        passing_tests: count,
        last_run: moment.optional(),
        ci_url: z.url().optional(),
      }),
    ),
    uptime: factor(
      z.looseObject({
        total_hours: z.number().positive(),
        downtime_hours: z.number(),
        coverage: share.optional(),
        downtime_incidents: z.array(incident).optional(),
      }),
    ),
    success_rate: factor(z.looseObject({ successful: count, failed: count, rejected: count.optional() })),
    endorsements: factor(
      z.looseObject({
        total_endorsements: count,
        unique_endorsers: count,
        endorser_trust_avg: share,
        /** Multiplier by the gaming detectors, 0…1. */
        gaming_multiplier: share.optional(),
        endorsement_curve: z.enum(['log', 'table']).optional(),
        endorsement_base: z.enum(['total', 'unique']).optional(),
      }),
    ),
    attestation_freshness: factor(
      z.looseObject({
        hours_since: z.number(),
        validity_period_hours: z.number().positive(),
        last_attestation: moment.optional(),
      }),
    ),
  }),
  /** Values that the tier's requirements were compared with; ratios 0…1. */
  tier_evidence: z.looseObject({
    uptime_7d: share.nullable(),
    uptime_30d: share.nullable(),
    uptime_90d: share.nullable(),
    test_coverage: share.nullable(),
    endorsements: count.nullable(),
    successful_delegations: count.nullable(),
    sla: z.unknown().optional(),
  }),
  /** Receipts of customers, each a signed Nostr event. The number is checked before the receipts are. */
  receipts: z.array(z.unknown()).max(maxReceipts).pipe(z.array(signedEventSchema)).optional(),
});

/**
 * A trust report as it is published, with the field names of the STEWARD trust model. Unknown members are
 * kept and signed with the rest.
 */
export const trustReportSchema = reportBodySchema.extend({
  verification: z.looseObject({
    /** BIP-340, 128 hex digits. */
    signature: hex(128),
    /** Public key, 64 hex digits. */
    signed_by: hex(64),
    /** Seconds since epoch. */
    signed_at: z.int().min(0),
    /** Signed message: the id of the signed Nostr event. */
    event_id: hex(64),
    /** SHA-256 of the canonical JSON of everything but `verification`. */
    sha256: hex(64),
    /** First 16 digits of the SHA-256 of each value, by path. They identify changed values. */
    digests: z
      .record(z.string(), z.unknown())
      .refine((digests) => Object.keys(digests).length <= maxDigests, {
        error: `has more than ${maxDigests} digests`,
        abort: true,
      })
      .pipe(z.record(z.string(), hex(16))),
    verification_url: z.url().optional(),
  }),
});

/** A signed trust report. */
export type TrustReport = z.output<typeof trustReportSchema>;
/** A trust report before it is signed. */
export type UnsignedTrustReport = z.output<typeof reportBodySchema>;

/**
 * Parses a report, also one inside `{ trust_report: … }`, within limits on depth and size.
 *
 * @throws `INVALID_INPUT`, naming every member that is wrong.
 */
export function parseTrustReport(input: unknown): TrustReport {
  const copy = copyDocument(input);
  const wrapped = typeof copy === 'object' && copy !== null && 'trust_report' in copy;
  return parseInput(trustReportSchema, 'report', wrapped ? copy.trust_report : copy);
}
