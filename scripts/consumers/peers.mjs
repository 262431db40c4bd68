import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup/process.mjs';
import { exec } from './exec.mjs';
import { installedVersion, installLimitMs, scope } from './project.mjs';
import versions from './versions.json' with { type: 'json' };

/**
 * Returns what is wrong with the peers of a package: one that the table does not list, so that nothing proves it; one
 * that is not optional; a range that would refuse somebody who does not use it.
 * @param {Pick<import('./project.mjs').PackedPackage, 'name' | 'manifest'>} packed
 * @param {Record<string, unknown>} table
 */
export function peerProblems(
  { name, manifest: { peerDependencies = {}, peerDependenciesMeta = {} } },
  table,
) {
  return Object.entries(peerDependencies).flatMap(([peer, range]) => {
    if (peerDependenciesMeta[peer]?.optional !== true) return [`${name}: the peer ${peer} is not optional`];
    if (peer.startsWith(scope)) return [];
    if (!(peer in table)) return [`${name}: scripts/consumers/versions.json does not list the peer ${peer}`];
    return range === '*' ? [] : [`${name}: the range of the optional peer ${peer} is ${range} and not *`];
  });
}

async function checkManifests({ packages }) {
  const problems = packages.flatMap((each) => peerProblems(each, versions.peers));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${Object.keys(versions.peers).length} peers, all optional and without bounds`;
}

/** Resolves a manifest with npm, which refuses what it can't resolve. */
async function resolveWithNpm(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  // A registry that hangs is asked again soon: a minute instead of five.
  const patience = ['--fetch-retries=5', '--fetch-timeout=60000'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['--package-lock-only', '--ignore-scripts', '--prefer-offline', ...patience, ...quiet];
  await exec('npm', ['install', ...args], { cwd: folder, limitMs: installLimitMs });
}

/** Other libraries of a project in versions that no package of ours was made for. */
const outside = Object.fromEntries(
  Object.entries({ ...versions.peers, ...versions.sdks }).flatMap(([name, age]) =>
    'outside' in age ? [[name, age.outside]] : [],
  ),
);

/** Every package resolves beside other versions of all of its peers; npm would end in ERESOLVE. */
async function checkOutside({ packages, folder }) {
  // First that the check can fail: npm refuses an optional peer whose range excludes what the project has.
  const narrow = join(folder, 'narrow');
  mkdirSync(narrow);
  const manifest = {
    name: 'narrow',
    version: '1.0.0',
    peerDependencies: { kysely: '^0.29.0' },
    peerDependenciesMeta: { kysely: { optional: true } },
  };
  writeFileSync(join(narrow, 'package.json'), JSON.stringify(manifest));
  await exec('npm', ['pack', '--silent'], { cwd: narrow });
  const refused = await resolveWithNpm(join(folder, 'refused'), {
    dependencies: { narrow: `file:${join(narrow, 'narrow-1.0.0.tgz')}`, kysely: outside.kysely },
  }).then(
    () => false,
    (error) => {
      if (String(error).includes('ERESOLVE')) return true;
      throw error;
    },
  );
  if (!refused) throw new Error('npm accepted a peer out of range, so that this check proves nothing');

  const ours = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  await resolveWithNpm(join(folder, 'outside'), { dependencies: { ...ours, ...outside } });
  const listed = Object.entries(outside).map(([name, version]) => `${name} ${version}`);
  return `${packages.length} packages beside ${listed.join(', ')}`;
}

/** A database server of the workspace, when it has one, for the driver under test. */
async function postgresEnvironment() {
  try {
    const testing = join(root, 'packages/storage/dist/testing/index.js');
    const { url } = await (await import(pathToFileURL(testing).href)).startPostgres();
    return { BONAFIDE_TEST_DATABASE_URL: url };
  } catch {
    return {};
  }
}

const mostDatabases =
  process.env.BONAFIDE_PROOF === 'full' ? '' : 'node:sqlite,better-sqlite3,libsql,Postgres';

/** The conformance suites with the oldest or newest vitest, Kysely and drivers, on one version of Node. */
async function checkSuites({ projects, node }, age, nodeAge, databases = '') {
  const vitest = join(projects[age], 'node_modules/vitest/vitest.mjs');
  const report = join(projects[age], `suites-${nodeAge}.json`);
  const reporters = ['--reporter=json', `--outputFile=${report}`];
  const limits = ['--testTimeout=600000', '--hookTimeout=600000'];
  await exec(node(nodeAge), [vitest, 'run', 'suites.test.mjs', ...reporters, ...limits], {
    cwd: projects[age],
    env: { ...(await postgresEnvironment()), DATABASES: databases },
    limitMs: 2_400_000,
  });
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const titles = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map((each) => each.ancestorTitles[0]),
  );
  const ledgers = titles.flatMap((title) => /^ledger store: (.*)/.exec(title)?.[1] ?? []);
  const used = ['vitest', 'kysely'].map((name) => `${name} ${installedVersion(projects[age], name)}`);
  return `${numPassedTests} tests, ${used.join(', ')}, on ${[...new Set(ledgers)].join(', ')}`;
}

/** The adapters with the oldest or newest SDKs. */
async function checkSdks({ projects, node }, age) {
  const env = age === 'newest' ? { AI_SDKS: 'ai,ai-6' } : {};
  await exec(node(age), ['adapters.mjs'], { cwd: projects[age], env });
  const used = [...Object.keys(versions.sdks), 'ai', '@langchain/core', '@getalby/sdk'];
  return used.map((name) => `${name} ${installedVersion(projects[age], name)}`).join(', ');
}

/** @type {readonly import('./checks.mjs').Check[]} */
export const peerChecks = [
  { name: 'ranges of peers', run: checkManifests },
  { name: 'beside other versions', run: checkOutside },
  // On the newest Node: better-sqlite3 13.0 crashes on Node 22.13.
  { name: 'stores, oldest peers', run: (context) => checkSuites(context, 'oldest', 'newest') },
  { name: 'stores, oldest Node', run: (context) => checkSuites(context, 'oldest', 'oldest', 'node:sqlite') },
  // The workspace has PGlite of the same version, on which the suites take longest.
  { name: 'stores, newest peers', run: (context) => checkSuites(context, 'newest', 'newest', mostDatabases) },
  { name: 'adapters, oldest peers', run: (context) => checkSdks(context, 'oldest') },
  { name: 'adapters, newest peers', run: (context) => checkSdks(context, 'newest') },
];
