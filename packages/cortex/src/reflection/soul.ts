import type { CycleRecord } from '../audit/cycle-record.ts';
import type { ValidatedAnswer } from './validate.ts';

/** The belief about the agent itself that a soul alignment gives. */
export function soulBelief({ soulAlignment }: ValidatedAnswer) {
  if (soulAlignment === null) return [];
  const value = `behavior matched the soul text to ${Math.round(soulAlignment.score * 100)} %`;
  const rationale = soulAlignment.reasons.join('; ') || 'no reason given';
  const name = { key: 'soul-alignment', peerId: null, handle: null, revises: null };
  return [{ ...name, kind: 'template' as const, value, rationale }];
}

/** Cycles whose soul alignment is the measure of a drift. */
const soulWindow = 10;

/** Compares the alignment with the earlier cycles. Pure. */
export function soulOf(
  { soulAlignment }: ValidatedAnswer,
  cycles: readonly CycleRecord[],
): CycleRecord['soul'] {
  if (soulAlignment === null) return null;
  const earlier = cycles.flatMap((record) => record.soul?.score ?? []).slice(-soulWindow);
  const mean = earlier.reduce((sum, score) => sum + score, 0) / earlier.length;
  const { score, reasons } = soulAlignment;
  return { score, reasons: [...reasons], drift: earlier.length === 0 ? null : score - mean };
}
