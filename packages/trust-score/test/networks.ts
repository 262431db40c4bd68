import { readFileSync } from 'node:fs';
import type { Edge, TrajectoryPoint } from '../src/index.ts';

/** Text of a file under fixtures/trust. */
export const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/trust/${name}`, import.meta.url), 'utf8');

/** Rows of a comma-separated file, without its heading. */
export const csv = (name: string, heading: boolean): readonly (readonly string[])[] =>
  fixture(name)
    .trim()
    .split('\n')
    .slice(heading ? 1 : 0)
    .map((line) => line.split(','));

const rows = csv('soc-sign-bitcoinotc.csv', false);

/** Bitcoin-OTC, 35,592 ratings in order of time, scaled to −1…1. */
export const otc: readonly Edge[] = rows.map(([source = '', target = '', rating]) => ({
  source,
  target,
  weight: Number(rating) / 10,
}));

/** The ratings that each node of Bitcoin-OTC received, −10…10. */
export function ratingsReceived(): ReadonlyMap<string, readonly TrajectoryPoint[]> {
  const series = new Map<string, TrajectoryPoint[]>();
  for (const [, target = '', rating, seconds] of rows) {
    const own = series.get(target) ?? [];
    own.push({ at: Number(seconds) * 1_000, trust: Number(rating) });
    series.set(target, own);
  }
  return series;
}

/** Published labels: node → 1 benign, −1 fraudulent. */
export const labels: ReadonlyMap<string, number> = new Map(
  csv('otc_gt.csv', false).map(([node = '', label]) => [node, Number(label)]),
);
