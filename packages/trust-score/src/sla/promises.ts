import { canonicalMetric, knownMetric, unitFactor } from '@bonafide/internal';
import { parseSla, type SlaInput } from './sla.ts';

/** The promises of an agreement that tiers require. Null is not promised. */
export interface SlaPromises {
  /** 0…1. */
  readonly uptime: number | null;
  /** 0…1. */
  readonly successRate: number | null;
  /** Milliseconds. */
  readonly latencyP99Ms: number | null;
}

/**
 * Returns the targets of an agreement for uptime, success rate and latency, in shares and milliseconds. Of several for one metric the weakest
 * counts. A target that its metric cannot have counts as none, and so does one in an unknown unit.
 */
export function slaPromises(sla: SlaInput): SlaPromises {
  const { guarantees } = parseSla(sla);
  const target = (name: string): number | null => {
    const targets = guarantees
      .filter(({ metric }) => canonicalMetric(metric) === name)
      .map((guarantee) => (unitFactor(guarantee) ?? Number.NaN) * guarantee.target);
    if (targets.length === 0) return null;
    const isShare = knownMetric(name)?.measure === 'share';
    const weakest = isShare ? Math.min(...targets) : Math.max(...targets);
    return weakest >= 0 && (!isShare || weakest <= 1) ? weakest : null;
  };
  return {
    uptime: target('uptime'),
    successRate: target('success_rate'),
    latencyP99Ms: target('latency_p99'),
  };
}
