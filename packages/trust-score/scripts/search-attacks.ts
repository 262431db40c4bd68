/*
 * Searches for the attacks that move `personalView` the furthest on Bitcoin-OTC, and prints what it found as a table:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/search-attacks.ts [evaluations]`.
 */
import { otc, seeded } from '../test/networks.ts';
import { searchAttack } from '../test/sybil-attack.ts';

const evaluations = Number(process.argv[2] ?? 3_000);
const pairs = [
  ['35', '3744'],
  ['35', '4'],
  ['1', '1953'],
  ['1810', '257'],
  ['7', '2642'],
  ['4172', '3744'],
] as const;
process.stdout.write(
  '| observer | target | best attack found | moves trust by | bound | evaluations beyond the bound |\n|---|---|---|---|---|---|\n',
);
for (const [observer, target] of pairs) {
  const found = searchAttack(otc, { observer, target, random: seeded(17), evaluations });
  const { seller, sybils, shape, helpers, favours } = found.attack;
  const text = `edge of ${seller ?? 'nobody'}, ${sybils} Sybils (${shape}), ${helpers} helpers of the target, ${favours.length} favoured nodes`;
  process.stdout.write(
    `| ${observer} | ${target} | ${text} | ${found.moved.toFixed(4)} | ${found.bound.toFixed(4)} | ${found.exceeded} of ${found.evaluations} |\n`,
  );
}
