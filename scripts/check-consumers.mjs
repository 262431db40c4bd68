// The packed packages in the hands of others: bundlers, runtimes, compilers, installers, and the oldest and newest
// version of every optional library, in projects outside of the repository. `npm run consumers`; words after it choose
// the checks whose names contain one of them.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlerChecks } from './consumers/bundlers.mjs';
import { Skipped } from './consumers/checks.mjs';
import { exec, inParallel } from './consumers/exec.mjs';
import { peerChecks } from './consumers/peers.mjs';
import { packAll, prepareProject } from './consumers/project.mjs';
import { recipeChecks } from './consumers/recipe-checks.mjs';
import { runtimeChecks } from './consumers/runtimes.mjs';
import { typeChecks } from './consumers/types.mjs';
import versions from './consumers/versions.json' with { type: 'json' };

const programs = join(import.meta.dirname, 'consumers/programs');
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** One version of each library of a table. */
const ofAge = (table, age) =>
  Object.fromEntries(Object.entries(table).flatMap(([name, each]) => (each[age] ? [[name, each[age]]] : [])));

const withPeers = (age) => ({
  dependencies: {
    typescript: versions.typescript[age],
    ...versions.types[age],
    ...ofAge(versions.sdks, age),
    ...ofAge(versions.peers, age),
    ...ofAge(versions.beside, age),
  },
});

const nodes = ['oldest', 'newest'].map((age) => [`node-${age}`, `npm:${nodePackage}@${versions.node[age]}`]);

const projectOptions = {
  bare: {
    dependencies: versions.tools,
    optional: Object.fromEntries(nodes),
    builds: ['bun', 'deno'],
  },
  oldest: withPeers('oldest'),
  newest: withPeers('newest'),
  recipes: {
    dependencies: {
      ...withPeers('newest').dependencies,
      ...versions.recipes,
      // 300 MB.
      ...(process.env.BONAFIDE_PROOF === 'full' ? versions.nextRecipe : {}),
    },
  },
};

async function prepareProjects(packages) {
  const folders = await Promise.all(
    Object.entries(projectOptions).map(async ([name, options]) => {
      const folder = await prepareProject(name, packages, options);
      cpSync(programs, folder, { recursive: true });
      return [name, folder];
    }),
  );
  return Object.fromEntries(folders);
}

function nodeOf(bare, age) {
  const path = join(bare, `node_modules/node-${age}/bin/node`);
  if (!existsSync(path)) throw new Skipped(`there is no ${nodePackage} ${versions.node[age]}`);
  return path;
}

async function runCheck({ name, run }, context) {
  const startedAt = Date.now();
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
  try {
    const detail = await run(context);
    console.log(`passed  ${seconds()}  ${name}: ${detail}`);
    return 'passed';
  } catch (error) {
    const { message, stack } = /** @type {Error} */ (error);
    if (error instanceof Skipped) console.log(`skipped ${seconds()}  ${name}: ${message}`);
    else console.log(`FAILED  ${seconds()}  ${name}: ${message || stack}`);
    return error instanceof Skipped ? 'skipped' : 'failed';
  }
}

async function main(chosen) {
  const startedAt = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-consumers-'));
  try {
    const packages = await packAll(folder);
    const projects = await prepareProjects(packages);
    console.log(`${((Date.now() - startedAt) / 1000).toFixed(1)} s to pack and install`);
    const node = (age) => nodeOf(projects.bare, age);
    const expected = await exec(process.execPath, [join(projects.bare, 'portable-main.mjs')]);
    const context = { packages, projects, node, expected, folder };
    // What takes longest first, so that two at a time end together.
    const checks = [...peerChecks, ...typeChecks, ...bundlerChecks, ...runtimeChecks, ...recipeChecks].filter(
      ({ name }) =>
        chosen.length === 0 || chosen.some((word) => name.toLowerCase().includes(word.toLowerCase())),
    );
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const results = await inParallel(
      checks.map((check) => () => runCheck(check, context)),
      2,
    );
    for (const result of results) counts[result] += 1;
    const { passed, failed, skipped } = counts;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`Consumers: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s.`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
