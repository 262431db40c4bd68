import { normalCdf } from '../../src/statistics/normal.ts';
import type { Conduct } from './behaviors.ts';
import type { Feedback, Offer, Policy } from './policy.ts';
import { createRandomStream } from './random.ts';
import type { SimulatedTask } from './tasks.ts';
import type { SimulatedPlatform } from './worlds.ts';

const falsePositives = 0.03;
const falseNegatives = 0.02;
const latencyDeviation = 0.6;
const maxShare = 0.5;
const shareFromDecision = 7;

/** Figures of one policy in one world. */
export interface RunResult {
  /** Sum of the expected utilities of its choices. */
  readonly utility: number;
  readonly tasks: number;
  /** Value of the tasks given to platforms that cheated on them, per 1,000 tasks. */
  readonly defectedValue: number;
  /** Share of correct and timely results. */
  readonly success: number;
  /** Mean price of a task. */
  readonly cost: number;
  readonly microsPerDecision: number;
  /** Sum of the expected utilities so far, at 30 points of time. */
  readonly curve: readonly number[];
}

interface State {
  readonly platform: SimulatedPlatform;
  id: string;
  identity: number;
  served: number;
  inFlight: number;
}

interface Pending extends Feedback {
  readonly state: State;
}

/** Runs a policy, the oracle (`'oracle'`) or the uniform choice (`'random'`) through the tasks of a world. */
export function runPolicy(
  policy: Policy | 'oracle' | 'random',
  platforms: readonly SimulatedPlatform[],
  tasks: readonly SimulatedTask[],
  seed: number,
): RunResult {
  const draws = createRandomStream(seed, 'policy');
  // Drawn once for every task and platform, whatever is chosen, so that policies differ by their choices only.
  const luck = platforms.map((each) => createRandomStream(seed, `luck ${each.name}`));
  const states: State[] = platforms.map((platform) => ({
    platform,
    id: platform.name,
    identity: 0,
    served: 0,
    inFlight: 0,
  }));
  const pending: Pending[] = [];
  const recent: { atHours: number; state: State }[] = [];
  const shares = new Map<State, number>();
  let [utility, defectedValue, successes, cost, micros] = [0, 0, 0, 0, 0];

  const curve: number[] = [];
  for (const task of tasks) {
    if (task.index % Math.ceil(tasks.length / 30) === 0) curve.push(utility);
    while (pending.length > 0 && (pending[0]?.atHours ?? 0) <= task.atHours)
      deliver(pending.shift() as Pending, policy);
    while (recent.length > 0 && (recent[0]?.atHours ?? 0) <= task.atHours - 1) {
      const old = recent.shift() as { state: State };
      shares.set(old.state, (shares.get(old.state) ?? 1) - 1);
    }
    const uniforms = luck.map((stream) => [stream.uniform(), stream.normal(), stream.uniform()] as const);
    const present = states.filter(
      ({ platform }) => platform.from <= task.atHours && task.atHours < platform.until,
    );
    const fair =
      recent.length + 1 < shareFromDecision
        ? present
        : present.filter((state) => (shares.get(state) ?? 0) + 1 <= maxShare * (recent.length + 1));
    const open = fair.length > 0 ? fair : present;
    if (open.length === 0) continue;

    const conducts = open.map((state) => state.platform.behavior.conduct(task, state));
    let index: number;
    if (policy === 'oracle') {
      index = best(open.map((state, at) => expectedUtility(state, task, conducts[at] as Conduct)));
    } else if (policy === 'random') {
      index = Math.floor(draws.uniform() * open.length);
    } else {
      const offers = open.map(
        ({ id, platform, inFlight }): Offer => ({
          id,
          initialTrust: platform.initialTrust[task.type] ?? 0.45,
          price: platform.price * task.size,
          inFlight,
        }),
      );
      const before = process.hrtime.bigint();
      index = policy.choose(task, offers, draws.uniform);
      micros += Number(process.hrtime.bigint() - before) / 1_000;
    }
    const state = open[index] as State;
    const conduct = conducts[index] as Conduct;
    const { platform } = state;
    utility += expectedUtility(state, task, conduct);
    cost += platform.price * task.size;
    if (conduct.defects) defectedValue += task.value;

    const [success, latency, validation] = uniforms[states.indexOf(state)] as readonly [
      number,
      number,
      number,
    ];
    const correct = success < probabilityCorrect(platform, task, conduct);
    const latencySeconds = medianLatency(state) * Math.exp(latencyDeviation * latency);
    const inTime = latencySeconds <= task.deadlineSeconds;
    if (correct && inTime) successes += 1;
    const passes = correct
      ? validation >= falseNegatives
      : validation < (platform.behavior.foolsValidator ?? falsePositives);
    insert(pending, {
      task,
      id: state.id,
      state,
      accepted: passes,
      latencySeconds,
      atHours: task.atHours + latencySeconds / 3600,
    });
    recent.push({ atHours: task.atHours, state });
    shares.set(state, (shares.get(state) ?? 0) + 1);
    state.inFlight += 1;
    state.served += 1;
    if (platform.behavior.served?.(task, conduct)) {
      state.identity += 1;
      state.id = `${platform.name}+${state.identity}`;
    }
  }
  return {
    utility,
    tasks: tasks.length,
    defectedValue: (defectedValue / tasks.length) * 1_000,
    success: successes / tasks.length,
    cost: cost / tasks.length,
    microsPerDecision: micros / tasks.length,
    curve: [...curve, utility],
  };
}

function deliver({ state, ...feedback }: Pending, policy: Policy | 'oracle' | 'random'): void {
  state.inFlight -= 1;
  if (typeof policy !== 'string') policy.learn(feedback);
}

function insert(pending: Pending[], item: Pending): void {
  let at = pending.length;
  while (at > 0 && (pending[at - 1]?.atHours ?? 0) > item.atHours) at -= 1;
  pending.splice(at, 0, item);
}

const medianLatency = ({ platform, inFlight }: State) =>
  platform.medianSeconds * (1 + Math.max(0, inFlight - 3) / 6);

function probabilityCorrect(
  platform: SimulatedPlatform,
  task: SimulatedTask,
  { shift, defects }: Conduct,
): number {
  if (defects) return 0.02;
  const chance = (platform.skill[task.type] ?? 0) - 0.18 * (task.difficulty - 0.5) + shift;
  return Math.min(0.99, Math.max(0.02, chance));
}

function expectedUtility(state: State, task: SimulatedTask, conduct: Conduct): number {
  const inTime = normalCdf(Math.log(task.deadlineSeconds / medianLatency(state)) / latencyDeviation);
  return (
    task.value * probabilityCorrect(state.platform, task, conduct) * inTime - state.platform.price * task.size
  );
}

function best(values: readonly number[]): number {
  let found = 0;
  for (const [index, value] of values.entries()) if (value > (values[found] ?? 0)) found = index;
  return found;
}
