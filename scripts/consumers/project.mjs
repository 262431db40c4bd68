// Projects outside of the repository that use the packed packages as anybody would. What they install is kept between
// runs; the packages themselves are unpacked anew in each.
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup/process.mjs';
import { exec } from './exec.mjs';

export const scope = '@bonafide/';
const unusedDays = 7;
/** Longest installation, in ms: other checks take the cores at the same time, and registries may be slow. */
export const installLimitMs = 1_200_000;

/**
 * A package as it is published.
 * @typedef {object} PackedPackage
 * @property {string} name
 * @property {string} tarball Path of the `.tgz`.
 * @property {string} integrity Hash of the tarball.
 * @property {{ exports: Record<string, unknown>, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }>, engines: { node: string } }} manifest
 */

/**
 * Packs every package into a folder. `pnpm pack` replaces what only a workspace understands.
 * @param {string} folder
 * @returns {Promise<readonly PackedPackage[]>}
 */
export async function packAll(folder) {
  const filter = ['-r', '--filter', './packages/*'];
  const packed = await exec('pnpm', [...filter, 'pack', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  return await Promise.all(
    JSON.parse(packed).map(async ({ name, filename, integrity }) => {
      const manifest = await exec('tar', ['-xzOf', filename, 'package/package.json']);
      return { name, tarball: filename, integrity, manifest: JSON.parse(manifest) };
    }),
  );
}

/** Every entry of a packed package as a consumer imports it. */
export function entriesOf({ name, manifest }) {
  const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
  return subpaths.map((subpath) => join(name, subpath));
}

/** Where installed projects are kept: `BONAFIDE_CONSUMERS`, else the user's cache folder. */
const cacheFolder = () =>
  process.env.BONAFIDE_CONSUMERS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'bonafide-consumers');

/** Removes projects that no run has used for a week. */
function removeUnused(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > unusedDays * 86_400_000)
      rmSync(path, { recursive: true, force: true });
  }
}

/** What decides whether an installation can be used again. */
const stampOf = (manifest, packages) =>
  createHash('sha256')
    .update(JSON.stringify([root, process.platform, process.arch, manifest]))
    .update(JSON.stringify(packages.map(({ name, manifest: { dependencies } }) => [name, dependencies])))
    .digest('hex')
    .slice(0, 16);

/**
 * Returns the folder of a project with all packages and `dependencies` in it, installed flat as npm does. Optional
 * dependencies may be missing afterwards, where the machine can't have them.
 *
 * @param {string} name
 * @param {readonly PackedPackage[]} packages
 * @param {{ dependencies?: Record<string, string>, optional?: Record<string, string>, builds?: readonly string[] }} options
 *   `builds`: the dependencies whose install scripts run.
 * @returns {Promise<string>}
 */
export async function prepareProject(name, packages, { dependencies = {}, optional = {}, builds = [] }) {
  const local = Object.fromEntries(packages.map((each) => [each.name, `file:${each.tarball}`]));
  const third = { private: true, type: 'module', dependencies, optionalDependencies: optional };
  const cache = cacheFolder();
  removeUnused(cache);
  const folder = join(cache, `${name}-${stampOf({ ...third, builds }, packages)}`);
  const stamp = join(folder, 'installed');
  if (!existsSync(stamp)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const manifest = { ...third, dependencies: { ...local, ...dependencies } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    const settings = {
      nodeLinker: 'hoisted',
      autoInstallPeers: false,
      strictPeerDependencies: false,
      pmOnFail: 'ignore',
      overrides: local,
      strictDepBuilds: false,
      fetchRetries: 5,
      allowBuilds: Object.fromEntries(builds.map((build) => [build, true])),
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings));
    await exec('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile', '--reporter=append-only'], {
      cwd: folder,
      limitMs: installLimitMs,
    });
    writeFileSync(stamp, JSON.stringify(copiesOf(packages, folder)));
  }
  utimesSync(folder, new Date(), new Date());
  await unpack(packages, JSON.parse(readFileSync(stamp, 'utf8')), join(folder, 'unpacked'));
  return folder;
}

/** Where the installer has put each package of ours: once, or again below one that needs other versions of a library. */
function copiesOf(packages, folder) {
  const copies = packages.map(({ name }) => [
    name,
    globSync(`{node_modules,node_modules/${scope}*/node_modules}/${name}`, { cwd: folder }).map((copy) =>
      join(folder, copy),
    ),
  ]);
  return Object.fromEntries(copies);
}

/** Replaces the installed packages of ours that are not as they were packed in this run; `record` says what they are. */
async function unpack(packages, copies, record) {
  const unpacked = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  rmSync(record, { force: true });
  for (const { name, tarball, integrity } of packages) {
    if (unpacked[name] === integrity) continue;
    for (const target of copies[name]) {
      // The libraries of a package that needs other versions than the project has lie below it.
      for (const entry of readdirSync(target).filter((each) => each !== 'node_modules'))
        rmSync(join(target, entry), { recursive: true, force: true });
      await exec('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
    }
  }
  writeFileSync(
    record,
    JSON.stringify(Object.fromEntries(packages.map((each) => [each.name, each.integrity]))),
  );
}

/** The version of a dependency in a project, or null when it could not be installed. */
export function installedVersion(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}
