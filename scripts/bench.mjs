// Runs every `packages/*/bench/*.bench.ts`, or those that are named by their package or as `package/script`, and prints
// each one's table under its name. Flags go to the scripts.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join, sep } from 'node:path';
import { root } from './setup/process.mjs';

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = new Set(process.argv.slice(2).filter((argument) => !argument.startsWith('--')));
const folders = globSync('packages/*/bench/*.bench.ts', { cwd: root }).sort();
const [processor] = cpus();

const scripts = folders.map((file) => {
  const [, name = '', , script = ''] = file.split(sep);
  return { file, name, script: script.replace('.bench.ts', '') };
});
const chosen = scripts.filter(
  ({ name, script }) => wanted.size === 0 || wanted.has(name) || wanted.has(`${name}/${script}`),
);
const known = new Set(scripts.flatMap(({ name, script }) => [name, `${name}/${script}`]));
const unknown = [...wanted].filter((name) => !known.has(name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${[...known].join(', ')}.`);
  process.exit(2);
}

console.log(
  `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
    `${platform()} ${release()} ${arch()}, Node ${process.versions.node}\n`,
);
let failed = false;
for (const { file, name, script } of chosen) {
  console.log(`## ${name}: ${script}\n`);
  const result = spawnSync(process.execPath, ['--expose-gc', join(root, file), ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  failed ||= result.status !== 0;
  console.log('');
}
process.exitCode = failed ? 1 : 0;
