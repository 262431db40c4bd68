import type { GateEvidence } from './evidence.ts';

/** Farthest that an opinion may be from the center. */
const bandWidth = 3;
/** Lowest opinion without a failure and without an alarm. */
const lowestOpinion = -2;
/** Lowest opinion that an alarm alone permits. */
export const lowestOnAlarm = -3;
/** Highest trust after a violation. */
export const highestAfterViolation = -8;

/** The range in which an opinion about a peer may lie. */
export interface TrustBand {
  readonly low: number;
  /** Without the ceiling by infoScore. */
  readonly high: number;
  /** Highest trust that a rise may reach: 3, the infoScore, or what the operator said, whichever is most. */
  readonly ceiling: number;
  /** The band extended to the inherited trust. Trust outside of it returns even when the model objects. */
  readonly keptLow: number;
  readonly keptHigh: number;
}

/**
 * Computes the band around the facts: center ± 3; no lower than −2 without a failure or an alarm, down to −3 with an
 * alarm. Pure.
 */
export function trustBand(evidence: GateEvidence, infoScore: number): TrustBand {
  const { center, inherited, lastFailureAt, alarmAt, operatorTrust } = evidence;
  const nothingBad = lastFailureAt === null && alarmAt === null;
  const around = Math.max(-10, center - bandWidth);
  const opinion = nothingBad ? Math.max(around, Math.min(lowestOpinion, center)) : around;
  const low = alarmAt === null ? opinion : Math.min(opinion, lowestOnAlarm);
  const high = Math.min(10, center + bandWidth);
  return {
    low,
    high,
    ceiling: Math.max(3, infoScore, Math.min(center, operatorTrust ?? -10)),
    keptLow: Math.min(low, inherited ?? low),
    keptHigh: Math.max(high, inherited ?? high),
  };
}
