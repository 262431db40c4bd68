/*
 * Writes error rates and calibration of `detectEndorsementGaming` on simulated communities and rings into
 * docs/guides/trust-attacks.md: `node --conditions=@bonafide/source packages/trust-score/scripts/endorsement-table.ts`.
 */
import { seededRandom } from '@bonafide/internal';
import { detectEndorsementGaming, type Endorsement } from '../src/index.ts';
import { honestCommunity, now, strategies, sybilRing } from '../test/endorsement-communities.ts';
import { writeSection } from './guide.ts';

const count = 1_000;
// Another seed than the fit's.
const random = seededRandom(4_711);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const judge = (list: readonly Endorsement[]) => detectEndorsementGaming(list, now);

const verdicts = ['clean', 'suspicious', 'sybil_detected'] as const;
const row = (name: string, make: () => readonly Endorsement[]): string => {
  const found = Array.from({ length: count }, () => judge(make()).verdict);
  const shares = verdicts.map((verdict) => percent(found.filter((one) => one === verdict).length / count));
  return `| ${name} | ${shares.join(' | ')} |`;
};
const sizes = [
  ['20 to 60', [20, 60]],
  ['5 to 19', [5, 19]],
] as const;
const table = [
  '| simulated | clean | suspicious | Sybil attack |',
  '|---|---|---|---|',
  row('honest community, 4 to 50 endorsers', () => honestCommunity(random)),
  ...strategies.flatMap((strategy) =>
    sizes.map(([text, size]) =>
      row(`ring by \`${strategy}\`, ${text} Sybils`, () => sybilRing(strategy, random, size)),
    ),
  ),
];

/** Probabilities of as many honest sets as rings, each with enough endorsers for the weak signals. */
const sample = (isRing: boolean, make: (i: number) => readonly Endorsement[]) =>
  Array.from({ length: 5 * count }, (_, i) => judge(make(i)).probability).flatMap((probability) =>
    probability === null ? [] : [{ isRing, probability }],
  );
const seen = strategies.filter((one) => one !== 'patient');
const rings = sample(true, (i) => sybilRing(seen[i % seen.length] ?? 'burst', random));
const honest = sample(false, () => honestCommunity(random)).slice(0, rings.length);
const all = [...honest, ...rings.slice(0, honest.length)];
const limits = [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 1];
const bins = limits.slice(1).map((to, i) => {
  const from = limits[i] ?? 0;
  const own = all.filter(({ probability }) => probability >= from && (probability < to || to === 1));
  const mean = own.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, own.length);
  const share = own.filter(({ isRing }) => isRing).length / Math.max(1, own.length);
  return { from, to, count: own.length, mean, share };
});
const error = bins.reduce((sum, bin) => sum + (bin.count / all.length) * Math.abs(bin.mean - bin.share), 0);
const brier =
  all.reduce((sum, { isRing, probability }) => sum + (probability - (isRing ? 1 : 0)) ** 2, 0) / all.length;
writeSection('endorsements', [
  ...table,
  '',
  `Calibration of \`probability\`, on ${honest.length.toLocaleString('en')} honest sets and as many rings of 20 and more (without \`patient\`):`,
  '',
  '| stated probability | sets | mean stated | rings in truth |',
  '|---|---|---|---|',
  ...bins.map(
    ({ from, to, count: own, mean, share }) =>
      `| ${from} to ${to} | ${own.toLocaleString('en')} | ${own === 0 ? '–' : percent(mean)} | ${own === 0 ? '–' : percent(share)} |`,
  ),
  '',
  `Mean difference between stated and true shares: ${percent(error)}; Brier score ${brier.toFixed(3)} (guessing: 0.250).`,
]);
