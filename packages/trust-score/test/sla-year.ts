import { seededRandom } from '@bonafide/internal';
import {
  evaluateSla,
  newUptimeMonitor,
  recordCheck,
  type SlaMeasurement,
  type TrustPolicy,
  uptimeReport,
} from '../src/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

/** A probe in an hour, and who made it: the verifier itself unless named. */
interface Probe {
  readonly minute: number;
  readonly value: number;
  readonly prober?: string;
}

/** A platform over a year: its state, and what is measured of it. */
interface Platform {
  readonly name: string;
  readonly kind: 'honest' | 'cheat';
  /** Availability at a time, 0…1, in hours since the start of the year. */
  readonly truth: (hours: number) => number;
  /** Probes of one hour. */
  readonly probes: (context: {
    readonly hours: number;
    readonly random: () => number;
    readonly truth: (hours: number) => number;
  }) => readonly Probe[];
}

/** One probe an hour at a random minute, as `nextCheckAt` asks for. */
const jittered: Platform['probes'] = ({ hours, random, truth }) => {
  const at = Math.floor(60 * random());
  return [{ minute: at, value: truth(hours + at / 60) }];
};
/** One probe at each full hour, which a platform can foresee. */
const regular: Platform['probes'] = ({ hours, truth }) => [{ minute: 0, value: truth(hours) }];
const from = (prober: string, probes: readonly Probe[]) => probes.map((one) => ({ ...one, prober }));

/** Outages that begin by chance in an hour of the year, the same for every caller. */
function outages(share: number, value: number, seed: number): Platform['truth'] {
  const random = seededRandom(seed);
  const states = Float64Array.from({ length: 366 * 24 }, () => (random() < share ? value : 1));
  return (hours) => states[Math.floor(hours)] ?? 1;
}
const daily =
  (downHours: number): Platform['truth'] =>
  (hours) =>
    hours % 24 < downHours ? 0 : 1;

/** Honest platforms have short outages, maintenance and lost probes; cheats hide more downtime than they promise. */
export const platforms: readonly Platform[] = [
  { name: 'up 99.5 %', kind: 'honest', truth: outages(0.005, 0, 1), probes: jittered },
  {
    ...{ name: 'up 98 %, a tenth of the probes lost', kind: 'honest', truth: outages(0.02, 0.2, 2) },
    probes: (context) => (context.random() < 0.1 ? [] : jittered(context)),
  },
  {
    ...{ name: '4 h of maintenance each week', kind: 'honest', probes: jittered },
    truth: (hours) => (hours % 168 < 4 ? 0 : 1),
  },
  { name: 'up 96 %, near the limit', kind: 'honest', truth: outages(0.04, 0, 3), probes: jittered },
  {
    ...{ name: 'degraded to 95–99 %, and available', kind: 'honest', probes: jittered },
    truth: (hours) => 0.97 + 0.02 * Math.sin(hours),
  },
  {
    ...{ name: 'probes stop for 3 days each quarter', kind: 'honest', truth: outages(0.01, 0, 4) },
    probes: (context) => (context.hours % 2_190 < 72 ? [] : jittered(context)),
  },
  {
    ...{ name: 'two probers, one with 1 % of false alarms', kind: 'honest', truth: outages(0.005, 0, 5) },
    probes: (context) => [
      ...jittered(context),
      ...from('second', context.random() < 0.01 ? [{ minute: 30, value: 0 }] : jittered(context)),
    ],
  },
  {
    ...{
      name: 'three probers, one a rival that always says down',
      kind: 'honest',
      truth: outages(0.005, 0, 6),
    },
    probes: (context) => [
      ...jittered(context),
      ...from('second', jittered(context)),
      ...from('third', [{ minute: 10, value: 0 }]),
    ],
  },
  { name: 'drip: 2 h down each day', kind: 'cheat', truth: daily(2), probes: jittered },
  { name: 'down 6 h each night', kind: 'cheat', truth: daily(6), probes: jittered },
  {
    name: 'burst: 3 days down each month',
    kind: 'cheat',
    truth: (hours) => (hours % 720 < 72 ? 0 : 1),
    probes: jittered,
  },
  { name: 'up 92 %: a little too little', kind: 'cheat', truth: outages(0.08, 0, 7), probes: jittered },
  {
    ...{ name: 'dilution: 12 h down, 12 probes an hour while up', kind: 'cheat', truth: daily(12) },
    probes: ({ hours, truth }) =>
      truth(hours) === 0
        ? [{ minute: 0, value: 0 }]
        : Array.from({ length: 12 }, (_, i) => ({ minute: 5 * i, value: 1 })),
  },
  {
    ...{ name: 'silence: after a bad week no probe gets an answer or a failure', kind: 'cheat' },
    truth: (hours) => (hours % 1_000 < 400 ? 0.2 : 1),
    probes: (context) =>
      context.hours % 1_000 >= 168 && context.hours % 1_000 < 400 ? [] : jittered(context),
  },
  {
    ...{ name: 'sandwich: a friend’s good probes around each bad one', kind: 'cheat', truth: daily(6) },
    probes: (context) => [
      ...jittered(context),
      ...jittered(context).flatMap((one) => from('second', [{ ...one, value: 1 }])),
    ],
  },
  {
    ...{ name: 'the same among samples without names', kind: 'cheat', truth: daily(6) },
    probes: (context) =>
      jittered(context).flatMap((one) =>
        one.value === 1
          ? [one]
          : [{ minute: one.minute - 0.001, value: 1 }, one, { minute: one.minute + 0.001, value: 1 }],
      ),
  },
  {
    ...{ name: 'ten minted probers say up', kind: 'cheat', truth: daily(6) },
    probes: (context) => [
      ...jittered(context),
      ...Array.from({ length: 10 }, (_, i) => from(`minted ${i}`, [{ minute: 5 * i, value: 1 }])).flat(),
    ],
  },
  {
    ...{ name: 'down half of each hour, foreseen probes at full hours', kind: 'cheat', probes: regular },
    truth: (hours) => (hours % 1 < 0.25 || hours % 1 >= 0.75 ? 1 : 0),
  },
  {
    ...{ name: 'down half of each hour, probes at random minutes', kind: 'cheat', probes: jittered },
    truth: (hours) => (hours % 1 < 0.25 || hours % 1 >= 0.75 ? 1 : 0),
  },
];

/** The result of one simulated platform. */
export interface YearResult {
  readonly name: string;
  readonly cheats: boolean;
  readonly evaluations: number;
  /** Evaluations at which the promise was broken in truth. */
  readonly broken: number;
  /** Of those, the ones that were not found. */
  readonly missed: number;
  /** Evaluations in breach although the promise was kept. */
  readonly falseBreaches: number;
  readonly stale: number;
  /** Largest difference of a 30-day uptime score from the true uptime, upwards and downwards, 0…1. */
  readonly overstated: number;
  readonly understated: number;
}

const target = 0.95;
const threshold = 0.9;
const windowHours = 720;
const sla = {
  guarantees: [
    {
      ...{ metric: 'uptime', target, measurementWindow: '30 days', breachThreshold: threshold },
      penalty: { type: 'trust_score_reduction', amount: 0.1 },
    },
  ],
};
const policy: Partial<TrustPolicy> = { knownProbers: ['second', 'third'] };
/** Steps of the truth in an hour. */
const steps = 4;

/** Returns mean availability and hours of downtime in the 30 days before a time. */
function truthOf({ truth }: Platform, until: number): { readonly mean: number; readonly down: number } {
  let sum = 0;
  let down = 0;
  for (let step = 0; step < windowHours * steps; step += 1) {
    const value = truth(until - windowHours + (step + 0.5) / steps);
    sum += value;
    if (value < threshold) down += (1 - value) / steps;
  }
  return { mean: sum / (windowHours * steps), down };
}

function simulate(platform: Platform, seed: number, everyDays: number): YearResult {
  const random = seededRandom(seed);
  const measured: SlaMeasurement[] = [];
  for (let hours = 0; hours < 365 * 24; hours += 1)
    for (const { minute: at, value, prober } of platform.probes({ hours, random, truth: platform.truth }))
      measured.push({
        ...{ metric: 'uptime', at: start + hours * hour + at * minute, value },
        ...(prober === undefined ? {} : { prober }),
      });
  measured.sort((left, right) => left.at - right.at);
  const found = {
    evaluations: 0,
    broken: 0,
    missed: 0,
    falseBreaches: 0,
    stale: 0,
    overstated: 0,
    understated: 0,
  };
  const options = { maxGapMs: 2 * hour, probers: policy.knownProbers ?? [] };
  let monitor = newUptimeMonitor;
  let fed = 0;
  for (let today = 31; today <= 365; today += everyDays) {
    const now = start + today * day;
    for (let next = measured[fed]; next !== undefined && next.at <= now; next = measured[fed]) {
      const { at, value, prober = '' } = next;
      monitor = recordCheck(monitor, { at, ok: value >= threshold, prober }, { ...options, graceChecks: 0 });
      fed += 1;
    }
    // The last 120 days suffice: windows are of 30.
    const known = measured.filter((one) => one.at <= now && one.at > now - 120 * day);
    const { overall } = evaluateSla(sla, known, now, { policy });
    const { mean, down } = truthOf(platform, today * 24);
    const isBroken = mean < threshold || down > (1 - target) * windowHours;
    const { score } = uptimeReport(monitor, now);
    const trueUptime = 1 - down / windowHours;
    found.evaluations += 1;
    if (isBroken) found.broken += 1;
    if (isBroken && overall !== 'breached') found.missed += 1;
    if (!isBroken && overall === 'breached') found.falseBreaches += 1;
    if (overall === 'stale') found.stale += 1;
    found.overstated = Math.max(found.overstated, score - trueUptime);
    found.understated = Math.max(found.understated, trueUptime - score);
  }
  return { name: platform.name, cheats: platform.kind === 'cheat', ...found };
}

/** Simulates a year of every platform for some seeds, evaluated from the 31st day on. */
export function simulateYear(options: {
  readonly seeds: readonly number[];
  readonly everyDays: number;
}): readonly YearResult[] {
  return platforms.map((platform) => {
    const runs = options.seeds.map((seed) => simulate(platform, seed, options.everyDays));
    const sum = (pick: (run: YearResult) => number) => runs.reduce((total, run) => total + pick(run), 0);
    return {
      name: platform.name,
      cheats: platform.kind === 'cheat',
      evaluations: sum((run) => run.evaluations),
      broken: sum((run) => run.broken),
      missed: sum((run) => run.missed),
      falseBreaches: sum((run) => run.falseBreaches),
      stale: sum((run) => run.stale),
      overstated: Math.max(...runs.map((run) => run.overstated)),
      understated: Math.max(...runs.map((run) => run.understated)),
    };
  });
}
