import { join, resolve } from 'node:path';
import { readReport } from '@bonafide/cli/report';
import { createEventLog, narrateWork } from '@bonafide/cli/terminal';
import {
  codeGeneration,
  loadRunTasks,
  openDatabase,
  startProcesses,
  startStrangers,
} from '@bonafide/example-strangers';
import { acquireWriter, isBonafideError, type WriterLock } from '@bonafide/storage';
import { startAgent } from './agent.ts';
import { compare } from './compare.ts';
import type { DemoOptions } from './main.ts';
import { printReport } from './report.ts';
import { carryOut, labelOf, type Say } from './run.ts';
import { loadRun, type RunState, saveRun, setAside } from './run-state.ts';
import { correctThreshold } from './thresholds.ts';

/** Returns true for an option that was not given. */
type IsDefault = (name: 'seed' | 'jobs' | 'workspace') => boolean;

/** Reserves a workspace for this process, before any of its files is opened or moved. */
function reserve(folder: string): WriterLock {
  try {
    return acquireWriter({ path: folder });
  } catch (cause) {
    const problem = isBonafideError(cause, 'WRITER_ACTIVE')
      ? `A demo is already running in ${folder}`
      : `The demo cannot write to ${folder}`;
    throw new Error(`${problem}. Give another folder: npm run demo -- --workspace <folder>`, { cause });
  }
}

/** Returns the run to resume, or a new one. The default folder starts empty; another folder keeps the agent's memory. */
function openRun(folder: string, options: DemoOptions, isDefault: IsDefault, say: Say): RunState {
  const earlier = loadRun(folder);
  const wanted = (name: 'seed' | 'jobs') => isDefault(name) || options[name] === earlier?.[name];
  if (earlier?.finishedAt === null && !options.fresh && wanted('seed') && wanted('jobs')) {
    say('note', '', `Resuming: seed ${earlier.seed}.`);
    return earlier;
  }
  if (earlier !== null && (options.fresh || isDefault('workspace'))) setAside(folder);
  const state = { seed: options.seed, jobs: options.jobs, startedAt: Date.now(), finishedAt: null };
  saveRun(folder, state);
  return state;
}

/** Starts the embedded relay and its providers. */
async function startWorld(folder: string, { seed }: RunState, say: Say) {
  say('note', '', `Seed ${seed}: starting a relay and four providers of code …`);
  const world = await startStrangers({ folder: join(folder, 'strangers'), seed });
  say('note', '', `They listen on ${world.relay}. The agent does not know what their names mean.`);
  say('note', '', 'Reviews are published at once here, without the usual cooling-off of a day.');
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
  const workspace = resolve(options.workspace);
  using _lock = reserve(workspace);
  const database = options.engine === 'postgres' ? await openDatabase() : null;
  // A database that was started for this run is empty.
  const isTemporary = database !== null && !process.env.DATABASE_URL;
  const state = openRun(workspace, { ...options, ...(isTemporary && { fresh: true }) }, isDefault, say);
  const { seed, jobs } = state;
  await using world = options.relay === undefined ? await startWorld(workspace, state, say) : null;
  const relays = world === null ? (options.relay ?? []) : [world.relay];
  const keyFile = options.key ?? join(workspace, 'keys/agent');
  const settings = { workspace, database, keyFile, relays, seed, ...(world !== null && { coolingOffMs: 0 }) };
  await using agent = await startAgent(settings);
  narrateWork(agent.delegation, say, labelOf(jobs));
  const others =
    database === null ? [] : ['worker 2', 'worker 3'].map((name) => ({ name, jobs, ...settings }));
  await using _workers = await startProcesses(new URL('./worker.ts', import.meta.url), others);

  const run = { agent, state, tasks: loadRunTasks(seed).jobs, width: others.length + 1, say, signal };
  const strangers = await carryOut(run);
  saveRun(workspace, { ...state, finishedAt: Date.now() });

  await agent.reputation.publishDue();
  const report = await readReport(agent, { taskType: codeGeneration, since: state.startedAt });
  const wasted = options.compare ? await compare(run, strangers, report.jobs) : null;
  const entry = strangers[0] && (await agent.matrix.entry(codeGeneration, strangers[0].platform));
  const correction = await correctThreshold(join(workspace, 'thresholds'), report.jobs, entry?.threshold);
  const place = database === null ? ['--workspace', workspace] : ['--db', database];
  await printReport({ ...report, ...correction, wasted }, options.json === true, place);
  if (!isTemporary) say('note', '', `Show this again: npm run bonafide -- report ${place.join(' ')}`);
}
