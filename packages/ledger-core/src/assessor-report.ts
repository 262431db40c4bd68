import type { Assessment } from './records.ts';

/** Statistics of one assessor, which make a change of model or prompt visible. */
export interface AssessorReport {
  /** The model and prompt, or the source when it has no name. */
  readonly assessor: string;
  readonly assessments: number;
  readonly peers: number;
  /** Mean trust, −10…+10. */
  readonly mean: number;
  /** Standard deviation of trust; 0 for one assessment. */
  readonly spread: number;
  /** Mean trust of the newer half minus that of the older; null with fewer than four assessments. */
  readonly drift: number | null;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** One report per assessor over assessments in order of time, in the order in which the assessors first judged. */
export function reportAssessors(assessments: Iterable<Assessment>): readonly AssessorReport[] {
  const groups = new Map<string, Assessment[]>();
  for (const row of assessments) {
    const name = row.assessor ?? row.source;
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups].map(([assessor, rows]) => {
    const trusts = rows.map(({ trust }) => trust);
    const times = rows.map(({ createdAt }) => createdAt);
    const average = mean(trusts);
    const middle = Math.floor(trusts.length / 2);
    return {
      assessor,
      assessments: rows.length,
      peers: new Set(rows.map(({ peerId }) => peerId)).size,
      mean: average,
      spread: trusts.length < 2 ? 0 : Math.sqrt(mean(trusts.map((trust) => (trust - average) ** 2))),
      drift: trusts.length < 4 ? null : mean(trusts.slice(middle)) - mean(trusts.slice(0, middle)),
      firstAt: times[0] ?? 0,
      lastAt: times.at(-1) ?? 0,
    };
  });
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
