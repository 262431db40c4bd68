import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstExample } from '../consumers/readme.mjs';

const root = resolve(import.meta.dirname, '../..');
const readmes = globSync('packages/*/README.md', { cwd: root }).sort();

describe("the first example of each package's README", () => {
  it.each(readmes)('X-11 runs as pasted and prints what it promises: %s', (readme) => {
    const { code, output } = firstExample(readFileSync(join(root, readme), 'utf8'));
    expect(code, 'a ```ts block').toBeDefined();
    expect(output, 'a ```text block right after it').toBeDefined();
    // Inside the package, so that its own name resolves to what was built.
    const folder = mkdtempSync(join(root, readme, '..', '.readme-'));
    try {
      const file = join(folder, 'example.ts');
      writeFileSync(file, code ?? '');
      const result = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 600_000 });
      expect(result.stderr.replace(/^.*ExperimentalWarning[\s\S]*$/m, '')).toBe('');
      expect(result.stdout).toBe(output);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
