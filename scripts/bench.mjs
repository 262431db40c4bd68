// Runs every `packages/*/bench/*.bench.ts` and prints its table under the package's name.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join, sep } from 'node:path';
import { root } from './setup/process.mjs';

const wanted = process.argv.slice(2);
const folders = globSync('packages/*/bench/*.bench.ts', { cwd: root }).sort();
const [processor] = cpus();

console.log(
  `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
    `${platform()} ${release()} ${arch()}, Node ${process.versions.node}\n`,
);
let failed = false;
for (const file of folders) {
  const [, name = '', , script = ''] = file.split(sep);
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`## ${name}: ${script.replace('.bench.ts', '')}\n`);
  const result = spawnSync(process.execPath, ['--expose-gc', join(root, file)], {
    cwd: root,
    stdio: 'inherit',
  });
  failed ||= result.status !== 0;
  console.log('');
}
process.exitCode = failed ? 1 : 0;
