import type { CycleRecord } from '../audit/cycle-record.ts';
import { type Belief, isSameBelief } from '../beliefs/beliefs.ts';
import type { LedgerPort } from '../ledger-port.ts';
import type { Memory } from '../state/memory.ts';

/** Changes made by a revert. */
export interface Reverted {
  readonly cycle: number;
  /** Keys of beliefs that the cycle had added and that are gone. */
  readonly removed: readonly string[];
  /** Keys of beliefs that have their earlier value again. */
  readonly restored: readonly string[];
  /** Correcting assessments that were appended. */
  readonly assessments: readonly { readonly peerId: string; readonly from: number; readonly to: number }[];
}

/** Undoes the changes of one cycle to the beliefs. Later changes by others stay. Pure. */
function revertBeliefs(
  beliefs: readonly Belief[],
  record: CycleRecord,
): { readonly beliefs: Belief[]; readonly removed: readonly string[]; readonly restored: readonly string[] } {
  const removed: string[] = [];
  const restored: string[] = [];
  const mine = beliefs.filter((belief) => belief.sourceCycle === record.cycle && belief.kind !== 'operator');
  const kept = beliefs.filter((belief) => !mine.includes(belief));
  for (const belief of mine) {
    if (!record.replay.beliefs.some((before) => isSameBelief(before, belief))) removed.push(belief.key);
  }
  // What the cycle revised, evicted or replaced by another key comes back, unless somebody has taken its place since.
  const lost = record.replay.beliefs.filter((before) => !kept.some((belief) => isSameBelief(belief, before)));
  const back = lost.filter(
    (before) =>
      mine.some((belief) => isSameBelief(belief, before)) ||
      record.beliefs.evicted.includes(before.key) ||
      mine.some((belief) => belief.peerId === before.peerId),
  );
  restored.push(...back.map((belief) => belief.key));
  return { beliefs: [...back, ...kept], removed, restored };
}

/** Undoes what one cycle changed in the state: beliefs, open directives, lessons and commitments. */
export async function revertState(
  memory: Memory,
  record: CycleRecord,
): Promise<Pick<Reverted, 'removed' | 'restored'>> {
  let removed: readonly string[] = [];
  let restored: readonly string[] = [];
  await memory.beliefs.update((stored) => {
    const undone = revertBeliefs(stored.beliefs, record);
    ({ removed, restored } = undone);
    return { ...stored, beliefs: undone.beliefs };
  });
  const issued = new Set(record.directives);
  await memory.directives.update((stored) => ({
    ...stored,
    directives: stored.directives.filter(({ id }) => !issued.has(id)),
  }));
  await memory.lessons.update((stored) => ({
    ...stored,
    lessons: stored.lessons.filter((lesson) => !record.lessons.includes(lesson)),
  }));
  const noted = new Set(record.commitments);
  await memory.commitments.update((stored) => ({
    ...stored,
    commitments: stored.commitments.filter(({ id }) => !noted.has(id)),
  }));
  return { removed, restored };
}

/** Number of the operator's newest assessments among which a correction that was already written is found. */
const correctionsSearched = 20;

/**
 * Appends assessments by the operator that take back what a cycle changed: the trust before it, moved by what others changed
 * since. Nothing is deleted. A correction that is in the ledger is not written again. Throws the first failure of the ledger,
 * after all others were tried.
 */
export async function revertAssessments(
  ledger: LedgerPort,
  record: CycleRecord,
): Promise<Reverted['assessments']> {
  const changes: { peerId: string; from: number; to: number }[] = [];
  const failures: unknown[] = [];
  for (const { peerId, base, trust } of record.assessments) {
    const change = trust - (base ?? 0);
    if (change === 0) continue;
    const reason = `The operator reverted cycle ${record.cycle}, which had moved trust from ${base ?? 'none'} to ${trust}.`;
    try {
      const earlier = await ledger.getAssessments(peerId, { limit: correctionsSearched, source: 'operator' });
      if (earlier.some((row) => row.rationale === reason && row.createdAt >= record.startedAt)) continue;
      const from = (await ledger.getAssessments(peerId, { limit: 1 })).at(-1)?.trust ?? trust;
      const to = Math.max(-10, Math.min(10, from - change)) + 0;
      await ledger.recordAssessment(peerId, to, reason, { source: 'operator' });
      changes.push({ peerId, from, to });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return changes;
}
