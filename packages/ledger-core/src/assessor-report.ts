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

/** Creates one report per assessor from assessments in order of time, in the order of first appearance. */
export function reportAssessors(assessments: Iterable<Assessment>): readonly AssessorReport[] {
  const reports = createAssessorReports();
  for (const row of assessments) reports.add(row);
  return reports.finish();
}

/** Collects reports row by row. Keeps one byte per assessment, and the ids of the peers. */
export function createAssessorReports(): {
  add(row: Assessment): void;
  finish(): readonly AssessorReport[];
} {
  const groups = new Map<string, Group>();
  return {
    add({ assessor, source, peerId, trust, createdAt }) {
      const name = assessor ?? source;
      const group = groups.get(name) ?? {
        peers: new Set(),
        trusts: [],
        block: [],
        firstAt: createdAt,
        lastAt: 0,
      };
      groups.set(name, group);
      group.peers.add(peerId);
      group.lastAt = createdAt;
      group.block.push(trust);
      if (group.block.length === blockLength) group.trusts.push(Int8Array.from(group.block.splice(0)));
    },
    finish: () => [...groups].map(([assessor, group]) => reportOf(assessor, group)),
  };
}

interface Group {
  readonly peers: Set<string>;
  /** Scores in order of time, a byte each, in blocks. */
  readonly trusts: Int8Array[];
  /** The newest scores, which do not fill a block yet. */
  readonly block: number[];
  readonly firstAt: number;
  lastAt: number;
}

const blockLength = 4_096;

function reportOf(assessor: string, { peers, trusts, block, firstAt, lastAt }: Group): AssessorReport {
  const count = trusts.length * blockLength + block.length;
  const middle = Math.floor(count / 2);
  let index = 0;
  const older = { sum: 0, squares: 0 };
  const newer = { sum: 0, squares: 0 };
  for (const part of [...trusts, block]) {
    for (const trust of part) {
      const half = index < middle ? older : newer;
      half.sum += trust;
      half.squares += trust * trust;
      index += 1;
    }
  }
  const mean = (older.sum + newer.sum) / count;
  // Sums of small integers are exact, so that no variance is lost to rounding.
  const variance = Math.max(0, (older.squares + newer.squares) / count - mean * mean);
  return {
    assessor,
    assessments: count,
    peers: peers.size,
    mean,
    spread: count < 2 ? 0 : Math.sqrt(variance),
    drift: count < 4 ? null : newer.sum / (count - middle) - older.sum / middle,
    firstAt,
    lastAt,
  };
}
