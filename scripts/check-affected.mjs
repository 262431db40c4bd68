// Checks a change: lint and words of the whole repository, types of the changed packages and of the packages that use
// them, and every test that loads a changed file. `npm test` checks everything. Compares the working tree with the commit at
// which it left the main branch, or with a given one: `npm run affected -- HEAD~3`.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './setup/process.mjs';

/**
 * @typedef {object} WorkspacePackage
 * @property {string} name with its scope
 * @property {string} folder from the root, with slashes
 * @property {readonly string[]} uses names of the workspace packages among its dependencies
 */

/** Reads the manifests of the workspace's packages. */
export function readPackages(root) {
  const manifests = globSync(['{packages,examples}/*/package.json', '{internal,docs}/package.json'], {
    cwd: root,
  })
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((file) => ({ folder: dirname(file), manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) }));
  const names = new Set(manifests.map(({ manifest }) => manifest.name));
  return manifests.map(({ folder, manifest }) => {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
    const all = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
    return { name: manifest.name, folder, uses: Object.keys(all).filter((name) => names.has(name)) };
  });
}

/** Returns the names of `changed` and of every package that uses one of them, directly or through others. */
export function withUsers(packages, changed) {
  const found = new Set(changed);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { name, uses } of packages) if (uses.some((used) => found.has(used))) found.add(name);
  }
  return found;
}

/** Files of the root that decide how every package is built, typed or tested. */
const global =
  /^(?:tsconfig\.base\.json|tsup\.base\.ts|vitest\.(?:base|config)\.ts|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.pnpmfile\.mjs)$/;

/** Files of a package that tests use without importing them. */
const decidesPackage =
  /^(?:package\.json|tsconfig[^/]*\.json|(?:vitest|tsup)\.config\.ts)$|\.(?:json|jsonl|py|sh)$/;

/**
 * Decides what a change needs, from the changed files and the packages.
 *
 * @param {readonly string[]} files changed files from the root, with slashes
 * @param {readonly WorkspacePackage[]} packages
 * @returns {{ everything: string | null, types: string[], loaded: string[], folders: string[] }} `everything`: a file
 *   that affects every package, or null; `types`: folders of packages to type-check; `loaded`: files whose importing
 *   tests are run; `folders`: folders whose tests are all run
 */
export function planChecks(files, packages) {
  const ownerOf = (file) => packages.find(({ folder }) => file.startsWith(`${folder}/`));
  const owners = new Set(files.flatMap((file) => ownerOf(file)?.name ?? []));
  const affected = withUsers(packages, owners);
  const loaded = files.filter((file) => /\.(?:ts|mjs)$/.test(file) && !global.test(file));
  const whole = files.flatMap((file) => {
    const owner = ownerOf(file);
    if (owner === undefined || owner.folder === 'docs') return [];
    return decidesPackage.test(file.slice(owner.folder.length + 1)) ? [owner.folder] : [];
  });
  return {
    everything: files.find((file) => global.test(file)) ?? null,
    types: packages
      .filter(({ name, folder }) => affected.has(name) && folder !== 'docs')
      .map(({ folder }) => folder),
    loaded,
    // Tests of the scripts read documents, manifests and sources of every package.
    folders: [...new Set([...whole, 'scripts'])].sort(),
  };
}

const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Returns the commit at which HEAD left the main branch; HEAD itself on that branch. */
export function baseOf(root) {
  for (const branch of ['origin/main', 'main']) {
    try {
      return git(root, 'merge-base', 'HEAD', branch).trim();
    } catch {
      // This clone does not have the branch.
    }
  }
  return 'HEAD';
}

/** Returns the files that differ from a commit, committed or not, new ones included. */
export function changedFiles(root, base) {
  const listed = [
    git(root, 'diff', '--name-only', '-z', '--no-renames', base),
    git(root, 'ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return [...new Set(listed.flatMap((text) => text.split('\0')).filter((file) => file !== ''))].sort();
}

/** Runs the checks of a change; returns 0 when all pass. */
function main(root, base) {
  const files = changedFiles(root, base);
  if (files.length === 0) {
    console.error(`Nothing differs from ${base.slice(0, 12)}.`);
    return 0;
  }
  const packages = readPackages(root);
  const { everything, types, loaded, folders } = planChecks(files, packages);
  if (everything !== null) {
    console.error(`${everything} affects every package. Run npm test.`);
    return 1;
  }
  console.error(
    `${files.length} changed files since ${base.slice(0, 12)}; types of ${types.join(', ') || 'the scripts'}.`,
  );
  const present = loaded.filter((file) => existsSync(join(root, file)));
  const names = packages.filter(({ folder }) => types.includes(folder)).map(({ name }) => `--filter=${name}`);
  /** @type {[string, () => number][]} */
  const checks = [
    ['lint', () => run('biome', ['check', '--error-on-warnings', '.'])],
    ['words', () => run('node', ['scripts/check-words.mjs'])],
    ['boundaries', () => run('node', ['scripts/check-boundaries.mjs'])],
    ['types of the scripts', () => run('tsc', ['-p', 'tsconfig.json'])],
    ...(names.length === 0
      ? []
      : /** @type {[string, () => number][]} */ ([
          [
            'types',
            () =>
              run('turbo', ['run', 'types', ...names, '--output-logs=errors-only', '--log-order=grouped']),
          ],
        ])),
    ['tests', () => run('vitest', ['related', '--run', '--passWithNoTests', ...present])],
    ...folders.map(
      (folder) =>
        /** @type {[string, () => number]} */ ([
          `all tests of ${folder}`,
          () => run('vitest', ['run', '--passWithNoTests', `${folder}/`]),
        ]),
    ),
  ];
  const failed = checks.filter(([name, check]) => {
    const startedAt = Date.now();
    const status = check();
    console.error(
      `▸ ${name}: ${status === 0 ? 'passed' : 'failed'} after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    return status !== 0;
  });
  console.error(failed.length === 0 ? 'All passed.' : `Failed: ${failed.map(([name]) => name).join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '..');
  process.exitCode = main(root, process.argv[2] ?? baseOf(root));
}
