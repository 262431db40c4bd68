import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWords, idsIn } from '../check-words.mjs';
import { docstringsOf, messagesOf, sentencesOf } from '../words/extract.mjs';
import { idiomIn, openingIn } from '../words/idioms.mjs';

describe('the check of the language', () => {
  it.each([
    ['Kept when nobody asks for it.', 'nobody'],
    ['What became of a job.', 'What became of'],
    ['Clears the timer and lets go of its listeners.', 'lets go'],
    ['Goes on with the jobs that were open.', 'Goes on'],
    ['Acquires the lock in turn.', 'in turn'],
    ['Runs until it ends by itself.', 'by itself'],
    ['A process of its own.', 'of its own'],
    ['Null when the text is no number.', 'is no number'],
    ['Null when it is none.', 'is none'],
    ['Nor does it wait.', 'Nor does it'],
  ])('X-19 finds the idiom in %j', (text, idiom) => {
    expect(idiomIn(text)).toBe(idiom);
  });

  it.each([
    'Returns null when there is no such job.',
    'Returns null when there is none.',
    'A number that is no longer valid, or is no more than 10.',
    'Runs the handler in its own process.',
    'Deletes the oldest entries first.',
  ])('X-19 leaves plain sentences alone: %j', (text) => {
    expect(idiomIn(text)).toBeNull();
  });

  it('X-19 finds noun clauses at the beginning only', () => {
    for (const text of ['What it costs.', 'Whether it ended.', 'Whoever asks.', 'How long to wait, in ms.'])
      expect(openingIn(text)).not.toBeNull();
    for (const text of ['Cost in msat.', 'True when it ended.', 'Whole seconds.', 'Returns what it costs.'])
      expect(openingIn(text)).toBeNull();
  });

  it('X-19 reads docstrings and nothing else', () => {
    const source = `
      /** One
       *  sentence. */
      export const a = '/** text *\\/';
      /* comment */
      // /** comment */
      const glob = 'src/**/*.ts';
      export interface B {
        /** @default 5 */
        c: number;
      }`;
    expect(docstringsOf('a.ts', source)).toEqual([
      { file: 'a.ts', line: 2, text: 'One sentence.' },
      { file: 'a.ts', line: 9, text: '@default 5' },
    ]);
  });

  it('X-19 reads sentences in strings and templates, and no codes, paths or types', () => {
    const source = `
      import type { A } from './of/its/own.ts';
      const code = 'NOT_FOUND';
      throw new Error('Nobody offers that here.');
      log.warn(\`Relay \${url} does not answer in \${time} ms\`);`;
    expect(messagesOf('a.ts', source)).toEqual([
      { file: 'a.ts', line: 4, text: 'Nobody offers that here.' },
      { file: 'a.ts', line: 5, text: 'Relay … does not answer in … ms' },
    ]);
  });

  it('X-19 reads sentences of Markdown, and no code, rows of dashes or targets of links', () => {
    const source = [
      '# What nobody expects here',
      '',
      'One whole short sentence [over two](./of/its/own.md)',
      'lines. Then `nobody knows that` comes another one.',
      '- an item of a list',
      '',
      '| a cell with words | `code` |',
      '|---|---|',
      '```ts',
      '// nobody reads this comment',
      '```',
    ].join('\n');
    expect(sentencesOf('a.md', source)).toEqual([
      { file: 'a.md', line: 1, text: '# What nobody expects here' },
      { file: 'a.md', line: 3, text: 'One whole short sentence [over two] lines.' },
      { file: 'a.md', line: 3, text: 'Then … comes another one.' },
      { file: 'a.md', line: 5, text: '- an item of a list' },
      { file: 'a.md', line: 7, text: 'a cell with words' },
    ]);
  });

  it('X-19 finds requirement ids and no names of standards', () => {
    expect(idsIn('Keeps it (LED-9).\nNIP-42, BIP-340, SHA-256\nX-5b, RTM-8c', ['LED', 'X', 'RTM'])).toEqual([
      { line: 1, id: 'LED-9' },
      { line: 3, id: 'X-5b' },
      { line: 3, id: 'RTM-8c' },
    ]);
  });

  describe('of a workspace', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'bonafide-words-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    function write(path: string, text: string): void {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }

    it('X-19 counts docstrings per package and reads every file that is published', () => {
      write('docs/requirements.md', '| LED-1 | Peers | open |  |');
      write('packages/a/package.json', JSON.stringify({ files: ['dist', 'src', 'python', 'CHANGELOG.md'] }));
      write('packages/a/src/one.ts', '/** What nobody needs. */\nexport const one = 1; // LED-1');
      write('packages/a/src/two.ts', '/** Returns two. */\nexport const two = () => 2;');
      write('packages/a/python/run.py', '# LED-2');
      write('packages/a/README.md', 'LED-3. This runs by itself.');
      write('packages/a/dist/one.js', 'LED-4');
      write('packages/a/test/one.test.ts', "/** Whose? */ it('LED-5', () => {});");
      write('.changeset/a.md', 'LED-6');
      write('internal/src/index.ts', '/** Options. */\nexport {};');
      const { docstrings, places } = checkWords(folder);
      expect([...docstrings]).toEqual([
        ['internal', 1],
        ['a', 2],
      ]);
      expect(places.map(({ file, line, kind, found }) => `${file}:${line} ${kind} ${found}`).sort()).toEqual([
        '.changeset/a.md:1 id LED-6',
        'packages/a/README.md:1 id LED-3',
        'packages/a/README.md:1 sentence by itself',
        'packages/a/python/run.py:1 id LED-2',
        'packages/a/src/one.ts:1 idiom nobody',
        'packages/a/src/one.ts:1 opening What',
        'packages/a/src/one.ts:2 id LED-1',
      ]);
    });
  });
});
