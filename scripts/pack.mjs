// Packs packages as they are published, with those of ours that they need at run time, into `.bonafide/packed`, and prints the
// command that installs them: `npm run pack -- ledger-core storage`, or all with `npm run pack`.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanEnvironment, root } from './setup/process.mjs';

const scope = '@bonafide/';

/**
 * Returns the packages of ours that one needs at run time, however indirectly.
 * @param {string} name
 * @param {ReadonlyMap<string, { dependencies?: Record<string, string> }>} manifests
 * @returns {Set<string>}
 */
export function neededBy(name, manifests, found = new Set()) {
  for (const dependency of Object.keys(manifests.get(name)?.dependencies ?? {})) {
    if (!dependency.startsWith(scope) || found.has(dependency)) continue;
    found.add(dependency);
    neededBy(dependency, manifests, found);
  }
  return found;
}

/** Returns the manifest of every package, and its folder, by name. */
export function readManifests() {
  return new Map(
    globSync('packages/*/package.json', { cwd: root }).map((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
      return [manifest.name, { ...manifest, folder: join(root, dirname(file)) }];
    }),
  );
}

/**
 * Packs a package that is built, by pnpm, which writes the published `exports`. Returns the path of the tarball.
 * @param {{ folder: string }} manifest
 * @param {string} destination
 */
export function pack({ folder }, destination) {
  const args = ['pack', '--json', '--pack-destination', destination];
  const printed = execFileSync('pnpm', args, { cwd: folder, env: cleanEnvironment(), encoding: 'utf8' });
  return JSON.parse(printed).filename;
}

/**
 * Returns the packages of ours that the programs of a new agent import.
 * @param {ReadonlyMap<string, { folder: string }>} manifests
 * @returns {string[]}
 */
export function importedByAgent(manifests) {
  const folder = join(manifests.get('create-bonafide')?.folder ?? '', 'template');
  const programs = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const names = programs.flatMap((text) =>
    [...text.matchAll(/ from '(@bonafide\/[\w-]+)/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)].sort();
}

function main(wanted) {
  const manifests = readManifests();
  const names =
    wanted.length === 0
      ? [...manifests.keys()]
      : wanted.map((name) => (manifests.has(name) ? name : `${scope}${name}`));
  const unknown = names.filter((name) => !manifests.has(name));
  if (unknown.length > 0) {
    const known = [...manifests.keys()].map((name) => name.replace(scope, '')).join(', ');
    console.error(`${unknown[0]} cannot be packed. Name packages: npm run pack -- ledger-core storage`);
    console.error(`There are: ${known}`);
    return 2;
  }
  const destination = join(root, '.bonafide/packed');
  mkdirSync(destination, { recursive: true });
  // The agent that the starter creates imports packages that the starter itself does not.
  const starter = names.includes('create-bonafide');
  const roots = starter ? [...names, ...importedByAgent(manifests)] : names;
  const all = new Set(roots.flatMap((name) => [name, ...neededBy(name, manifests)]));
  const packed = new Map([...all].map((name) => [name, pack(manifests.get(name), destination)]));
  const libraries = [...packed].flatMap(([name, file]) => (name === 'create-bonafide' ? [] : [file]));
  if (starter) {
    console.log(`npm exec --yes --package=${packed.get('create-bonafide')} -- create-bonafide my-agent`);
    console.log('cd my-agent');
  }
  console.log(`npm install ${libraries.join(' ')}`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = main(process.argv.slice(2));
