import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const section = readme.slice(readme.indexOf('## The registry'));
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'mu').exec(section)?.[1] ?? '';

it('the example of the registry prints what the README says when no relay answers (X-11, DIS-14)', () => {
  // Inside the package, so that its own name resolves. Names below .example exist nowhere.
  const folder = mkdtempSync(join(import.meta.dirname, '.readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const relays = "relays: ['wss://relay.damus.io', 'wss://nos.lol'],";
  const code = blockOf('ts');
  expect(code).toContain(relays);
  const file = join(folder, 'example.ts');
  writeFileSync(
    file,
    code.replace(
      relays,
      "relays: ['wss://a.relay.example', 'wss://b.relay.example'], config: { queryTimeoutMs: 500 },",
    ),
  );
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--conditions=@bonafide/source', file], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect([status, stderr]).toEqual([0, '']);
  const expected = blockOf('text')
    .replaceAll('relay.damus.io', 'a.relay.example')
    .replaceAll('nos.lol', 'b.relay.example');
  expect(expected).toContain('unreachable');
  // The cause is the resolver's.
  const withoutCause = (text: string) => text.replaceAll(/(?<=events ).*/gu, '');
  expect(withoutCause(stdout)).toBe(withoutCause(expected));
});
