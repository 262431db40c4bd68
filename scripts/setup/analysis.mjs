import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.mjs';

const folder = join(root, 'packages/judge-runner');

/**
 * Builds `dist/analysis.js` of judge-runner unless it is newer than its sources. It is the one file that also a
 * checkout runs from its build: it reads JavaScript inside the sandbox, where its parser can't be imported.
 */
export function prepareAnalysis() {
  const output = join(folder, 'dist/analysis.js');
  const sources = readdirSync(join(folder, 'javascript')).map((name) => join(folder, 'javascript', name));
  const newest = Math.max(
    ...[...sources, join(folder, 'package.json')].map((file) => statSync(file).mtimeMs),
  );
  if (existsSync(output) && statSync(output).mtimeMs > newest) return;
  const tsup = [
    '--no-config',
    'javascript/analysis.mjs',
    '--format',
    'esm',
    '--platform',
    'node',
    '--silent',
  ];
  if (run('tsup', tsup, { show: false, cwd: folder }) !== 0)
    throw new Error('judge-runner/dist/analysis.js could not be built; the lines above say why.');
}

/** Vitest's global set-up of judge-runner's tests. */
export default prepareAnalysis;
