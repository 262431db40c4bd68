import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks, firstExample } from '../consumers/readme.mjs';

const root = resolve(import.meta.dirname, '../..');
const readmes = globSync('packages/*/README.md', { cwd: root }).sort();
const pages = globSync('packages/*/docs/*.md', { cwd: root }).sort();

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

/** Errors about names that an example leaves to its reader, what follows from them, and the `return` of an excerpt. */
const ownNames = /error TS(?:2304|2503|2552|2593|18004|7006|7031|1108):|to type 'never'/;
/** Errors about modules: the reader's own, or packages that the example's one does not need itself. */
const isOwnModule = (line: string): boolean => {
  const [, name = ''] = /error TS2307: Cannot find module '(.*?)'/.exec(line) ?? [];
  const [, folder, subpath = ''] = /^@bonafide\/([\w-]+)(\/.+)?$/.exec(name) ?? [];
  if (folder === undefined) return name.startsWith('.');
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  return `.${subpath}` in exports;
};

it('X-11 X-12 every other example of a README or a page type-checks, except for the names that it leaves to its reader', () => {
  const folders: string[] = [];
  try {
    const files = [...readmes, ...pages].flatMap((document) => {
      const codes = codeBlocks(readFileSync(join(root, document), 'utf8'));
      const others = readmes.includes(document) ? codes.slice(1) : codes;
      const folder = mkdtempSync(join(root, document, '..', '.readme-'));
      folders.push(folder);
      return others.map((code, index) => {
        const file = join(folder, `example-${index + 1}.ts`);
        // A module of its own, also without an import.
        writeFileSync(file, `${code}\nexport {};\n`);
        return file;
      });
    });
    expect(files.length).toBeGreaterThan(30);
    const base = join(root, 'tsconfig.base.json');
    const settings = join(folders[0] ?? '', 'tsconfig.json');
    writeFileSync(settings, JSON.stringify({ extends: base, files }));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(tsc, ['-p', settings, '--pretty', 'false'], {
      encoding: 'utf8',
      timeout: 600_000,
    });
    const errors = stdout.split('\n').filter((line) => /error TS/.test(line));
    const problems = errors.filter((line) => !ownNames.test(line) && !isOwnModule(line));
    expect(problems).toEqual([]);
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});
