import { normalCdf } from '../../src/statistics/normal.ts';
import {
  type Behavior,
  declining,
  farming,
  flaky,
  lying,
  oscillating,
  steady,
  stepping,
  walking,
  whitewashing,
} from './behaviors.ts';
import { createRandomStream, type RandomStream } from './random.ts';
import { valueQuantile } from './tasks.ts';

/** A simulated platform. */
export interface SimulatedPlatform {
  readonly name: string;
  /** Probability of correct work at medium difficulty, by task type. */
  readonly skill: readonly number[];
  /** Price of a task of size 1, in units of a mean task's value. */
  readonly price: number;
  readonly medianSeconds: number;
  /** Hours at which it joins and leaves. */
  readonly from: number;
  readonly until: number;
  readonly behavior: Behavior;
  /** Trust after its qualification, by task type. */
  readonly initialTrust: readonly number[];
}

export const worldNames = ['stationary', 'drift', 'abrupt', 'adversarial', 'churn', 'mixed'] as const;
export type WorldName = (typeof worldNames)[number];

type Maker = (random: RandomStream, hours: number) => SimulatedPlatform;

const members: Record<WorldName, readonly (readonly [kind: string, count: number])[]> = {
  stationary: [
    ['steady', 7],
    ['bad', 2],
    ['specialist', 3],
  ],
  drift: [
    ['steady', 3],
    ['walk', 5],
    ['slow', 3],
    ['bad', 1],
  ],
  abrupt: [
    ['steady', 3],
    ['step', 5],
    ['flaky', 3],
    ['bad', 1],
  ],
  adversarial: [
    ['steady', 5],
    ['farmer', 2],
    ['oscillator', 2],
    ['whitewasher', 2],
    ['liar', 1],
  ],
  churn: [
    ['steady', 4],
    ['newcomer', 4],
    ['leaver', 4],
  ],
  mixed: [
    ['steady', 3],
    ['specialist', 2],
    ['bad', 1],
    ['walk', 1],
    ['slow', 1],
    ['step', 1],
    ['flaky', 1],
    ['newcomer', 1],
    ['leaver', 1],
    ['farmer', 1],
    ['oscillator', 1],
    ['whitewasher', 1],
    ['liar', 1],
  ],
};

/** Creates the platforms of a world; the same seed gives the same platforms. */
export function createWorld(name: WorldName, seed: number, hours: number): SimulatedPlatform[] {
  const platforms: SimulatedPlatform[] = [];
  for (const [kind, count] of members[name]) {
    for (let number = 1; number <= count; number += 1) {
      const random = createRandomStream(seed, `${name} ${kind} ${number}`);
      const maker = makers[kind];
      if (maker === undefined) throw new Error(`No platforms of kind '${kind}'`);
      platforms.push({ ...maker(random, hours), name: `${kind}-${number}` });
    }
  }
  return platforms;
}

function platform(
  random: RandomStream,
  hours: number,
  more: {
    base?: readonly [number, number];
    best?: number;
    behavior?: Behavior;
    from?: number;
    until?: number;
  },
): SimulatedPlatform {
  const base = random.between(...(more.base ?? [0.7, 0.95]));
  const skill = [0, 1, 2, 3].map((type) => {
    if (more.best === undefined) return base + 0.06 * random.normal();
    return type === more.best ? 0.96 : base - 0.35;
  });
  return {
    name: '',
    skill,
    price: random.between(0.02, 0.25),
    medianSeconds: 25 * Math.exp(0.6 * random.normal()) + 10,
    from: more.from ?? 0,
    until: more.until ?? hours,
    behavior: more.behavior ?? steady(),
    initialTrust: skill.map((each) => (each >= 0.9 ? 0.75 : each >= 0.75 ? 0.6 : 0.45)),
  };
}

const makers: Readonly<Record<string, Maker>> = {
  steady: (random, hours) => platform(random, hours, {}),
  bad: (random, hours) => platform(random, hours, { base: [0.35, 0.5] }),
  specialist: (random, hours) => platform(random, hours, { best: Math.floor(random.uniform() * 4) }),
  walk: (random, hours) => platform(random, hours, { behavior: walking(random, hours) }),
  slow: (random, hours) => platform(random, hours, { behavior: declining(hours) }),
  step: (random, hours) => platform(random, hours, { behavior: stepping(random, hours) }),
  flaky: (random, hours) => platform(random, hours, { behavior: flaky(random, hours) }),
  newcomer: (random, hours) => ({
    ...platform(random, hours, { from: random.between(0.2, 0.6) * hours }),
    initialTrust: [0.45, 0.45, 0.45, 0.45],
  }),
  leaver: (random, hours) => platform(random, hours, { until: random.between(0.3, 0.8) * hours }),
  farmer: (random, hours) =>
    platform(random, hours, {
      base: [0.85, 0.97],
      behavior: farming(random, (q) => valueQuantile(q, normalCdf)),
    }),
  oscillator: (random, hours) =>
    platform(random, hours, { base: [0.85, 0.97], behavior: oscillating(random) }),
  whitewasher: (random, hours) => ({
    ...platform(random, hours, { base: [0.85, 0.97], behavior: whitewashing() }),
    initialTrust: [0.45, 0.45, 0.45, 0.45],
  }),
  liar: (random, hours) => platform(random, hours, { base: [0.54, 0.56], behavior: lying() }),
};
