import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  checkDocs,
  filesNamed,
  instanceofErrors,
  linksOf,
  pathsOf,
  usingDeclarations,
} from '../check-docs.mjs';

it('the documents of this repository are true', () => {
  expect(checkDocs(resolve(import.meta.dirname, '../..'))).toEqual([]);
});

it('finds broken links, missing paths and instanceof with an error class', () => {
  const root = mkdtempSync(join(tmpdir(), 'bonafide-docs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = {
    'README.md': '[there](docs/architecture.md) [gone](docs/gone.md#part) [out](https://example.com)',
    'CONTRIBUTING.md': 'See `scripts/run.mjs`.',
    'docs/architecture.md': '`packages/a/src/store.ts` and `packages/a/src/lost.ts`; `packages/<name>/src`',
    'packages/a/src/store.ts': '',
    'scripts/run.mjs': '',
    'examples/agent/src/main.ts': 'if (error instanceof JobError) throw error;',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  expect(checkDocs(root)).toEqual([
    'README.md links to docs/gone.md, which does not exist',
    'docs/architecture.md names packages/a/src/lost.ts, which does not exist',
    "examples/agent/src/main.ts uses 'instanceof JobError': use isBonafideError(error, code)",
  ]);
});

it('finds what a published document names and its package does not contain', () => {
  const root = mkdtempSync(join(tmpdir(), 'bonafide-docs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const address = 'https://github.com/bonafide-agents/bonafide/blob/main';
  const files = {
    'docs/guide.md': '[package](../packages/a/README.md)',
    'packages/a/package.json': '{ "files": ["dist", "src", "docs"] }',
    'packages/a/README.md': `[in](docs/in.md) [out](../../docs/guide.md) [there](${address}/docs/guide.md#part) [\`x\`](${address}/docs/gone.md)
      \`node bench/speed.ts\` \`src/main.ts\` \`own/file.ts\``,
    'packages/a/docs/in.md': '[up](../README.md) [speed](../bench/speed.ts)',
    'packages/a/bench/speed.ts': '',
    'packages/a/bench/notes.md': '[unpublished, so it may](../../../docs/guide.md)',
    'packages/a/src/main.ts': '',
    'docs/architecture.md': '',
    'CONTRIBUTING.md': '',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const not = 'which the package does not contain: link to the repository';
  expect(checkDocs(root)).toEqual([
    'packages/a/README.md links to docs/gone.md in the repository, which does not exist',
    `packages/a/README.md links to ../../docs/guide.md, ${not}`,
    `packages/a/README.md names bench/speed.ts, ${not}`,
    `packages/a/docs/in.md links to ../bench/speed.ts, ${not}`,
  ]);
});

it('reads names of files out of commands', () => {
  expect(filesNamed('`node --a=b bench/a.bench.ts` `a/b` `@b/c` `npm run x`')).toEqual(['bench/a.bench.ts']);
});

it('reads no links out of code', () => {
  expect(linksOf('[a](b.md) `[c](d.md)`\n```md\n[e](f.md)\n```\n[g](#h)')).toEqual(['b.md']);
});

it('takes only paths below a folder of the repository', () => {
  const isFolder = (name: string) => name === 'docs';
  expect(pathsOf('`docs/a.md` `src/b.ts` `docs/*.md` `npm/run` `docs`', isFolder)).toEqual(['docs/a.md']);
});

it('knows errors by their name', () => {
  expect(instanceofErrors('a instanceof Map; b instanceof StorageError; c instanceof Error')).toEqual([
    'instanceof StorageError',
    'instanceof Error',
  ]);
});

it('knows declarations that Node 22 does not run', () => {
  const text =
    'await using a = b();\n  using lock = c();\nconst using = 1; // call close() or `await using d`';
  expect(usingDeclarations(text)).toEqual(['await using a', 'using lock']);
});
