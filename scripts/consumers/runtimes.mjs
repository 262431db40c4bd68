import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load, needsPeer } from './bundlers.mjs';
import { Skipped } from './checks.mjs';
import { exec } from './exec.mjs';
import { entriesOf } from './project.mjs';
import { readmeExamples } from './readme.mjs';
import { startWorker } from './worker.mjs';

/** The judge's example needs a sandbox, and has a test of its own. */
const withoutExample = new Set(['judge-runner']);

/** What a runtime prints without what differs between runtimes: blanks, quotes, and where objects break into lines. */
const comparable = (text) => text.replaceAll(/[\s'",]/g, '');

/** The path of a runtime in a project. */
export function toolOf(folder, name) {
  const path = join(folder, 'node_modules/.bin', name);
  if (!existsSync(path))
    throw new Skipped(`${name} could not be installed on ${process.platform} ${process.arch}`);
  return path;
}

async function requireRuns(command, args) {
  try {
    await exec(command, args);
  } catch (error) {
    throw new Skipped(
      `${command} does not run on this machine: ${String(error).split('\n').slice(0, 2).join(' ')}`,
    );
  }
}

let written = 0;
/** Writes a file at once: another runtime, which is checked at the same time, may be reading the same one. */
function writeWhole(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  written += 1;
  const part = `${file}.${process.pid}.${written}`;
  writeFileSync(part, text);
  renameSync(part, file);
}

/** Imports every entry, runs the portable program and the first example of each README. */
async function checkRuntime({ packages, projects: { bare }, expected }, command, args = []) {
  await requireRuns(command, ['--version']);
  const run = (file) => exec(command, [...args, file], { cwd: bare });
  const entries = packages.flatMap(entriesOf).filter((entry) => !needsPeer.test(entry));
  const imports = join(bare, 'imports.mjs');
  writeWhole(imports, entries.map((entry) => `import '${entry}';\n`).join(''));
  await run(imports);
  const printed = await run(join(bare, 'portable-main.mjs'));
  if (printed !== expected) throw new Error(`The portable program printed ${printed}instead of ${expected}`);
  const { transform } = await load(bare, 'esbuild');
  const examples = readmeExamples().filter(({ name, code }) => code && !withoutExample.has(name));
  for (const { name, code, output = '' } of examples) {
    const file = join(bare, 'examples', `${name}.mjs`);
    writeWhole(file, (await transform(code, { loader: 'ts', target: 'node22' })).code);
    const actual = await run(file);
    if (comparable(actual) !== comparable(output))
      throw new Error(`The example of ${name} printed\n${actual}instead of\n${output}`);
  }
  return `${entries.length} entries, ${examples.length} examples`;
}

/** Runs the portable program as a Worker, with and without what Workers have of Node. */
async function checkWorkerd({ projects: { bare }, expected }) {
  for (const compatibilityFlags of [[], ['nodejs_compat']]) {
    const worker = await startWorker(bare, join(bare, 'worker.mjs'), { compatibilityFlags });
    try {
      const text = await (await worker.fetch('/')).text();
      if (text.trim() !== expected.trim())
        throw new Error(`The Worker answered ${text} instead of ${expected}`);
      if (compatibilityFlags.length === 0) continue;
      // There is an AsyncLocalStorage here, without enterWith: `hooks.run` needs none.
      const turns = await (await worker.fetch('/turns')).json();
      const wanted = { right: 200, sent: 'irc:last', ambient: null, failures: 1 };
      if (JSON.stringify(turns) !== JSON.stringify(wanted))
        throw new Error(`The turns of the Worker are ${JSON.stringify(turns)}`);
    } finally {
      await worker.close();
    }
  }
  return 'with and without nodejs_compat';
}

/** @type {readonly import('./checks.mjs').Check[]} */
export const runtimeChecks = [
  { name: 'Node, oldest', run: (context) => checkRuntime(context, context.node('oldest')) },
  { name: 'Node, newest', run: (context) => checkRuntime(context, context.node('newest')) },
  { name: 'Bun', run: (context) => checkRuntime(context, toolOf(context.projects.bare, 'bun'), ['run']) },
  {
    name: 'Deno',
    run: (context) => {
      const args = ['run', '--no-lock', '--node-modules-dir=manual', '-A'];
      return checkRuntime(context, toolOf(context.projects.bare, 'deno'), args);
    },
  },
  { name: 'workerd', run: checkWorkerd },
];
