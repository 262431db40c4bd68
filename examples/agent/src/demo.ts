import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createEventLog } from '@bonafide/cli/terminal';
import {
  codeGeneration,
  loadTestedTasks,
  type Strangers,
  seededRandom,
  shuffled,
  signerFromFile,
  startStrangers,
} from '@bonafide/example-strangers';
import { acquireWriter, isBonafideError, type WriterLock } from '@bonafide/storage';
import { startAgent } from './agent.ts';
import { compare } from './compare.ts';
import { buildReport, printReport } from './report.ts';
import { run, type Say } from './run.ts';
import { correctThreshold } from './thresholds.ts';
import { workOfRun } from './work.ts';
import { openWorkspace, type RunState, setAside, type Workspace } from './workspace.ts';

/** Options of the demo, as on its command line. */
export interface DemoOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly workspace: string;
  readonly json?: true | undefined;
  readonly fresh?: true | undefined;
  readonly compare?: true | undefined;
  readonly relay?: readonly string[] | undefined;
  readonly key?: string | undefined;
}

/** Returns true for an option that was not given. */
type IsDefault = (name: 'seed' | 'jobs' | 'workspace') => boolean;

/** Number of tasks for trials; the others are for jobs. */
const trialTasks = 20;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Reserves a workspace for this process, before any of its files is opened or moved. */
function reserve(folder: string): WriterLock {
  try {
    return acquireWriter({ path: folder });
  } catch (cause) {
    const isRunning = isBonafideError(cause, 'WRITER_ACTIVE');
    const problem = isRunning
      ? `A demo is already running in ${folder}`
      : `The demo cannot write to ${folder}`;
    throw new Error(`${problem}. Give another folder: npm run demo -- --workspace <folder>`, { cause });
  }
}

/** Returns the run to resume, or a new one. The default folder starts empty; another folder keeps the agent's memory. */
function openRun(options: DemoOptions, isDefault: IsDefault, say: Say) {
  const folder = resolve(options.workspace);
  const earlier = existsSync(folder) ? openWorkspace(folder).load() : null;
  const wanted = (name: 'seed' | 'jobs') => isDefault(name) || options[name] === earlier?.[name];
  if (earlier?.finishedAt === null && !options.fresh && wanted('seed') && wanted('jobs')) {
    say('note', '', `Resuming: seed ${earlier.seed}.`);
    return { workspace: openWorkspace(folder), state: earlier };
  }
  const empty = options.fresh === true || isDefault('workspace');
  if (earlier !== null && empty) setAside(folder);
  const { seed, jobs } = options;
  const { run = 0, port = 0 } = empty ? {} : (earlier ?? {});
  const state = { run: run + 1, seed, jobs, port, startedAt: Date.now(), finishedAt: null };
  const workspace = openWorkspace(folder);
  workspace.save(state);
  return { workspace, state };
}

/** Starts the embedded relay and its four providers. */
async function startWorld(say: Say, workspace: Workspace, state: RunState): Promise<Strangers> {
  say('note', '', `Seed ${state.seed}: starting a relay and four providers of code …`);
  const world = await startStrangers({ ...state, folder: workspace.path('strangers') });
  say('note', '', `They listen on ${world.relay}. The agent does not know what their names mean.`);
  workspace.save(Object.assign(state, { port: world.port }));
  return world;
}

/**
 * Runs the demo to its end and prints the report.
 *
 * @throws when another demo uses the workspace, when it is not writable, and when `signal` aborts
 */
export async function runDemo(
  options: DemoOptions,
  isDefault: IsDefault,
  signal: AbortSignal,
): Promise<void> {
  const say: Say = createEventLog();
  using _lock = reserve(resolve(options.workspace));
  const { workspace, state } = openRun(options, isDefault, say);
  await using world = options.relay === undefined ? await startWorld(say, workspace, state) : null;
  const relays = world === null ? (options.relay ?? []) : [world.relay];
  const tasks = shuffled(loadTestedTasks(), seededRandom(state.seed));
  await using agent = await startAgent({
    workspace,
    signer: await signerFromFile(options.key ?? workspace.path('keys/agent')),
    relays,
    allowLoopback: relays.some((relay) => loopback.has(new URL(relay).hostname)),
    random: seededRandom(state.seed),
    benchmarks: tasks.slice(0, trialTasks),
  });
  const expected = world === null ? Number.POSITIVE_INFINITY : 4;
  const jobTasks = tasks.slice(trialTasks);
  const context = { agent, workspace, state, say, signal, expected, meetTimeoutMs: 15_000, tasks: jobTasks };
  const strangers = await run(context);
  const work = await workOfRun(agent.delegation, state);
  const random = seededRandom(state.seed);
  const wasted = options.compare ? await compare(context, strangers, work, random) : null;
  const entry = strangers[0] && (await agent.matrix.entry(codeGeneration, strangers[0].platform));
  const thresholds = entry ? await correctThreshold(workspace, work, entry.threshold) : [];
  const report = { ...(await buildReport(agent, strangers, work, thresholds)), wasted };
  await printReport(report, options.json === true, workspace.folder);
  say('note', '', `Everything is kept in ${workspace.folder}`);
}
