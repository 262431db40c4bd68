import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './setup/process.mjs';
import { prepareSystem } from './setup/system.mjs';
import { closingLine, countTests, summary } from './summary.mjs';

const pnpm = (...args) => run('pnpm', args);
const exec = (...args) => pnpm('exec', ...args);
const turbo = (...tasks) =>
  exec('turbo', 'run', ...tasks, '--output-logs=errors-only', '--log-order=grouped');
const quietTurbo = (...tasks) =>
  run('pnpm', ['exec', 'turbo', 'run', ...tasks, '--output-logs=errors-only'], { show: false });
const inSequence = (...steps) => (steps.every((step) => step() === 0) ? 0 : 1);

/** What `npm test` checks beside the tests, in this order; each is a command of its own too. */
const checks = {
  lint: () => exec('biome', 'check', '--error-on-warnings', '.'),
  build: () => turbo('build'),
  types: () =>
    inSequence(
      () => turbo('types'),
      () => exec('tsc', '-p', 'tsconfig.json'),
    ),
  unused: () => exec('knip', '--no-config-hints'),
  boundaries: () => exec('node', 'scripts/check-boundaries.mjs'),
  requirements: () => exec('node', 'scripts/check-requirements.mjs'),
  words: () => exec('node', 'scripts/check-words.mjs'),
  lockfile: () => exec('node', 'scripts/check-lockfile.mjs'),
  'package-health': () => turbo('package-health'),
  tarballs: () => exec('node', 'scripts/check-tarballs.mjs'),
  docs: () => pnpm('--filter', '@bonafide/docs', 'run', 'docs'),
};

/** Runs vitest over every package; with `report`, also writes its JSON report there. */
function vitest(args, report) {
  const reporters = report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  return exec('vitest', 'run', ...reporters, ...args);
}

function unit(args) {
  prepareSystem({ tests: true });
  return inSequence(
    () => quietTurbo('build'),
    () => vitest(args),
  );
}

/** Every check and every test, to the end, also when an early one fails. */
function test() {
  prepareSystem({ tests: true });
  const results = Object.entries(checks).map(([name, check]) => {
    console.error(`\n▸ ${name}`);
    const startedAt = Date.now();
    return { name, passed: check() === 0, seconds: (Date.now() - startedAt) / 1000 };
  });
  console.error('\n▸ tests');
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  try {
    const report = join(folder, 'vitest.json');
    const status = vitest([], report);
    const tests = countTests(JSON.parse(readFileSync(report, 'utf8')), status);
    console.log(summary(results, tests));
    console.log(closingLine(results, tests));
    return status === 0 && tests.failed === 0 && results.every(({ passed }) => passed) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function demo(args) {
  prepareSystem();
  if (quietTurbo('build') !== 0) throw new Error('The packages did not build; the lines above say why.');
  return run('pnpm', ['exec', 'node', join(root, 'examples/agent/src/main.ts'), ...args], {
    stdout: 'inherit',
  });
}

function bench(args) {
  prepareSystem({ tests: true });
  if (quietTurbo('build') !== 0) throw new Error('The packages did not build; the lines above say why.');
  return run('pnpm', ['exec', 'node', 'scripts/bench.mjs', ...args], { stdout: 'inherit' });
}

function bonafide(args) {
  if (quietTurbo('build') !== 0) throw new Error('The packages did not build; the lines above say why.');
  return run('pnpm', ['exec', 'node', join(root, 'packages/cli/dist/main.js'), ...args], {
    stdout: 'inherit',
  });
}

const tasks = {
  ...checks,
  demo,
  test,
  unit,
  bench,
  bonafide,
  format: () => exec('biome', 'check', '--write', '.'),
  words: (args) => exec('node', 'scripts/check-words.mjs', ...args),
  requirements: (args) => exec('node', 'scripts/check-requirements.mjs', ...args),
};

export const taskNames = Object.keys(tasks);

/** Runs one task in a prepared workspace and returns its exit code. */
export async function runTask(name, args) {
  return tasks[name](args);
}
