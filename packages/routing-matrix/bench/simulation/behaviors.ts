import type { RandomStream } from './random.ts';
import type { SimulatedTask } from './tasks.ts';

/** What a platform does with one task. */
export interface Conduct {
  /** Change of the probability of correct work. */
  readonly shift: number;
  /** True when it cheats on purpose: it delivers wrong work whatever its skill. */
  readonly defects: boolean;
}

/** A platform's conduct over time; it may react to the tasks that it gets. */
export interface Behavior {
  conduct(task: SimulatedTask, platform: { readonly served: number }): Conduct;
  /** Called after each task that it got. Returns true when it leaves and returns under a new identity. */
  served?(task: SimulatedTask, conduct: Conduct): boolean;
  /** Probability that wrong work of it passes the validator; absent for the validator's own rate. */
  readonly foolsValidator?: number;
}

const honest: Conduct = { shift: 0, defects: false };
const defecting: Conduct = { shift: 0, defects: true };

export const steady = (): Behavior => ({ conduct: () => honest });

/** A mean-reverting walk of its skill, one step an hour. */
export function walking(random: RandomStream, hours: number): Behavior {
  const path: number[] = [];
  let level = 0;
  for (let hour = 0; hour <= hours; hour += 1) {
    level = level * 0.995 + random.normal() * 0.02;
    path.push(level);
  }
  return { conduct: ({ atHours }) => ({ shift: path[Math.floor(atHours)] ?? 0, defects: false }) };
}

/** Loses .55 of its probability over the month. */
export const declining = (hours: number): Behavior => ({
  conduct: ({ atHours }) => ({ shift: (-0.55 * atHours) / hours, defects: false }),
});

/** Loses .6 at once, for a quarter to nearly a half of the month. */
export function stepping(random: RandomStream, hours: number): Behavior {
  const length = random.between(0.25, 0.45) * hours;
  const from = random.between(0.1 * hours, hours - length);
  return {
    conduct: ({ atHours }) => ({
      shift: atHours >= from && atHours < from + length ? -0.6 : 0,
      defects: false,
    }),
  };
}

/** Fails for two hours about every twenty. */
export function flaky(random: RandomStream, hours: number): Behavior {
  const outages: number[] = [];
  for (let at = random.between(0, 20); at < hours; at += random.between(12, 28)) outages.push(at);
  return {
    conduct: ({ atHours }) => ({
      shift: outages.some((from) => atHours >= from && atHours < from + 2) ? -0.9 : 0,
      defects: false,
    }),
  };
}

/** Serves small jobs well; after 40 good ones it cheats on the next job above a value quantile, then serves 12 well. */
export function farming(random: RandomStream, valueQuantile: (q: number) => number): Behavior {
  const bait = valueQuantile(random.between(0.6, 0.95));
  let owed = 40;
  return {
    conduct: ({ value }) => (owed <= 0 && value > bait ? defecting : honest),
    served(_, { defects }) {
      owed = defects ? 12 : owed - 1;
      return false;
    },
  };
}

/** Serves 60 to 120 jobs well, then 20 to 40 badly, and so on. */
export function oscillating(random: RandomStream): Behavior {
  const length = (good: boolean) => Math.floor(good ? random.between(60, 120) : random.between(20, 40));
  let good = true;
  let left = length(good);
  return {
    conduct: () => (good ? honest : defecting),
    served() {
      left -= 1;
      if (left > 0) return false;
      good = !good;
      left = length(good);
      return false;
    },
  };
}

/** Serves ten jobs well and twenty badly, then returns as a stranger. */
export function whitewashing(): Behavior {
  let count = 0;
  return {
    conduct: () => (count < 10 ? honest : defecting),
    served() {
      count = (count + 1) % 30;
      return count === 0;
    },
  };
}

/** Is correct in about half of its work, and most of the rest passes the validator. */
export const lying = (): Behavior => ({ conduct: () => honest, foolsValidator: 0.6 });
