import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  collectTests,
  fillColumn,
  findProblems,
  findSuiteProblems,
  idsOfBench,
  idsOfTitle,
  parseRequirements,
  parseSuites,
  suiteTitlesOf,
  titlesOf,
} from '../check-requirements.mjs';

const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'scripts/check-requirements.mjs');

const document = `# Requirements

Text with | a bar and NET-9.

| id | requirement | state | tests |
|---|---|---|---|
| NET-1 | A port \\| with a bar | done |  |
| NET-1b | Verification | slice |  |

## Another table

| id | requirement | state | tests |
|---|---|---|---|
| X-5b | Rebuilt | open |  |

## Conformance suites

Text.

### transport

| conformance test | proves |
|---|---|
| conforms | NET-1 |
| keeps \\| bars | NET-1, X-5b |
`;
const net1 = 'packages/transport/test/pool.test.ts';
const suite = 'packages/transport/src/testing/index.ts';
const tests = new Map([
  ['NET-1', new Set([suite, net1])],
  ['NET-1b', new Set([net1])],
]);
const filled = document
  .replace(
    '| done |  |',
    '| done | [transport/testing/index](../packages/transport/src/testing/index.ts), [transport/pool](../packages/transport/test/pool.test.ts) |',
  )
  .replace('| slice |  |', '| slice | [transport/pool](../packages/transport/test/pool.test.ts) |');
const everything = () => true;

describe('the check of the requirements', () => {
  it('takes a benchmark for what the comment at its head says it measures', () => {
    expect(idsOfBench("/*\n * What it costs (LED-28, NET-1b) in UTF-8.\n */\nimport 'X-1';")).toEqual([
      'LED-28',
      'NET-1b',
    ]);
    expect(idsOfBench("import 'node:fs';\n/* TRU-28 */")).toEqual([]);
  });

  it.each([
    ['NET-3 X-5b refuses a forgery', ['NET-3', 'X-5b']],
    ['LED-21/CTX-6 flags a jump', ['LED-21', 'CTX-6']],
    ['STO-1, STO-2: opens', ['STO-1', 'STO-2']],
    ['NET-1b', ['NET-1b']],
    ['refuses what NET-3 forbids', []],
    ['NET-3b2 is no id', []],
    ['NIP-11 and UTF-8 are standards', []],
    ['', []],
    ['refuses a forgery (NET-3, X-5b)', ['NET-3', 'X-5b']],
    ['NET-3 refuses a forgery (X-5b) ', ['NET-3', 'X-5b']],
    ['refuses a forgery (NET-3) at once', []],
    ['refuses a forgery (by NET-3)', []],
    ['refuses a forgery ()', []],
  ])('takes the ids at the beginning and in parentheses at the end of %j', (title, ids) => {
    expect(idsOfTitle(title)).toEqual(ids);
  });

  it('finds the titles of every test that runs', () => {
    const text = `
      describe('AAA-1 group', () => {
        it('BBB-1 plain', () => {});
        test("BBB-2 double", () => {});
        it(\`BBB-3 \${name} template\`, () => {});
        it.each([['x']])('BBB-4 table %s', () => {});
        it.each\`a\${1}\`('BBB-5 tagged', () => {});
        it.skipIf(process.env.X).for([1])('BBB-6 chained', () => {});
        for (const place of places) it.concurrent('BBB-7 ' + place, () => {});
        it.concurrent('BBB-8 at once', () => {});
        it.skip('BBB-9 never', () => {});
        it.todo('BBB-10 some day');
        it.skip.each([1])('BBB-11 never either', () => {});
        expect(it).not.toBe('BBB-12');
        // it('BBB-13 commented', () => {});
        const text = "it('BBB-14 quoted')";
      });`;
    const titles = [
      'BBB-1 plain',
      'BBB-2 double',
      'BBB-3 … template',
      'BBB-4 table %s',
      'BBB-5 tagged',
      'BBB-6 chained',
      'BBB-8 at once',
    ];
    expect(titlesOf('a.test.ts', text)).toEqual(titles);
    expect(() => titlesOf('a.test.ts', 'it(')).toThrow('a.test.ts cannot be parsed');
  });

  it('reads the tables, bars and all', () => {
    expect(parseRequirements(document).map(({ id, state, tests }) => [id, state, tests])).toEqual([
      ['NET-1', 'done', ''],
      ['NET-1b', 'slice', ''],
      ['X-5b', 'open', ''],
    ]);
  });

  it('fills the column and nothing else, and again to the same', () => {
    expect(fillColumn(document, tests)).toBe(filled);
    expect(fillColumn(filled, tests)).toBe(filled);
    expect(fillColumn(filled, new Map())).toBe(document);
  });

  it('passes a document that is true', () => {
    expect(findProblems(filled, tests, everything)).toEqual([]);
  });

  it('wants a test for what is done and for a slice, not for what is open', () => {
    expect(findProblems(document, new Map(), everything)).toEqual([
      'NET-1 is done, but no test begins with it',
      'NET-1b is slice, but no test begins with it',
    ]);
  });

  it('finds files that are gone or never had the id, and a column that lacks one', () => {
    const fewer = new Map([...tests, ['NET-1', new Set([net1])]]);
    const without = `NET-1 names ${suite}, which`;
    expect(findProblems(filled, fewer, everything)).toEqual([`${without} has no test that begins with it`]);
    expect(findProblems(filled, fewer, (file) => file !== suite)).toEqual([`${without} does not exist`]);
    const more = new Map([...tests, ['X-5b', new Set([net1])]]);
    expect(findProblems(filled, more, everything)).toEqual(['X-5b has a column that is out of date']);
  });

  it('finds unknown ids, unknown states and what is listed twice', () => {
    const unknown = new Map([...tests, ['NET-99', new Set([net1])]]);
    expect(findProblems(filled, unknown, everything)).toEqual([
      `NET-99 is named by ${net1}, but is not a requirement`,
    ]);
    expect(findProblems(filled.replace('| open |', '| maybe |'), tests, everything)).toEqual([
      "X-5b has the state 'maybe': it must be done, slice, open",
    ]);
    const twice = filled.replace('| X-5b |', '| X-5b | Rebuilt | open |  |\n| X-5b |');
    expect(findProblems(twice, tests, everything)).toEqual(['X-5b is listed twice']);
    expect(findProblems('# Nothing', new Map(), everything)).toEqual(['there is no table with requirements']);
  });

  it('finds the titles of conformance suites, however they are declared', () => {
    const text = `
      const named = { 'has no space': 1, nospace: () => {}, 'keeps | bars': async () => {}, 'reads pages'() {} };
      it('conforms', () => {});
      const groups: Groups = { reading: { 'reads pages, each once': async (store: Store) => {} } } as const;`;
    expect(suiteTitlesOf('index.ts', text)).toEqual([
      'conforms',
      'keeps | bars',
      'reads pages',
      'reads pages, each once',
    ]);
  });

  it('maps the titles of conformance suites to requirements', () => {
    expect(parseSuites(document)).toEqual([
      { package: 'transport', title: 'conforms', ids: ['NET-1'] },
      { package: 'transport', title: 'keeps | bars', ids: ['NET-1', 'X-5b'] },
    ]);
    const titles = new Map([['transport', new Set(['conforms', 'keeps | bars'])]]);
    expect(findSuiteProblems(document, titles)).toEqual([]);
    const changed = new Map([['transport', new Set(['conforms', 'keeps bars'])]]);
    expect(findSuiteProblems(document, changed)).toEqual([
      "the conformance suites of transport have no test 'keeps | bars': rename the row, or remove it",
      "'keeps bars' of transport is not listed under '## Conformance suites': add a row with what it proves",
    ]);
    expect(findSuiteProblems(document.replace('NET-1, X-5b', 'NET-7'), titles)).toEqual([
      "'keeps | bars' of transport proves 'NET-7', which is not a requirement",
    ]);
  });

  describe('as a command', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'bonafide-requirements-'));
      write('docs/requirements.md', document.replace(', X-5b', ''));
      write(net1, "it('NET-1 connects', () => {}); it('NET-1 NET-1b verifies', () => {});");
      write(suite, "it('conforms', () => {}); export const tests = { 'keeps | bars': () => {} };");
      write('packages/transport/node_modules/x/test/a.test.ts', "it('NET-98 is not ours', () => {});");
      write('packages/transport/src/pool.ts', "it('NET-97 is no test file', () => {});");
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    function write(path: string, text: string): void {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const check = (...args: string[]) =>
      spawnSync(process.execPath, [script, folder, ...args], { encoding: 'utf8' });

    it('fails until the column is written, then passes', () => {
      const stale = check();
      expect(stale.status).toBe(1);
      expect(stale.stderr).toContain('NET-1 has a column that is out of date');
      const writing = check('--write');
      expect([writing.status, writing.stderr]).toEqual([0, '']);
      expect(readFileSync(join(folder, 'docs/requirements.md'), 'utf8')).toBe(filled.replace(', X-5b', ''));
      const now = check();
      expect([now.status, now.stdout]).toEqual([
        0,
        'docs/requirements.md is true: 2 requirements have their tests.\n',
      ]);
    });

    it('still fails after writing where a test is missing', () => {
      write(net1, "it('NET-1 connects', () => {});");
      const writing = check('--write');
      expect(writing.status).toBe(1);
      expect(writing.stderr).toContain('NET-1b is slice, but no test begins with it');
    });

    it('collects from every place where tests are', () => {
      write('internal/test/deep/a.test.ts', "it('AAA-1', () => {});");
      write('examples/agent/test/a.test.ts', "it('AAA-1', () => {});");
      write('scripts/test/a.test.ts', "it('AAA-1', () => {});");
      write('scripts/test/helper.ts', "it('AAA-2', () => {});");
      const found = collectTests(folder, document);
      expect([...(found.get('AAA-1') ?? [])].sort()).toEqual([
        'examples/agent/test/a.test.ts',
        'internal/test/deep/a.test.ts',
        'scripts/test/a.test.ts',
      ]);
      expect([...found.keys()].sort()).toEqual(['AAA-1', 'NET-1', 'NET-1b', 'X-5b']);
      expect(found.get('X-5b')).toEqual(new Set([suite]));
    });
  });
});
