/*
 * Draws docs/guides/sybil-bound.svg, and writes its table: the movement of a node of Bitcoin-OTC by N Sybils behind one bought edge. Type
 * `node --conditions=@bonafide/source packages/trust-score/scripts/sybil-plot.ts` after a change of the algorithm.
 */
import { writeFileSync } from 'node:fs';
import { otc } from '../test/networks.ts';
import { measureAttack } from '../test/sybil-attack.ts';
import { writeSection } from './guide.ts';

const counts = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000];
const [observer, target] = ['35', '3744'];
// The strongest attack that scripts/search-attacks.ts finds: a direct contact of the observer sells an edge, and the target helps.
const attack = (sybils: number, isRatingSold: boolean) =>
  measureAttack(otc, observer, target, {
    ...{ seller: '4002', sybils, shape: 'ring', rating: 1, isRatingSold },
    ...{ favours: [], favourWeight: 1, helpers: Math.min(sybils, 400) },
  });
const moved = counts.map((sybils) => ({ ...attack(sybils, false), sold: attack(sybils, true).personal }));
type Point = (typeof moved)[number];

const [width, height, left, right, top, bottom] = [760, 420, 70, 200, 50, 60];
const x = (fakes: number) => left + ((width - left - right) * Math.log10(fakes)) / 4;
const highest = 2;
const y = (move: number) => height - bottom - ((height - top - bottom) * move) / highest;
const line = (value: (one: Point) => number) =>
  moved.map((one) => `${x(one.sybils).toFixed(1)},${y(value(one)).toFixed(1)}`).join(' ');
const text = (at: readonly [number, number], words: string, more = '') =>
  `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${words}</text>`;

const series: readonly (readonly [string, string, string, (one: Point) => number])[] = [
  ['plain mean', '#b42318', '', (one) => one.plainMean],
  ['goodness alone', '#b54708', '', (one) => one.goodness],
  ['personalView', '#067647', '', (one) => one.personal],
  ['its bound', '#067647', '6 4', (one) => one.bound],
  ['seller rates it, too', '#175cd3', '', (one) => one.sold],
  ['raterBound', '#175cd3', '6 4', (one) => one.raterBound],
];
const last = moved.at(-1);
if (last === undefined) throw new Error('no attack was measured');
// Names stand beside the ends of their lines, at least 16 apart.
const labels = series
  .map(([name, colour, , value]) => ({ name, colour, at: y(value(last)) + 4, value: value(last) }))
  .toSorted((one, other) => one.at - other.at);
for (const [i, label] of labels.entries()) label.at = Math.max(label.at, (labels[i - 1]?.at ?? -16) + 16);
const parts = [
  ...[0, 0.5, 1, 1.5, 2].flatMap((move) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(move).toFixed(1)}" y2="${y(move).toFixed(1)}" stroke="#eaecf0"/>`,
    text([left - 10, y(move) + 4], move.toFixed(1), 'text-anchor="end"'),
  ]),
  ...[1, 10, 100, 1_000, 10_000].map((fakes) =>
    text([x(fakes), height - bottom + 22], fakes.toLocaleString('en'), 'text-anchor="middle"'),
  ),
  text([(left + width - right) / 2, height - 14], 'Sybils behind one bought edge', 'text-anchor="middle"'),
  text([left - 40, 28], 'Movement of a target’s rating by Sybils (scale −1…1)', 'font-weight="600"'),
  ...series.map(
    ([, colour, dashes, value]) =>
      `<polyline points="${line(value)}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dashes || 'none'}"/>`,
  ),
  ...labels.map(({ name, colour, at, value }) =>
    text([width - right + 10, at], `${name} ${value.toFixed(3)}`, `fill="${colour}"`),
  ),
];
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Plain mean and goodness are moved without bound, personalView is not">
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
writeFileSync(new URL('../../../docs/guides/sybil-bound.svg', import.meta.url), svg);
writeSection(
  'sybils',
  [
    '| Sybils | plain mean | goodness alone | personalView | its bound | seller rates it, too | raterBound |',
    '|---|---|---|---|---|---|---|',
    ...moved
      .filter(({ sybils }) => Number.isInteger(Math.log10(sybils)))
      .map(({ sybils, plainMean, goodness, personal, bound, sold, raterBound }) => {
        const figures = [plainMean, goodness, personal, bound, sold, raterBound].map((value) =>
          value.toFixed(4),
        );
        return `| ${sybils.toLocaleString('en')} | ${figures.join(' | ')} |`;
      }),
  ],
  'web-of-trust.md',
);
