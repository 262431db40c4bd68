// The demo: one command, an agent, four strangers.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Strangers, signerFromFile, startStrangers } from '@bonafide/example-strangers';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { startAgent } from './agent.ts';
import { seededRandom } from './random.ts';
import { buildReport, printReport } from './report.ts';
import { run } from './run.ts';
import { createSay, type Say } from './say.ts';
import { openWorkspace, type RunState, setAside, type Workspace } from './workspace.ts';

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a positive whole number is wanted');
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
const defaultWorkspace = resolve(import.meta.dirname, '../../../.bonafide/demo');

const program = new Command('npm run demo --')
  .description('Meets strangers, tries them out, judges their code in a sandbox, decides whom to hire.')
  .option('--seed <n>', 'tasks, order and slips depend on it', count, 1)
  .option('--jobs <n>', 'how many jobs to give out after the trials', count, 30)
  .option('--json', 'print one JSON document instead of tables')
  .option('--workspace <folder>', 'where a run is kept and goes on after a kill', defaultWorkspace)
  .option('--fresh', 'begin anew, even when a run can go on')
  .option('--relay <url...>', 'real relays and the platforms found there, not the embedded world')
  .option('--key <file>', "the agent's secret key, nsec or hex, in a private file")
  .parse();
const options = program.opts();

/** The run to go on with, or a new one. What the demo's own folder held is set aside; elsewhere the agent keeps its memory. */
function openRun(say: Say): { workspace: Workspace; state: RunState } {
  const folder = resolve(options.workspace);
  const earlier = existsSync(folder) ? openWorkspace(folder).load() : null;
  const isDefault = (name: keyof typeof options) => program.getOptionValueSource(name) === 'default';
  const wanted = (name: 'seed' | 'jobs') => isDefault(name) || options[name] === earlier?.[name];
  if (earlier?.finishedAt === null && !options.fresh && wanted('seed') && wanted('jobs')) {
    say('note', '', `Going on: seed ${earlier.seed}, ${earlier.work.length} pieces of work were done.`);
    return { workspace: openWorkspace(folder), state: earlier };
  }
  const anew = options.fresh === true || isDefault('workspace');
  if (earlier !== null && anew) setAside(folder);
  const { seed, jobs } = options;
  const { run = 0, port = 0, work = [] } = anew ? {} : (earlier ?? {});
  const state = { run: run + 1, seed, jobs, port, finishedAt: null, work };
  const workspace = openWorkspace(folder);
  workspace.save(state);
  return { workspace, state };
}

/** The embedded relay and its strangers, unless real relays are wanted. */
async function openWorld(say: Say, workspace: Workspace, state: RunState): Promise<Strangers | null> {
  if (options.relay !== undefined) return null;
  const { seed, port } = state;
  say('note', '', `Seed ${seed}: starting a relay and four strangers who offer to write code …`);
  const world = await startStrangers({ folder: workspace.path('strangers'), seed, port });
  say('note', '', `They listen on ${world.relay}. Their names are for you, no card says what they are.`);
  workspace.save(Object.assign(state, { port: world.port }));
  return world;
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stop.abort(new Error('Stopped. The same command goes on from here.')));
}

async function main(): Promise<void> {
  const say = createSay();
  const { workspace, state } = openRun(say);
  await using world = await openWorld(say, workspace, state);
  const relays = world === null ? (options.relay ?? []) : [world.relay];
  await using agent = await startAgent({
    workspace,
    signer: await signerFromFile(options.key ?? workspace.path('keys/agent')),
    relays,
    allowLoopback: relays.some((relay) => loopback.has(new URL(relay).hostname)),
    random: seededRandom(state.seed + state.work.length),
  });
  stop.signal.addEventListener('abort', () => void agent.jobs.close());
  const expected = world === null ? Number.POSITIVE_INFINITY : 4;
  const context = { agent, workspace, state, say, signal: stop.signal, expected, patienceMs: 15_000 };
  const strangers = await run(context);
  const report = await buildReport(agent, strangers, context.state.work);
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else printReport(report);
  say('note', '', `Everything is kept in ${workspace.folder}`);
}

try {
  await main();
} catch (error) {
  // Whatever breaks off after a stop does so because of it.
  const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
  process.stderr.write(`\n${reason instanceof Error ? reason.message : String(reason)}\n`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
}
