import { describeTrust, type LogEvent, sanitizeRemoteText } from '@bonafide/cli/terminal';
import {
  type BenchmarkTask,
  type Delegation,
  isBonafideError,
  type PlatformRef,
  type StoredOrder,
} from '@bonafide/delegation';
import { codeGeneration, largeJobMsat } from '@bonafide/example-strangers';
import { platformName } from '@bonafide/nip89-discovery';
import { nip19 } from 'nostr-tools';
import { type Agent, maxShare } from './agent.ts';
import type { RunState } from './run-state.ts';

/** Prints one event of a run. */
export type Say = LogEvent<'note' | 'meet' | 'try' | 'decide' | 'hire' | 'reflect'>;

/** A platform as its card presents it. */
export type Stranger = Awaited<ReturnType<typeof meet>>[number];

/** Everything that a run uses. */
export interface Run {
  readonly agent: Agent;
  readonly state: RunState;
  /** Tasks of the jobs. */
  readonly tasks: readonly BenchmarkTask[];
  /** Number of jobs that are handed out at once. */
  readonly width: number;
  readonly say: Say;
  readonly signal: AbortSignal;
}

const reflectEvery = 10;

/** Finds platforms, gives them trials, hires those that qualify, and reflects in between. Resumes an interrupted run. */
export async function carryOut(run: Run): Promise<readonly Stranger[]> {
  const { agent, say, state, width } = run;
  const strangers = await meet(run);
  if (strangers.length === 0) say('note', '', 'No relay has a card of a platform for code generation.');
  say('note', '', `One platform gets at most ${maxShare * 100} % of the jobs here; by default it is 50 %.`);
  await Promise.all(strangers.map((stranger) => tryOut(run, stranger)));
  await reflect(run, 'the trials are over');
  let given = 0;
  const handOut = async () => {
    while (given < state.jobs && strangers.length > 0) {
      given += 1;
      const number = given;
      await hire(run, agent.delegation, number);
      if (number % reflectEvery === 0) await reflect(run, `${number} jobs are done`);
    }
  };
  await Promise.all(Array.from({ length: width }, handOut));
  return strangers;
}

/** Reads the cards that the relays have, and returns the platforms that offer what the agent needs. */
async function meet({ agent, say, signal }: Run) {
  await agent.discovery.sync({ signal });
  const met: { readonly platform: PlatformRef; readonly name: string; readonly npub: string }[] = [];
  for await (const { entry, match } of agent.discovery.find({ capability: codeGeneration })) {
    const { pubkey, d, card } = entry;
    const npub = nip19.npubEncode(pubkey);
    const name = sanitizeRemoteText(platformName(entry), 24);
    met.push({ platform: { pubkey, d }, name, npub });
    const price = card.pricing?.amountMsat ?? '?';
    say('meet', name, `${npub.slice(0, 9)}…${npub.slice(-4)}`, `${match.reason} from ${price} msat`);
  }
  // Sorted by name, so that a seed gives the same run with other keys.
  return met.sort((a, b) => (a.name + a.npub < b.name + b.npub ? -1 : 1));
}

/** Gives a platform trials until the matrix has decided about it. */
async function tryOut({ agent, say, signal }: Run, { platform, name }: Stranger): Promise<void> {
  const { qualify } = agent.delegation;
  const { status, statusReason, trustScore } = await qualify(platform, codeGeneration, { signal });
  say('decide', name, status, statusReason, `trust ${trustScore?.toFixed(2) ?? 'none'}`);
}

/** A job that three platforms do; two of them have to succeed, as far as there are others to ask. */
const vital = { criticality: 'important', valueMsat: 1_000, maxMsat: 3_000 } as const;

/** Hands out one job; every third one is worth ten times as much, and every tenth is vital. */
export async function hire(run: Run, delegation: Delegation, number: number, group = 'job'): Promise<void> {
  const { tasks, state, signal } = run;
  const task = tasks[(number - 1) % tasks.length];
  if (task === undefined) return;
  const worth = number % 10 === 0 ? vital : { valueMsat: number % 3 === 0 ? 10_000 : 1_000 };
  const order = {
    // It names the run, the number and the task: the same order again is the same piece of work.
    id: `${group}:${state.startedAt.toString(36)}:${number}:${task.id}`,
    taskType: codeGeneration,
    inputs: [...task.inputs],
    suite: task.suite,
    ...worth,
  };
  await delegation.delegate(order, { signal }).catch((error) => {
    // The job failed, which its line says; the next one may not.
    if (!isBonafideError(error, 'NO_PLATFORM')) throw error;
  });
  // The next job is given to whom this one recommends.
  await delegation.settled(order.id, { signal });
}

/** Lets the cortex think about what has happened. */
async function reflect({ agent, say }: Run, reason: string): Promise<void> {
  await agent.cortex.reflectNow(reason);
  const [latest] = agent.cortex.history();
  if (latest) say('reflect', 'cortex', `${reason}: ${await describeTrust(agent.ledger, latest)}`);
}

/** Returns how the lines of a run show an order: its number, its size and its task. */
export const labelOf =
  (jobs: number) =>
  ({ id, trial, valueMsat, criticality }: StoredOrder): string => {
    const [, , number, ...task] = id.split(':');
    const size = valueMsat >= largeJobMsat ? 'large' : criticality === vital.criticality ? 'vital' : 'small';
    const label = trial ? 'trial' : `${number}/${jobs} ${size}`;
    return `${label.padEnd(11)}  ${(trial?.taskId ?? task.join(':')).padEnd(13)}`;
  };
