import { evaluateSla, type SlaMeasurement } from '../src/index.ts';
import { seeded } from './networks.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

/** A platform's behaviour over a year: measurements for one hour; none when it is silent or not probed. */
type Behaviour = (context: {
  readonly hourOfYear: number;
  readonly random: () => number;
}) => readonly { readonly minute: number; readonly value: number }[];

const at = (value: number) => [{ minute: 0, value }];

/** Honest platforms have short outages, maintenance and lost probes; cheats hide more downtime than they promise. */
export const behaviours: readonly (readonly [string, 'honest' | 'cheat', Behaviour])[] = [
  ['honest, 99.5 %', 'honest', ({ random }) => at(random() < 0.005 ? 0 : 1)],
  [
    'honest, 98 % with lost probes',
    'honest',
    ({ random }) => (random() < 0.1 ? [] : at(random() < 0.02 ? 0.2 : 1)),
  ],
  ['honest, 4 h of maintenance each week', 'honest', ({ hourOfYear }) => at(hourOfYear % 168 < 4 ? 0 : 1)],
  ['honest, degraded but available (97 %)', 'honest', ({ random }) => at(0.95 + 0.04 * random())],
  [
    'honest, probes stop for 3 days each quarter',
    'honest',
    ({ hourOfYear, random }) => (hourOfYear % 2190 < 72 ? [] : at(random() < 0.01 ? 0 : 1)),
  ],
  ['drip: 2 h down each day', 'cheat', ({ hourOfYear }) => at(hourOfYear % 24 < 2 ? 0 : 1)],
  [
    'dilution: 12 h down, 12 points an hour while up',
    'cheat',
    ({ hourOfYear }) =>
      hourOfYear % 24 < 12 ? at(0) : Array.from({ length: 12 }, (_, i) => ({ minute: 5 * i, value: 1 })),
  ],
  [
    'silence: reports only good hours, then stops after a bad week',
    'cheat',
    ({ hourOfYear }) => (hourOfYear % 1000 < 168 ? at(0.2) : hourOfYear % 1000 < 400 ? [] : at(1)),
  ],
  ['burst: 3 days down each month', 'cheat', ({ hourOfYear }) => at(hourOfYear % 720 < 72 ? 0 : 1)],
  ['night shift: down 6 h each night', 'cheat', ({ hourOfYear }) => at(hourOfYear % 24 < 6 ? 0 : 1)],
];

/** The result of one simulated platform. */
export interface YearResult {
  readonly name: string;
  readonly cheats: boolean;
  readonly evaluations: number;
  readonly breachedDays: number;
  readonly staleDays: number;
  /** Share of the evaluated days in breach, 0…1. */
  readonly breachedShare: number;
}

const sla = {
  guarantees: [
    {
      ...{ metric: 'uptime', target: 0.95, measurementWindow: '30 days', breachThreshold: 0.9 },
      penalty: { type: 'trust_score_reduction', amount: 0.1 },
    },
  ],
};

/** Simulates a year of every behaviour, evaluated once a week from the 31st day on. */
export function simulateYear(options: { readonly seed: number }): readonly YearResult[] {
  const random = seeded(options.seed);
  return behaviours.map(([name, kind, behaviour]) => {
    const measured: SlaMeasurement[] = [];
    for (let hourOfYear = 0; hourOfYear < 365 * 24; hourOfYear += 1)
      for (const { minute, value } of behaviour({ hourOfYear, random }))
        measured.push({ metric: 'uptime', at: start + hourOfYear * hour + minute * 60_000, value });
    let breachedDays = 0;
    let staleDays = 0;
    let evaluations = 0;
    for (let today = 31; today <= 365; today += 7) {
      const now = start + today * day;
      // The last 120 days suffice: windows are of 30.
      const known = measured.filter((one) => one.at <= now && one.at > now - 120 * day);
      const { overall } = evaluateSla(sla, known, now);
      evaluations += 1;
      if (overall === 'breached') breachedDays += 1;
      if (overall === 'stale') staleDays += 1;
    }
    const breachedShare = breachedDays / evaluations;
    return { name, cheats: kind === 'cheat', evaluations, breachedDays, staleDays, breachedShare };
  });
}
