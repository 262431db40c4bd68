import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n((?:(?!```).*\n)*)```\n\n```text\n([\s\S]*?)^```/gmu)].map(
  ([, code = '', output = '']) => ({ code, output }),
);

it('the README has examples of a score, judged work, a report, an agreement and a web (X-11)', () => {
  expect(examples).toHaveLength(5);
});

it.each(examples.map((example, index) => [index + 1, example] as const))(
  'example %i of the README prints what it says (X-11, TRU-13, TRU-16, TRU-30)',
  (_, { code, output }) => {
    // Inside the package, so that its own name resolves.
    const folder = mkdtempSync(join(import.meta.dirname, '.readme-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const signers = pathToFileURL(join(import.meta.dirname, 'signers.ts')).href;
    const script = code.replace(
      "import { createKeySigner } from '@bonafide/nostr-transport';",
      `import { signerOf as createKeySigner } from '${signers}';`,
    );
    const file = join(folder, 'example.ts');
    writeFileSync(file, script);
    const result = spawnSync(process.execPath, ['--conditions=@bonafide/source', file], {
      encoding: 'utf8',
      timeout: 600_000,
    });
    expect(result.stderr).toBe('');
    expect(result.stdout).toBe(output);
  },
);
