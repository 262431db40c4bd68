import { createRandomStream } from './random.ts';

/** One task of the simulated customer. */
export interface SimulatedTask {
  readonly index: number;
  readonly atHours: number;
  readonly type: number;
  /** 0..1 */
  readonly difficulty: number;
  /** Mean about 1. */
  readonly value: number;
  /** 0.5..1.5; the price is per unit of size. */
  readonly size: number;
  readonly deadlineSeconds: number;
}

export const typeShares = [0.4, 0.3, 0.2, 0.1];
const logMean = -0.32;
const logDeviation = 0.8;

/** Draws the tasks of a month: Poisson arrivals, log-normal values, two deadlines. */
export function drawTasks(
  seed: number,
  options: { readonly hours: number; readonly perHour: number },
): SimulatedTask[] {
  const random = createRandomStream(seed, 'tasks');
  const tasks: SimulatedTask[] = [];
  for (let atHours = 0; ; ) {
    atHours += -Math.log(1 - random.uniform()) / options.perHour;
    if (atHours >= options.hours) return tasks;
    let draw = random.uniform();
    let type = 0;
    while (draw >= (typeShares[type] ?? 1)) {
      draw -= typeShares[type] ?? 1;
      type += 1;
    }
    tasks.push({
      index: tasks.length,
      atHours,
      type,
      difficulty: random.uniform(),
      value: Math.exp(logMean + logDeviation * random.normal()),
      size: random.between(0.5, 1.5),
      deadlineSeconds: random.uniform() < 0.25 ? 120 : 600,
    });
  }
}

/** Returns the value that a share `q` of all tasks does not exceed, by bisection. */
export function valueQuantile(q: number, cdf: (x: number) => number): number {
  let [low, high] = [-6, 6];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (cdf(middle) < q) low = middle;
    else high = middle;
  }
  return Math.exp(logMean + (logDeviation * (low + high)) / 2);
}
