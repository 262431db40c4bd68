import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeTestSuite } from '../src/index.ts';
import { failures, javascript } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const tests = `
import test, { describe, snapshot } from 'node:test';
import { card } from './solution.mjs';
snapshot.setDefaultSnapshotSerializers([(value) => JSON.stringify(value, null, 2), (text) => text?.replaceAll('2026', 'YEAR')]);
test('a card', (t) => {
  t.assert.snapshot(card('Ada'));
  t.assert.snapshot(card('\`Bob\` \${x} \\\\ \\r\\n'));
});
describe('in a group', () => {
  test('with a test within', async (t) => {
    await t.test('of a name', (inner) => inner.assert.snapshot(card('Cy').name));
    t.assert.snapshot(card('Cy'), { serializers: [(value) => Object.keys(value).join()] });
  });
});
test('in a file of its own', (t) => t.assert.fileSnapshot(card('Dee'), 'dee.json'));
test('that is counted', (t) => { t.plan(1); t.assert.snapshot(undefined); });
`;
const right = `export const card = (name) => ({ name, since: 2026, tags: ['a', 'b'] });`;

let files: Readonly<Record<string, string>>;
const folder = mkdtempSync(join(tmpdir(), 'judge-snapshots-'));
beforeAll(() => {
  writeFileSync(join(folder, 'card.test.mjs'), tests);
  writeFileSync(join(folder, 'solution.mjs'), right);
  // As its author makes them.
  execFileSync(process.execPath, ['--test', '--test-update-snapshots', 'card.test.mjs'], { cwd: folder });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  files = Object.fromEntries(
    ['card.test.mjs', 'card.test.mjs.snapshot', 'dee.json'].map((name) => [name, read(name)]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const suite = (more: Partial<NodeTestSuite> = {}): NodeTestSuite => ({
  ...{ id: 'snapshots', language: 'javascript', mode: 'split', files },
  ...more,
});

describe('snapshots of node:test that the suite keeps', () => {
  it.each([false, true])(
    'are what a correct program answers, with a reference: %s (JDG-21)',
    async (given) => {
      const reference = given ? { reference: javascript(right) } : {};
      expect(failures(await judge.run({ artifact: javascript(right), suite: suite(reference) }))).toEqual([]);
    },
  );

  it.each([
    ["tags: ['a', 'b']", "tags: ['b', 'a']", ['a card', 'in a file of its own']],
    ['name, since', 'since', ['a card', 'in a file of its own', 'in a group > with a test within']],
    ['({ name,', '({ name: name.trim(),', ['a card']],
  ])('fail a program with %s as %s where they do in one process (JDG-17)', async (from, to, failing) => {
    const wrong = right.replace(from, to);
    expect(wrong).not.toBe(right);
    const verdict = await judge.run({ artifact: javascript(wrong), suite: suite() });
    const failed = verdict.tests.filter(({ status }) => status === 'failed').map(({ id }) => id);
    expect(failed.map((id) => id.replace('card.test.mjs::', '')).sort()).toEqual(failing);
  });

  it('are asked of their author where the suite has none (JDG-21, X-4)', async () => {
    const only = { 'card.test.mjs': files['card.test.mjs'] ?? '' };
    const verdict = await judge.run({ artifact: javascript(right), suite: suite({ files: only }) });
    expect(verdict.tests.find(({ id }) => id.endsWith('a card'))?.reason).toMatch(
      /no snapshot 'a card 1' in card\.test\.mjs\.snapshot: run node --test --test-update-snapshots/,
    );
  });
});
