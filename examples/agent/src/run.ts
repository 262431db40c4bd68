import { setTimeout as delay } from 'node:timers/promises';
import type { LogEvent } from '@bonafide/cli/terminal';
import { codeGeneration, largeJobMsat, seededRandom, shuffled } from '@bonafide/example-strangers';
import type { Agent } from './agent.ts';
import { delegate } from './delegate.ts';
import { introduce, type Stranger } from './stranger.ts';
import { loadTestedTasks, type TestedTask } from './tasks.ts';
import type { RunState, Work, Workspace } from './workspace.ts';

/** Prints one event of a run. */
export type Say = LogEvent<'note' | 'meet' | 'try' | 'decide' | 'hire' | 'reflect'>;

/** Everything that a run uses. */
export interface Run {
  readonly agent: Agent;
  readonly workspace: Workspace;
  /** Number of platforms to wait for, at most for `meetTimeoutMs`. */
  readonly expected: number;
  readonly meetTimeoutMs: number;
  readonly say: Say;
  readonly signal: AbortSignal;
  state: RunState;
}

const smallJobMsat = 1_000;
const bigJobMsat = 10_000;
const reflectEvery = 10;
/** Maximum number of trials of a qualification. */
const mostTrials = 5;

/** Finds platforms, gives them trials, hires those that qualify, and reflects in between. Resumes an interrupted run. */
export async function run(context: Run): Promise<readonly Stranger[]> {
  const { say, state } = context;
  const strangers = await meet(context);
  if (strangers.length === 0)
    say('note', '', 'No platform was found. Check that the relays have cards for code generation.');
  const tasks = shuffled(loadTestedTasks(), seededRandom(state.seed));
  const production = tasks.splice(strangers.length * mostTrials);
  await Promise.all(
    strangers.map((stranger, i) =>
      tryOut(context, stranger, tasks.slice(i * mostTrials, (i + 1) * mostTrials)),
    ),
  );
  await reflect(context, 'the trials are over');
  for (let number = 1; number <= state.jobs && strangers.length > 0; number += 1) {
    const task = production[(number - 1) % production.length];
    if (task !== undefined) await hire(context, strangers, number, task);
    if (number % reflectEvery === 0) await reflect(context, `${number} jobs are done`);
  }
  save(context, { finishedAt: Date.now() });
  return strangers;
}

function save(context: Run, changed: Partial<RunState>): void {
  context.state = { ...context.state, ...changed };
  context.workspace.save(context.state);
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

/** Delegates one piece of work, and records the result in the matrix and in the run's state. */
async function assign(
  context: Run,
  stranger: Stranger,
  piece: Pick<Work, 'key' | 'kind' | 'bidMsat'>,
  task: TestedTask,
  label: string,
) {
  const { agent, say, signal } = context;
  const { platform, name } = stranger;
  const { outcome, measurements, work } = await delegate(agent, { ...task, ...stranger, ...piece }, signal);
  const tests = `${work.passed}/${work.tests} tests`;
  // A success fits into a line of 80 characters.
  const columns = [label.padEnd(11), work.task.padEnd(13), outcome.padEnd(10)];
  const ends = outcome === 'SUCCESS' ? [tests] : [tests.padEnd(11), work.cause];
  say(piece.kind === 'trial' ? 'try' : 'hire', name, ...columns, ...ends);
  const about = { platform, taskType: codeGeneration };
  const { entry } =
    piece.kind === 'trial'
      ? await agent.matrix.recordBenchmark({
          ...about,
          attemptId: piece.key,
          verdict: { outcome, ...measurements },
        })
      : await agent.matrix.recordOutcome({
          ...about,
          jobId: piece.key,
          outcome,
          measurements,
          valueMsat: piece.bidMsat,
        });
  save(context, { work: [...context.state.work, work] });
  return entry;
}

const isDone = ({ state }: Run, key: string) => state.work.some((work) => work.key === key);

/** Gives a platform trials until the matrix has decided about it. */
async function tryOut(context: Run, stranger: Stranger, tasks: readonly TestedTask[]): Promise<void> {
  const { agent, say } = context;
  const { platform, name } = stranger;
  for (const [index, task] of tasks.entries()) {
    const before = await agent.matrix.entry(codeGeneration, platform);
    if (before?.status !== 'EVALUATING') return;
    const key = `${context.state.run}-trial-${index + 1}-${platform.pubkey}`;
    if (isDone(context, key)) continue;
    const piece = { key, kind: 'trial', bidMsat: smallJobMsat } as const;
    const { status, statusReason, trustScore } = await assign(
      context,
      stranger,
      piece,
      task,
      `trial ${index + 1}`,
    );
    if (status !== 'EVALUATING')
      say('decide', name, status, statusReason, `trust ${trustScore?.toFixed(2) ?? 'none'}`);
  }
}

/** Lets the matrix select a platform for one production job; every third job is worth ten times as much. */
async function hire(
  context: Run,
  strangers: readonly Stranger[],
  number: number,
  task: TestedTask,
): Promise<void> {
  const { agent, say, state } = context;
  const key = `${state.run}-job-${number}`;
  if (isDone(context, key)) return;
  const bidMsat = number % 3 === 0 ? bigJobMsat : smallJobMsat;
  const label = `${number}/${state.jobs} ${bidMsat >= largeJobMsat ? 'large' : 'small'}`;
  const { picks } = await agent.matrix.select({ taskType: codeGeneration, jobId: key, valueMsat: bidMsat });
  const chosen = strangers.find(({ platform }) => platform.pubkey === picks[0]?.platform.pubkey);
  if (chosen === undefined) say('hire', 'nobody', label, 'no platform may be given this job');
  else await assign(context, chosen, { key, kind: 'job', bidMsat }, task, label);
}

async function reflect({ agent, say }: Run, reason: string): Promise<void> {
  await agent.cortex.reflectNow(reason);
  const [latest] = agent.cortex.history();
  if (latest !== undefined) say('reflect', 'cortex', `${reason}:`, latest.summary);
}
