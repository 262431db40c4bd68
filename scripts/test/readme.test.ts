import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const readmes = globSync('packages/*/README.md', { cwd: root }).sort();

/** The first TypeScript block of a README and the text block that follows it at once, if any. */
function firstExample(markdown: string) {
  const match = /```ts\n(?<code>[\s\S]*?)```\n+(?:```text\n(?<output>[\s\S]*?)```)?/.exec(markdown);
  return { code: match?.groups?.code, output: match?.groups?.output };
}

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
      const result = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 50_000 });
      expect(result.stderr.replace(/^.*ExperimentalWarning[\s\S]*$/m, '')).toBe('');
      expect(result.stdout).toBe(output);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
