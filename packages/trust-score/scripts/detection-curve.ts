/*
 * Writes the detection curve of `scanTrajectories` on two labelled networks into docs/guides: the table of thresholds into
 * trust-attacks.md and the plot detection-curve.svg. `node --conditions=@bonafide/source packages/trust-score/scripts/detection-curve.ts`.
 */
import { writeFileSync } from 'node:fs';
import { alphaLabelled, judged, otcLabelled } from '../test/labelled-networks.ts';
import { writeSection } from './guide.ts';

const networks = [
  { name: 'Bitcoin-OTC', colour: '#175cd3', nodes: judged(otcLabelled) },
  { name: 'Bitcoin-Alpha', colour: '#b54708', nodes: judged(alphaLabelled) },
] as const;
type Node = (typeof networks)[number]['nodes'][number];
const rate = (nodes: readonly Node[], isFraud: boolean, is: (node: Node) => boolean) => {
  const own = nodes.filter((node) => node.isFraud === isFraud);
  return { all: own.length, flagged: own.filter(is).length };
};
const cells = (is: (node: Node) => boolean) =>
  networks.flatMap(({ nodes }) =>
    [true, false].map((isFraud) => {
      const { all, flagged } = rate(nodes, isFraud, is);
      return `${flagged} of ${all} (${((100 * flagged) / all).toFixed(1)} %)`;
    }),
  );
/** Probability that a fraud has more negative mass than a benign node. */
function areaUnder(nodes: readonly Node[]): number {
  const [frauds, benign] = [true, false].map((isFraud) => nodes.filter((node) => node.isFraud === isFraud));
  let better = 0;
  for (const fraud of frauds ?? [])
    for (const other of benign ?? [])
      better +=
        fraud.negativeMass > other.negativeMass ? 1 : fraud.negativeMass === other.negativeMass ? 0.5 : 0;
  return better / ((frauds?.length ?? 1) * (benign?.length ?? 1));
}
const sumOfRates = (threshold: number): number => {
  const [{ nodes }] = networks;
  const found = rate(nodes, true, ({ negativeMass }) => negativeMass >= threshold);
  const accused = rate(nodes, false, ({ negativeMass }) => negativeMass >= threshold);
  return found.flagged / found.all + 1 - accused.flagged / accused.all;
};
const hundredths = Array.from({ length: 60 }, (_, i) => (i + 1) / 100);
const best = Math.max(...hundredths.map(sumOfRates));
const chosen = hundredths.filter((threshold) => sumOfRates(threshold) >= best - 1e-12);

const shown = [
  0.02, 0.05, 0.08, 0.1, 0.12, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.25, 0.3, 0.35, 0.4, 0.5,
];
const lines = [
  `![Share of frauds found against the share of benign nodes accused, on both networks](detection-curve.svg)`,
  '',
  '| threshold | OTC frauds found | OTC benign accused | Alpha frauds found | Alpha benign accused |',
  '|---|---|---|---|---|',
  ...shown.map(
    (threshold) =>
      `| ${threshold.toFixed(2)} | ${cells(({ negativeMass }) => negativeMass >= threshold).join(' | ')} |`,
  ),
  `| CUSUM alone | ${cells(({ isAlarmed }) => isAlarmed).join(' | ')} |`,
  '',
  `Area under the curve: ${networks.map(({ name, nodes }) => `${name} ${areaUnder(nodes).toFixed(3)}`).join(', ')}. Largest sum of recall and`,
  `specificity on Bitcoin-OTC: ${best.toFixed(3)}, at ${chosen.map((threshold) => threshold.toFixed(2)).join(', ')}.`,
];
writeSection('detection', lines);

const [width, height, left, right, top, bottom] = [720, 420, 70, 30, 50, 60];
const x = (share: number) => left + (width - left - right) * share;
const y = (share: number) => height - bottom - (height - top - bottom) * share;
const at = (nodes: readonly Node[], is: (node: Node) => boolean): readonly [number, number] => {
  const [found, accused] = [rate(nodes, true, is), rate(nodes, false, is)];
  return [accused.flagged / accused.all, found.flagged / found.all];
};
const text = (px: number, py: number, words: string, more = '') =>
  `<text x="${px.toFixed(1)}" y="${py.toFixed(1)}" ${more}>${words}</text>`;
const ticks = [0, 0.25, 0.5, 0.75, 1];
const threshold = 0.18;
const parts = [
  ...ticks.flatMap((share) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(share).toFixed(1)}" y2="${y(share).toFixed(1)}" stroke="#eaecf0"/>`,
    `<line y1="${top}" y2="${height - bottom}" x1="${x(share).toFixed(1)}" x2="${x(share).toFixed(1)}" stroke="#eaecf0"/>`,
    text(left - 10, y(share) + 4, `${100 * share} %`, 'text-anchor="end"'),
    text(x(share), height - bottom + 20, `${100 * share} %`, 'text-anchor="middle"'),
  ]),
  `<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#98a2b3" stroke-dasharray="4 4"/>`,
  text((left + width - right) / 2, height - 14, 'benign nodes accused', 'text-anchor="middle"'),
  text(
    left - 40,
    28,
    'Frauds found by negative mass (lines) and by the CUSUM alone (crosses)',
    'font-weight="600"',
  ),
  ...networks.flatMap(({ name, colour, nodes }, index) => {
    const thresholds = [...new Set(nodes.map(({ negativeMass }) => negativeMass))].toSorted(
      (one, other) => other - one,
    );
    const points = [
      [0, 0],
      ...thresholds.map((least) => at(nodes, ({ negativeMass }) => negativeMass >= least)),
    ];
    const line = points.map(([px = 0, py = 0]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
    const [cx, cy] = at(nodes, ({ isAlarmed }) => isAlarmed);
    const [mx, my] = at(nodes, ({ negativeMass }) => negativeMass >= threshold);
    const ly = y(0.2) + 22 * index;
    return [
      `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
      `<path d="M${x(cx) - 5} ${y(cy) - 5}l10 10m0 -10l-10 10" stroke="${colour}" stroke-width="2.5"/>`,
      `<circle cx="${x(mx).toFixed(1)}" cy="${y(my).toFixed(1)}" r="5" fill="#fff" stroke="${colour}" stroke-width="2.5"/>`,
      `<line x1="${x(0.52)}" x2="${x(0.56)}" y1="${ly}" y2="${ly}" stroke="${colour}" stroke-width="2.5"/>`,
      text(x(0.57), ly + 4, `${name}, area ${areaUnder(nodes).toFixed(3)}; circle at ${threshold}`),
    ];
  }),
];
writeFileSync(
  new URL('../../../docs/guides/detection-curve.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Negative mass finds more frauds than the CUSUM at every rate of false alarms">
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`,
);
