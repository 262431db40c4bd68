import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, root, run } from './process.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpmVersion = manifest.packageManager.split('@')[1];
const nodeMajor = 24;

/**
 * Makes the workspace ready: the pinned pnpm, every package, and the Node that the tools need. Returns
 * when it is; when pnpm had to be fetched first, the whole command runs again under it and this process ends.
 */
export function prepareWorkspace(command) {
  if (outputOf('pnpm', ['--version']) !== pnpmVersion) {
    if (process.env.BONAFIDE_PNPM === pnpmVersion) {
      throw new Error(
        `pnpm ${pnpmVersion} could not be started. Install it by hand: npm install --global pnpm@${pnpmVersion}`,
      );
    }
    const again = [
      '--yes',
      '--prefer-offline',
      `--package=pnpm@${pnpmVersion}`,
      '--',
      'node',
      'scripts/run.mjs',
      ...command,
    ];
    process.exit(run('npx', again, { stdout: 'inherit', env: { BONAFIDE_PNPM: pnpmVersion } }));
  }
  const install = ['install', '--frozen-lockfile', '--trust-lockfile', '--reporter=append-only'];
  if (run('pnpm', install, { show: false }) !== 0) {
    throw new Error('The packages could not be installed; the lines above say why.');
  }
  const node = outputOf('pnpm', ['exec', 'node', '--version']) ?? 'none';
  if (Number(node.slice(1).split('.')[0]) < nodeMajor) {
    throw new Error(
      `Node ${nodeMajor} or newer is needed on this platform, found ${node}: https://nodejs.org/en/download`,
    );
  }
}
