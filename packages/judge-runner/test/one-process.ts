import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs node:test on tests whose module `solution` is in their process, and returns the names of those that fail. */
export async function failedInOneProcess(source: string, tests: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-one-process-'));
  try {
    const module = join(folder, 'node_modules/solution');
    mkdirSync(module, { recursive: true });
    writeFileSync(join(module, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
    writeFileSync(join(module, 'index.js'), source);
    writeFileSync(join(folder, 'it.test.mjs'), tests);
    const report = await new Promise<string>((resolve) => {
      // A failed test is an exit code.
      const options = { env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 };
      const args = ['--test-reporter=tap', join(folder, 'it.test.mjs')];
      execFile(process.execPath, args, options, (_, stdout) => resolve(stdout));
    });
    return [...report.matchAll(/^not ok \d+ - (.*)$/gmu)].map(([, name = '']) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
