/*
 * Simulates a year of honest and cheating platforms, and writes false and missed breaches into docs/guides/trust-attacks.md:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/year-table.ts`.
 */
import { simulateYear } from '../test/sla-year.ts';
import { writeSection } from './guide.ts';

const results = simulateYear({ seeds: [1, 2, 3, 4, 5], everyDays: 7 });
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const lines = [
  '| platform | promise broken in truth | missed | false breaches | stale | uptime overstated by at most | understated |',
  '|---|---|---|---|---|---|---|',
];
for (const kind of [false, true]) {
  const own = results.filter(({ cheats }) => cheats === kind);
  for (const one of own) {
    const { name, evaluations, broken, missed, falseBreaches, stale, overstated, understated } = one;
    const kept = evaluations - broken;
    lines.push(
      `| ${kind ? 'cheat' : 'honest'}: ${name} | ${broken} of ${evaluations} | ${broken === 0 ? '–' : missed} | ${kept === 0 ? '–' : `${falseBreaches} of ${kept}`} | ${stale} | ${percent(overstated)} | ${percent(understated)} |`,
    );
  }
}
const sum = (pick: (one: (typeof results)[number]) => number) =>
  results.reduce((total, one) => total + pick(one), 0);
const broken = sum((one) => one.broken);
const kept = sum((one) => one.evaluations) - broken;
lines.push(
  '',
  `In all: ${sum((one) => one.falseBreaches)} false breaches in ${kept.toLocaleString('en')} evaluations of kept promises, ${sum((one) => one.missed)} missed ones in ${broken.toLocaleString('en')} of broken promises.`,
);
writeSection('year', lines);
