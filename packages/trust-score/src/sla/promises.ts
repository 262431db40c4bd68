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

/** Returns the targets of an agreement for uptime, success rate and latency. */
export function slaPromises(sla: SlaInput): SlaPromises {
  const { guarantees } = parseSla(sla);
  const target = (...names: readonly string[]) =>
    guarantees.find(({ metric }) => names.includes(metric))?.target ?? null;
  return {
    uptime: target('uptime'),
    successRate: target('success_rate', 'successRate'),
    latencyP99Ms: target('latency_p99', 'latency_p99_ms', 'latencyP99', 'latencyP99Ms'),
  };
}
