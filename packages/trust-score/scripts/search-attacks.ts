/*
 * Searches for the attacks that move `personalView` the furthest on Bitcoin-OTC, and writes what it found into docs/guides/web-of-trust.md:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/search-attacks.ts [evaluations]`.
 */
import { seededRandom } from '@bonafide/internal';
import { otc } from '../test/networks.ts';
import { searchAttack } from '../test/sybil-attack.ts';
import { writeSection } from './guide.ts';

const evaluations = Number(process.argv[2] ?? 2_000);
const pairs = [
  ['35', '3744'],
  ['35', '4'],
  ['1', '1953'],
  ['1810', '257'],
  ['7', '2642'],
  ['4172', '3744'],
] as const;
const lines = [
  '| observer | target | best attack found | moves trust by | bound | with the seller’s own rating | raterBound | evaluations beyond a bound |',
  '|---|---|---|---|---|---|---|---|',
];
for (const [observer, target] of pairs) {
  const search = (isRatingSold: boolean, count: number) =>
    searchAttack(otc, { observer, target, random: seededRandom(17), evaluations: count, isRatingSold });
  const [found, sold] = [search(false, evaluations), search(true, evaluations / 2)];
  const { seller, sybils, shape, helpers, favours } = found.attack;
  const attack = `edge of ${seller ?? 'nobody'}, ${sybils} Sybils (${shape}), ${helpers} helpers of the target, ${favours.length} favored nodes`;
  const figures = [found.moved, found.bound, sold.moved, sold.bound].map((value) => value.toFixed(4));
  lines.push(
    `| ${observer} | ${target} | ${attack} | ${figures.join(' | ')} | ${found.exceeded + sold.exceeded} of ${found.evaluations + sold.evaluations} |`,
  );
}
writeSection('search', lines, 'web-of-trust.md');
