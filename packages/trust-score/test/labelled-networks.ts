import { type ScanOptions, scanTrajectories, type TimedRating } from '../src/index.ts';
import { csv } from './networks.ts';

/** Ratings and labels of a network: node → 1 benign, −1 fraudulent. */
export interface LabelledNetwork {
  readonly rows: readonly TimedRating[];
  readonly labels: ReadonlyMap<string, number>;
}

function network(ratings: string, labels: string): LabelledNetwork {
  const rows = csv(ratings, false).map(
    ([source = '', target = '', rating, seconds]): TimedRating => ({
      ...{ source, target, weight: Number(rating) / 10, at: Number(seconds) * 1_000 },
    }),
  );
  return { rows, labels: new Map(csv(labels, false).map(([node = '', label]) => [node, Number(label)])) };
}

export const otcLabelled = network('soc-sign-bitcoinotc.csv', 'otc_gt.csv');
export const alphaLabelled = network('soc-sign-bitcoinalpha.csv', 'alpha_gt.csv');

/** Returns the probability that a benign node ranks above a fraudulent one, of those that have a rank. */
export function areaUnderCurve(
  known: ReadonlyMap<string, number>,
  ranks: ReadonlyMap<string, number>,
): number {
  const of = (label: number) =>
    [...known].flatMap(([node, is]) => (is === label && ranks.has(node) ? [ranks.get(node) ?? 0] : []));
  const [benign, frauds] = [of(1), of(-1)];
  let won = 0;
  for (const good of benign) for (const bad of frauds) won += good > bad ? 1 : good === bad ? 0.5 : 0;
  return won / (benign.length * frauds.length);
}

/** Labelled nodes that are judged, with their negative mass and whether the CUSUM raised an alarm. */
export function judged({ rows, labels }: LabelledNetwork, options: ScanOptions = {}) {
  const scans = scanTrajectories(rows, options);
  return [...labels].flatMap(([node, label]) => {
    const scan = scans.get(node);
    if (scan === undefined || scan.verdict === 'insufficient') return [];
    const { verdict, negativeMass, trajectory } = scan;
    return [{ isFraud: label === -1, verdict, negativeMass, isAlarmed: trajectory.verdict === 'confirmed' }];
  });
}

/** Labelled nodes that are judged, and how many of each label are flagged. */
export function confusion(network: LabelledNetwork, options: ScanOptions = {}) {
  const all = judged(network, options);
  const count = (isFraud: boolean) => all.filter((one) => one.isFraud === isFraud);
  const flagged = (isFraud: boolean) =>
    count(isFraud).filter(({ verdict }) => verdict === 'exploited').length;
  return {
    frauds: count(true).length,
    found: flagged(true),
    benign: count(false).length,
    accused: flagged(false),
  };
}
