import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, root, run } from './process.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpmVersion = manifest.packageManager.split('@')[1];
const nodeMajor = 24;

/** Records what was installed; it lies inside `node_modules`, so that both are removed together. */
const stampFile = 'node_modules/.bonafide-installed';

/** The folders of the workspace's packages, from the root. */
const packageFolders = () =>
  ['packages', 'examples']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .concat('internal', 'docs')
    .filter((folder) => existsSync(join(root, folder, 'package.json')));

/** A hash over everything that decides what `pnpm install` does. */
function stamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${root}\0`);
  const settings = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs', '.npmrc', 'package.json'];
  for (const file of [...settings, ...packageFolders().map((folder) => `${folder}/package.json`)])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Returns true when the last installation had exactly these manifests and still exists. */
function isInstalled() {
  const file = join(root, stampFile);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== stamp()) return false;
  return packageFolders().every((folder) => existsSync(join(root, folder, 'node_modules')));
}

/** Throws when the root can't be written to, since installing and building would fail in less clear ways. */
function requireWritable() {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new Error(
      `${root} can't be written to, and the packages must be installed into it. Copy the repository to a folder of yours, or make this one writable.`,
    );
  }
}

/**
 * Makes pnpm in the pinned version available to the command `node scripts/run.mjs …command`. Where it is missing, runs
 * that command again under npx, which fetches it, and ends this process with the same exit code.
 */
export function requirePnpm(command) {
  if (outputOf('pnpm', ['--version']) === pnpmVersion) return;
  if (process.env.BONAFIDE_PNPM === pnpmVersion) {
    throw new Error(
      `pnpm ${pnpmVersion} could not be started. Install it by hand: npm install --global pnpm@${pnpmVersion}`,
    );
  }
  const npx = ['--yes', '--prefer-offline', `--package=pnpm@${pnpmVersion}`, '--'];
  const again = [...npx, 'node', 'scripts/run.mjs', ...command];
  process.exit(run('npx', again, { stdout: 'inherit', env: { BONAFIDE_PNPM: pnpmVersion } }));
}

/**
 * Installs the packages and the Node that the tools need, unless they are installed already. May run the command again,
 * see {@link requirePnpm}.
 */
export function prepareWorkspace(command) {
  if (isInstalled()) return;
  requireWritable();
  requirePnpm(command);
  const install = ['install', '--frozen-lockfile', '--trust-lockfile', '--reporter=append-only'];
  if (run('pnpm', install, { show: false }) !== 0) {
    throw new Error('The packages could not be installed; the lines above say why.');
  }
  const node = outputOf('node', ['--version']) ?? 'none';
  if (Number(node.slice(1).split('.')[0]) < nodeMajor) {
    throw new Error(
      `Node ${nodeMajor} or newer is needed on this platform, found ${node}: https://nodejs.org/en/download`,
    );
  }
  writeFileSync(join(root, stampFile), stamp());
}
