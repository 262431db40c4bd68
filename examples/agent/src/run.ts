import { setTimeout as delay } from 'node:timers/promises';
import type { LogEvent } from '@bonafide/cli/terminal';
import { type BenchmarkTask, type Delegation, isBonafideError, type OrderState } from '@bonafide/delegation';
import { codeGeneration, largeJobMsat } from '@bonafide/example-strangers';
import { type Agent, maxShare } from './agent.ts';
import { introduce, type Stranger } from './stranger.ts';
import { orderId, workOf } from './work.ts';
import type { RunState, Workspace } from './workspace.ts';

/** Prints one event of a run. */
export type Say = LogEvent<'note' | 'meet' | 'try' | 'decide' | 'hire' | 'reflect'>;

/** Everything that a run uses. */
export interface Run {
  readonly agent: Agent;
  readonly workspace: Workspace;
  /** Number of platforms to wait for, at most for `meetTimeoutMs`. */
  readonly expected: number;
  readonly meetTimeoutMs: number;
  /** Tasks of the jobs. */
  readonly tasks: readonly BenchmarkTask[];
  readonly say: Say;
  readonly signal: AbortSignal;
  readonly state: RunState;
}

const smallJobMsat = 1_000;
const bigJobMsat = 10_000;
const reflectEvery = 10;

/** Finds platforms, gives them trials, hires those that qualify, and reflects in between. Resumes an interrupted run. */
export async function run(context: Run): Promise<readonly Stranger[]> {
  const { agent, say, state, workspace } = context;
  const strangers = await meet(context);
  if (strangers.length === 0)
    say('note', '', 'No platform was found. Check that the relays have cards for code generation.');
  say('note', '', `One platform gets at most ${maxShare * 100} % of the jobs here; by default it is 50 %.`);
  agent.delegation.on('settled', ({ state: order }) => report(context, order));
  await Promise.all(strangers.map((stranger) => tryOut(context, stranger)));
  await reflect(context, 'the trials are over');
  for (let number = 1; number <= state.jobs && strangers.length > 0; number += 1) {
    await hire(context, agent.delegation, number);
    if (number % reflectEvery === 0) await reflect(context, `${number} jobs are done`);
  }
  workspace.save({ ...state, finishedAt: Date.now() });
  return strangers;
}

/** Waits until as many platforms as expected are found, or the time limit ends. */
async function meet({ agent, expected, meetTimeoutMs, say, signal }: Run): Promise<Stranger[]> {
  const met = new Map<string, Stranger>();
  const until = Date.now() + meetTimeoutMs;
  while (met.size < expected && Date.now() < until) {
    for await (const { entry, match } of agent.discovery.find({ capability: codeGeneration })) {
      if (met.has(entry.pubkey)) continue;
      const stranger = introduce(entry);
      met.set(entry.pubkey, stranger);
      await agent.matrix.register({ ...stranger, taskTypes: [codeGeneration] });
      say(
        'meet',
        stranger.name,
        `${stranger.npub.slice(0, 9)}…${stranger.npub.slice(-4)}`,
        `${match.reason} from ${stranger.priceMsat ?? '?'} msat`,
      );
    }
    await delay(100, undefined, { signal });
  }
  // Sorted by name, so that a seed gives the same run with other keys.
  return [...met.values()].sort((a, b) => (a.name + a.npub < b.name + b.npub ? -1 : 1));
}

/** Prints what the platforms did for an order. */
function report({ say, state }: Run, { order, replicas }: OrderState): void {
  const isTrial = order.trial !== null;
  const [, , number = ''] = order.id.split(':');
  const size = order.valueMsat >= largeJobMsat ? 'large' : 'small';
  const label = isTrial ? 'trial' : `${number}/${state.jobs} ${size}`;
  if (replicas.length === 0) say('hire', 'none', label, 'no platform may be given this job');
  for (const { platform, task, outcome, passed, tests, cause } of workOf({ order, replicas } as OrderState)) {
    const ends =
      outcome === 'SUCCESS' ? [`${passed}/${tests} tests`] : [`${passed}/${tests} tests`.padEnd(11), cause];
    say(isTrial ? 'try' : 'hire', platform, label.padEnd(11), task.padEnd(13), outcome.padEnd(10), ...ends);
  }
}

/** Gives a platform trials until the matrix has decided about it. */
async function tryOut({ agent, say, signal }: Run, { platform, name }: Stranger): Promise<void> {
  const { status, statusReason, trustScore } = await agent.delegation.qualify(platform, codeGeneration, {
    signal,
  });
  say('decide', name, status, statusReason, `trust ${trustScore?.toFixed(2) ?? 'none'}`);
}

/** Hands out one production job; every third job is worth ten times as much. */
export async function hire(
  { tasks, state, signal }: Run,
  delegation: Delegation,
  number: number,
  group = 'job',
): Promise<void> {
  const task = tasks[(number - 1) % tasks.length];
  if (task === undefined) return;
  const { id, inputs, suite } = task;
  const job = orderId(state, number, id, group);
  await delegation
    .delegate(
      {
        id: job,
        taskType: codeGeneration,
        inputs: [...inputs],
        suite,
        valueMsat: number % 3 === 0 ? bigJobMsat : smallJobMsat,
      },
      { signal },
    )
    .catch((error) => {
      // The job failed, which its line says; the next one may not.
      if (!isBonafideError(error, 'NO_PLATFORM')) throw error;
    });
  // The next job is given to whom this one recommends.
  await delegation.settled(job, { signal });
}

async function reflect({ agent, say }: Run, reason: string): Promise<void> {
  await agent.cortex.reflectNow(reason);
  const [latest] = agent.cortex.history();
  if (latest !== undefined) say('reflect', 'cortex', `${reason}:`, latest.summary);
}
