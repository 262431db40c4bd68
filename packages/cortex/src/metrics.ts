import { metrics } from '@opentelemetry/api';
import type { CycleRecord } from './audit/cycle-record.ts';

/** Records every finished cycle, applied or failed. */
export type CycleMeter = (record: CycleRecord) => void;

/**
 * Creates metrics of cycles for a host that set up OpenTelemetry before creating the cortex; a no-op otherwise. Peers
 * and reasons are not attributes, because their number is unbounded.
 */
export function createCycleMeter(): CycleMeter {
  const meter = metrics.getMeter('@bonafide/cortex');
  const durations = meter.createHistogram('bonafide.cortex.cycle.duration', {
    description: 'Duration of a cycle',
    unit: 's',
  });
  const tokens = meter.createCounter('bonafide.cortex.tokens', {
    description: 'Tokens that the reflector read and wrote',
    unit: '{token}',
  });
  const assessments = meter.createCounter('bonafide.cortex.assessments', {
    description: 'Assessments written to the ledger, and whether a guard held them back',
    unit: '{assessment}',
  });
  const dropped = meter.createCounter('bonafide.cortex.dropped_items', {
    description: "Items of the reflector's answers that were not used",
    unit: '{item}',
  });

  return ({ status, durationMs, cost, assessments: applied, dropped: unused }) => {
    durations.record(durationMs / 1_000, { 'bonafide.status': status });
    tokens.add(cost.inputTokens, { 'bonafide.token.type': 'input' });
    tokens.add(cost.outputTokens, { 'bonafide.token.type': 'output' });
    for (const { guards } of applied) assessments.add(1, { 'bonafide.guarded': guards.length > 0 });
    for (const { kind, reason } of unused)
      dropped.add(1, { 'bonafide.item': kind, 'bonafide.reason': reason });
  };
}
