import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inParallel } from './consumers/exec.mjs';
import { prepareAnalysis } from './setup/analysis.mjs';
import { fromSources, root, run } from './setup/process.mjs';
import { prepareSystem } from './setup/system.mjs';
import { closingLine, countTests, failedChecks, failedTests, slowestFiles, summary } from './summary.mjs';

const node = (...args) => run('node', args);
const turbo = (...tasks) =>
  run('turbo', ['run', ...tasks, '--output-logs=errors-only', '--log-order=grouped']);
const inSequence = (...steps) => (steps.every((step) => step() === 0) ? 0 : 1);

/** True in the checks that `npm test` runs beside each other, after the build: turbo would write the same files again. */
const isBuilt = process.env.BONAFIDE_BUILT === '1';
const built = () => (isBuilt ? 0 : turbo('build'));

/** Checks of `npm test` beside the tests; each is also a command. */
const checks = {
  lint: (args = []) => run('biome', ['check', '--error-on-warnings', ...(args.length > 0 ? args : ['.'])]),
  build: () => turbo('build'),
  types: () =>
    inSequence(
      () => turbo('types'),
      () => run('tsc', ['-p', 'tsconfig.json']),
    ),
  unused: () => run('knip', ['--no-config-hints']),
  boundaries: () => node('scripts/check-boundaries.mjs'),
  requirements: (args = []) => node('scripts/check-requirements.mjs', ...args),
  words: (args = []) => node('scripts/check-words.mjs', ...args),
  lockfile: () => node('scripts/check-lockfile.mjs'),
  'package-health': () => turbo('package-health', ...(isBuilt ? ['--only'] : [])),
  tarballs: () => inSequence(built, () => node('scripts/check-tarballs.mjs')),
  consumers: (args = []) => inSequence(built, () => node('scripts/check-consumers.mjs', ...args)),
  docs: () => inSequence(built, () => run('pnpm', ['--filter', '@bonafide/docs', 'run', 'docs'])),
};

/** The tasks that start pnpm or turbo, which starts it; the others work without it once everything is installed. */
const withPnpm = new Set([
  'test',
  'build',
  'types',
  'affected',
  'package-health',
  'tarballs',
  'pack',
  'consumers',
  'version-packages',
  'publish-packages',
  'docs',
  'bench',
]);
export const needsPnpm = (name) => withPnpm.has(name);

/** Runs every test that the arguments for vitest choose; with `report`, also writes vitest's JSON report there. */
function vitest(args, report) {
  prepareAnalysis();
  const reporters = report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  return run('vitest', ['run', ...reporters, ...args]);
}

function unit(args) {
  prepareSystem({ tests: true });
  return vitest(args);
}

/** Runs tests again whenever a file that they use changes. */
function watch(args) {
  prepareSystem({ tests: true });
  prepareAnalysis();
  return run('vitest', ['watch', ...args], { stdout: 'inherit' });
}

/** Checks that take longest, in the order in which they begin; the others follow. */
const longest = ['consumers', 'package-health', 'docs', 'tarballs', 'types', 'lint'];

/** Runs a check as a command of its own, and prints what it says when it has ended. */
async function timedCheck(name) {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(name === 'build' ? {} : { BONAFIDE_BUILT: '1' }),
      ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const seconds = (Date.now() - startedAt) / 1000;
  const output = `${stderr}${stdout}`;
  console.error(`\n▸ ${name} (${seconds.toFixed(1)} s)\n${output}`.trimEnd());
  return { name, passed: status === 0, seconds, output };
}

/** Runs every check to its end: the build, which others pack and read, then one more than there are cores beside each other. */
async function runChecks() {
  const names = Object.keys(checks);
  const build = await timedCheck('build');
  const others = names.filter((name) => name !== 'build' && !longest.includes(name));
  const results = await inParallel(
    [...longest, ...others].map((name) => () => timedCheck(name)),
    availableParallelism() + 1,
  );
  return [build, ...results].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Runs every check and every test, to the end, also when an early one fails. */
async function test() {
  prepareSystem({ tests: true });
  const startedAt = Date.now();
  const results = await runChecks();
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  try {
    const file = join(folder, 'vitest.json');
    const testsAt = Date.now();
    console.error('\n▸ tests');
    const status = vitest([], file);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const secondsSince = (time) => (Date.now() - time) / 1000;
    const tests = { ...countTests(report, status), seconds: secondsSince(testsAt) };
    console.log(slowestFiles(report, root));
    console.log(summary(results, tests, (testsAt - startedAt) / 1000));
    if (results.some(({ passed }) => !passed)) console.log(failedChecks(results));
    if (tests.failed > 0) console.log(failedTests(report, root));
    console.log(closingLine(results, tests));
    return status === 0 && tests.failed === 0 && results.every(({ passed }) => passed) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program of the workspace from its sources. */
const program = (file, args) => run('node', [fromSources, join(root, file), ...args], { stdout: 'inherit' });

function demo(args) {
  prepareSystem();
  return program('examples/agent/src/main.ts', args);
}

/** Runs the relay and the providers of the demo alone, for an agent from `create-bonafide`. */
const strangers = (args) => program('examples/strangers/src/main.ts', args);

/** Runs simulated worlds: one with `--seed`, or many. */
const simulate = (args) => program('packages/delegation/test/simulation/main.ts', args);

function bonafide(args) {
  prepareAnalysis();
  return program('packages/cli/src/main.ts', args);
}

/** Measures what is published, so that it needs the build. */
function bench(args) {
  prepareSystem({ tests: true });
  return inSequence(
    () => turbo('build'),
    () => run('node', ['scripts/bench.mjs', ...args], { stdout: 'inherit' }),
  );
}

/** Packs the named packages and those that they need, for another project. */
const packPackages = (args) =>
  inSequence(
    () => turbo('build'),
    () => run('node', ['scripts/pack.mjs', ...args], { stdout: 'inherit' }),
  );

/** Takes the changesets into versions and changelogs; the lockfile follows. */
const versionPackages = () =>
  inSequence(
    () => run('changeset', ['version']),
    () => run('pnpm', ['install', '--lockfile-only']),
  );

/** Publishes the packages whose version the registry lacks. By pnpm, which applies `publishConfig`; then tags them. */
const publishPackages = (args) =>
  inSequence(
    () => turbo('build'),
    () => run('pnpm', ['-r', 'publish', '--access', 'public', '--no-git-checks', ...args]),
    // The release action reads the tags from stdout.
    () => (args.includes('--dry-run') ? 0 : run('changeset', ['tag'], { stdout: 'inherit' })),
  );

const tasks = {
  ...checks,
  pack: packPackages,
  'version-packages': versionPackages,
  'publish-packages': publishPackages,
  demo,
  test,
  unit,
  watch,
  affected: (args) => node('scripts/check-affected.mjs', ...args),
  bench,
  bonafide,
  simulate,
  strangers,
  format: () => run('biome', ['check', '--write', '.']),
};

export const taskNames = Object.keys(tasks);

/** Runs one task in a prepared workspace and returns its exit code. */
export async function runTask(name, args) {
  return tasks[name](args);
}
