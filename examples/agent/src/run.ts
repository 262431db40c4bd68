import { setTimeout as delay } from 'node:timers/promises';
import { codeGeneration, largeJobMsat } from '@bonafide/example-strangers';
import type { MatrixEntry, PlatformRef } from '@bonafide/routing-matrix';
import { nip19 } from 'nostr-tools';
import type { Agent } from './agent.ts';
import { type Delivery, delegate } from './delegate.ts';
import { seededRandom, shuffled } from './random.ts';
import type { Say } from './say.ts';
import { loadTestedTasks, type TestedTask } from './tasks.ts';
import type { RunState, Work, Workspace } from './workspace.ts';

/** A stranger, as its card presents it. */
export interface Stranger {
  readonly platform: PlatformRef;
  readonly npub: string;
  readonly name: string;
  readonly relays: readonly string[];
  readonly priceMsat: number | null;
}

/** What a run works with. */
export interface Run {
  readonly agent: Agent;
  readonly workspace: Workspace;
  /** How many strangers to wait for at most, and how long. */
  readonly expected: number;
  readonly patienceMs: number;
  readonly say: Say;
  readonly signal: AbortSignal;
  state: RunState;
}

const smallJobMsat = 1_000;
const bigJobMsat = 10_000;
const reflectEvery = 10;
/** Most trials that a qualification can ask for (RTM-3). */
const mostTrials = 5;

/** Meets strangers, tries them out, hires those that qualified, and reflects in between. Goes on where it was. */
export async function run(context: Run): Promise<Stranger[]> {
  const { agent, say, state } = context;
  const strangers = await meet(context);
  const tasks = shuffled(loadTestedTasks(), seededRandom(state.seed));
  await Promise.all(
    strangers.map((stranger, index) =>
      tryOut(context, stranger, tasks.slice(index * mostTrials, (index + 1) * mostTrials)),
    ),
  );
  await reflect(context, 'the trials are over');
  const production = tasks.slice(strangers.length * mostTrials);
  for (let number = 1; number <= state.jobs; number += 1) {
    const task = production[(number - 1) % production.length];
    if (task !== undefined) await hire(context, strangers, number, task);
    if (number % reflectEvery === 0) await reflect(context, `${number} jobs are done`);
  }
  if ((await agent.ledger.getSummary()).peers === 0)
    say('note', 'Nobody was met: is the relay the right one?');
  context.state = { ...context.state, finishedAt: Date.now() };
  context.workspace.save(context.state);
  return strangers;
}

/** Waits until as many strangers as expected have shown their cards, or patience ends. */
async function meet({ agent, expected, patienceMs, say, signal }: Run): Promise<Stranger[]> {
  const met = new Map<string, Stranger>();
  const until = Date.now() + patienceMs;
  for (;;) {
    for await (const { entry, match } of agent.discovery.find({ capability: codeGeneration })) {
      const { pubkey, d, card } = entry;
      if (met.has(pubkey)) continue;
      const npub = nip19.npubEncode(pubkey);
      const stranger = {
        platform: { pubkey, d },
        npub,
        name: card.name ?? npub.slice(0, 12),
        relays: entry.relayHints,
        priceMsat: card.pricing?.amountMsat ?? null,
      };
      met.set(pubkey, stranger);
      await agent.matrix.register({ ...stranger, taskTypes: [codeGeneration] });
      say('meet', stranger.name, npub, `offers ${match.reason} from ${stranger.priceMsat ?? '?'} msat`);
    }
    if (met.size >= expected || Date.now() >= until) break;
    await delay(100, undefined, { signal });
  }
  return [...met.values()].sort((a, b) => (a.platform.pubkey < b.platform.pubkey ? -1 : 1));
}

/** Keeps what came of a piece of work: in the matrix by `record`, then in the run's own state. */
async function finish(
  context: Run,
  delivery: Delivery,
  record: () => Promise<{ readonly entry: MatrixEntry }>,
) {
  const { entry } = await record();
  context.state = { ...context.state, work: [...context.state.work, delivery.work] };
  context.workspace.save(context.state);
  return entry;
}

const describe = ({ task, outcome, passed, tests, cause }: Work) =>
  [
    task.padEnd(13),
    outcome.padEnd(18),
    `${passed}/${tests} tests`.padEnd(12),
    outcome === 'SUCCESS' ? '' : cause,
  ] as const;

/** Gives a stranger unpaid trials until the matrix has decided about it. */
async function tryOut(context: Run, stranger: Stranger, tasks: readonly TestedTask[]): Promise<void> {
  const { agent, say, signal } = context;
  const { platform, name, relays } = stranger;
  for (const [index, task] of tasks.entries()) {
    const entry = await agent.matrix.entry(codeGeneration, platform);
    if (entry === null || entry.status !== 'EVALUATING') return;
    const key = `trial-${index + 1}-${platform.pubkey}`;
    if (context.state.work.some((work) => work.key === key)) continue;
    const delivery = await delegate(
      agent,
      { ...task, key, kind: 'trial', platform, name, relays, bidMsat: smallJobMsat },
      signal,
    );
    say('try', name, `trial ${index + 1}`.padEnd(12), ...describe(delivery.work));
    const after = await finish(context, delivery, () =>
      agent.matrix.recordBenchmark({
        platform,
        taskType: codeGeneration,
        attemptId: key,
        verdict: { outcome: delivery.outcome, ...delivery.measurements },
      }),
    );
    if (after.status !== 'EVALUATING')
      say('decide', name, after.status, trustText(after), after.statusReason);
  }
}

const trustText = ({ trustScore }: MatrixEntry) =>
  trustScore === null ? 'no trust' : `trust ${trustScore.toFixed(2)}`;

/** Lets the matrix choose for one production job; every third is worth ten times as much. */
async function hire(
  context: Run,
  strangers: readonly Stranger[],
  number: number,
  task: TestedTask,
): Promise<void> {
  const { agent, say, signal, state } = context;
  const key = `job-${number}`;
  if (state.work.some((work) => work.key === key)) return;
  const bidMsat = number % 3 === 0 ? bigJobMsat : smallJobMsat;
  const decision = await agent.matrix.select({ taskType: codeGeneration, jobId: key, valueMsat: bidMsat });
  const chosen = strangers.find(({ platform }) => platform.pubkey === decision.picks[0]?.platform.pubkey);
  if (chosen === undefined) {
    say('hire', '-', `job ${number}/${state.jobs}`, 'nobody may do it');
    return;
  }
  const { platform, name, relays } = chosen;
  const delivery = await delegate(
    agent,
    { ...task, key, kind: 'job', platform, name, relays, bidMsat },
    signal,
  );
  const size = bidMsat >= largeJobMsat ? 'large' : 'small';
  say('hire', name, `${number}/${state.jobs} ${size}`.padEnd(12), ...describe(delivery.work));
  await finish(context, delivery, () =>
    agent.matrix.recordOutcome({
      jobId: key,
      platform,
      taskType: codeGeneration,
      outcome: delivery.outcome,
      measurements: delivery.measurements,
      valueMsat: bidMsat,
    }),
  );
}

async function reflect({ agent, say }: Run, reason: string): Promise<void> {
  await agent.cortex.reflectNow(reason);
  const [latest] = agent.cortex.history();
  if (latest !== undefined) say('reflect', 'cortex', `${reason}:`, latest.summary);
}
