// Every platform's binaries belong into pnpm-lock.yaml, not just this machine's: pnpm silently leaves out
// an optional dependency that the registry did not offer when the lockfile was made, and whoever installs
// on that platform later gets no binary. Compares the lockfile with what the installed packages' own
// manifests name. Run it after an install: `node scripts/check-lockfile.mjs`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

/**
 * Optional dependencies that are missing on purpose: `name@version` of the package, or the importer's folder, to
 * the names and the reason. An entry that is no longer needed is reported too. None at present: Node itself has
 * no package for macOS, so the root's manifest does not name one (`scripts/run.mjs` takes the host's Node there).
 * @type {Readonly<Record<string, { names: readonly string[], reason: string }>>}
 */
export const deliberatelyAbsent = {};

/** `name@version` without the peers that pnpm adds in parentheses. */
const withoutPeers = (/** @type {string} */ key) => key.replace(/\(.*$/, '');

/**
 * Returns the packages that the lockfile lacks.
 * @param {any} lockfile pnpm-lock.yaml, parsed
 * @param {ReadonlyMap<string, readonly string[]>} wanted the optional dependencies that each manifest names, by `name@version`
 * @param {ReadonlyMap<string, readonly string[]>} wantedByImporters the same for the workspace's own packages, by folder
 * @param {Readonly<Record<string, { names: readonly string[], reason: string }>>} absent missing on purpose
 * @returns {string[]} one line per package
 */
export function findGaps(lockfile, wanted, wantedByImporters, absent = deliberatelyAbsent) {
  const gaps = new Map();
  const notInstalled = new Set();
  const compare = (owner, names, listed) => {
    const missing = names.filter((name) => !(name in (listed ?? {})));
    if (missing.length > 0) gaps.set(owner, [...new Set([...(gaps.get(owner) ?? []), ...missing])]);
  };
  for (const [key, snapshot] of Object.entries(lockfile.snapshots ?? {})) {
    const owner = withoutPeers(key);
    const names = wanted.get(owner);
    if (names !== undefined) compare(owner, names, snapshot?.optionalDependencies);
    // Another platform's binary is not here; anything else would go unchecked.
    else if (!snapshot?.optional) notInstalled.add(owner);
  }
  for (const [folder, names] of wantedByImporters) {
    compare(folder, names, lockfile.importers?.[folder]?.optionalDependencies);
  }
  const lines = [...notInstalled].map((owner) => `${owner} is not installed: run pnpm install`);
  for (const [owner, missing] of gaps) {
    const unexplained = missing.filter((name) => !absent[owner]?.names.includes(name));
    if (unexplained.length > 0) lines.push(`${owner} lacks ${unexplained.join(', ')}`);
  }
  for (const [owner, { names }] of Object.entries(absent)) {
    const needless = names.filter((name) => !gaps.get(owner)?.includes(name));
    if (needless.length > 0)
      lines.push(`${owner} no longer lacks ${needless.join(', ')}: drop the exception`);
  }
  return lines;
}

const optionalNames = (manifest) => Object.keys(manifest.optionalDependencies ?? {});
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * The optional dependencies that the installed packages' published manifests name, by `name@version`.
 * @param {string} root the workspace
 * @returns {Map<string, string[]>}
 */
export function readInstalled(root) {
  const store = join(root, 'node_modules/.pnpm');
  const wanted = new Map();
  if (!existsSync(store)) throw new Error('Nothing is installed: run pnpm install first.');
  for (const entry of readdirSync(store)) {
    const modules = join(store, entry, 'node_modules');
    if (!existsSync(modules)) continue;
    // Its own package is a folder there; what it depends on are links.
    for (const manifestPath of ownManifests(modules)) {
      const manifest = readJson(manifestPath);
      wanted.set(`${manifest.name}@${manifest.version}`, optionalNames(manifest));
    }
  }
  return wanted;
}

function ownManifests(modules) {
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (!entry.isDirectory() || entry.name === '.bin') return [];
    if (entry.name.startsWith('@')) return ownManifests(path);
    const manifest = join(path, 'package.json');
    return existsSync(manifest) ? [manifest] : [];
  });
}

/**
 * The optional dependencies that the workspace's own manifests name, by folder as the lockfile writes it.
 * @param {string} root the workspace
 * @param {Iterable<string>} folders
 * @returns {Map<string, string[]>}
 */
export function readImporters(root, folders) {
  return new Map(
    [...folders].map((folder) => [folder, optionalNames(readJson(join(root, folder, 'package.json')))]),
  );
}

function main(root) {
  const lockfile = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const installed = readInstalled(root);
  const gaps = findGaps(lockfile, installed, readImporters(root, Object.keys(lockfile.importers)));
  const platforms = [...installed.values()].filter((names) => names.length > 0).length;
  if (gaps.length === 0) {
    console.log(`pnpm-lock.yaml is complete for every platform (${platforms} packages with optional ones).`);
    return 0;
  }
  console.error('pnpm-lock.yaml is not complete, so that some platforms would get no binary:');
  for (const gap of gaps) console.error(`  ${gap}`);
  console.error('Pin versions whose platform packages the registry has, and install again.');
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = main(resolve(dirname(import.meta.filename), '..'));
}
