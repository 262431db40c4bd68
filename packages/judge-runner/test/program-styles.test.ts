import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as contexts from './corpus/context-styles.ts';
import * as errors from './corpus/error-styles.ts';
import * as listed from './corpus/listed-properties.ts';
import * as mixins from './corpus/mixin-styles.ts';
import * as constructors from './corpus/named-constructors.ts';
import * as nodeClasses from './corpus/node-class-styles.ts';
import * as objects from './corpus/object-styles.ts';
import * as older from './corpus/older-class-styles.ts';
import * as corpus from './corpus/program-styles.ts';
import * as promises from './corpus/promise-styles.ts';
import * as protocols from './corpus/protocol-styles.ts';
import * as replaced from './corpus/replaced-styles.ts';
import * as mixedLists from './corpus/styles-of-mixed-lists.ts';
import * as surroundings from './corpus/surroundings-of-programs.ts';
import { isFull, partOf } from './proof.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge({ concurrency: 2 });
const cases = partOf(
  [
    ...[corpus, protocols, objects, mixins, errors, contexts, nodeClasses, replaced, mixedLists, older],
    ...[surroundings, listed, promises, constructors],
  ]
    .flatMap((each) => Object.values(each))
    .flat(),
  10,
);

/** Names of tests that fail where `node --test` runs them beside the program. */
function failuresInOneProcess(tests: string, source: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-styles-'));
  try {
    mkdirSync(join(folder, 'node_modules/solution'), { recursive: true });
    writeFileSync(
      join(folder, 'node_modules/solution/package.json'),
      '{"type":"module","exports":"./i.mjs"}',
    );
    writeFileSync(join(folder, 'node_modules/solution/i.mjs'), source);
    writeFileSync(join(folder, 'it.test.mjs'), tests);
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const run = ['--test', '--test-reporter=tap'];
    const settings = { cwd: folder, env, encoding: 'utf8', timeout: 240_000, killSignal: 'SIGKILL' } as const;
    const { stdout, signal } = spawnSync(process.execPath, run, settings);
    // A program may keep the test tool itself from ending.
    if (signal !== null) return ['it did not end'];
    return [...stdout.matchAll(/^\s*not ok \d+ - (.*)$/gmu)].map(([, name = '']) => name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.concurrent('programs of several styles', () => {
  for (const { id, tests, styles, wrong, references, needsReference, isLying } of cases) {
    const expectAll = async (reference?: string) => {
      for (const [style, source] of Object.entries(styles)) {
        if (source === reference && !isFull) continue;
        const verdict = await judge.run({ artifact: javascript(source), suite: nodeTest(tests, reference) });
        expect(failures(verdict), style).toEqual([]);
      }
    };
    const expectFaults = async (reference?: string) => {
      for (const [name, source] of Object.entries(wrong)) {
        const verdict = await judge.run({ artifact: javascript(source), suite: nodeTest(tests, reference) });
        expect(failures(verdict), name).not.toEqual([]);
      }
    };
    it.runIf(isFull)(`${id}: fails in one process for wrong programs alone (JDG-21)`, () => {
      for (const [style, source] of Object.entries(styles))
        expect(failuresInOneProcess(tests, source), style).toEqual([]);
      if (isLying !== true)
        for (const [name, source] of Object.entries(wrong))
          expect(failuresInOneProcess(tests, source), name).not.toEqual([]);
    });
    if (needsReference !== true)
      it(`${id}: correct programs pass without a reference, and wrong ones fail (JDG-17, JDG-21)`, async () => {
        await expectAll();
        await expectFaults();
      });
    const [first] = Object.keys(styles);
    // One reference for each case; the release gate judges beside all of them.
    for (const [style, reference] of Object.entries(styles))
      if (isFull ? (references?.includes(style) ?? true) : style === (references?.[0] ?? first))
        it(`${id}: all styles pass beside a reference: ${style}, and wrong programs fail (JDG-17, JDG-18, JDG-21)`, async () => {
          await expectAll(reference);
          await expectFaults(reference);
        });
  }
});

describe.concurrent('an object where the reference answered none', () => {
  const tests = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf } from 'solution';
const use = (c) => { if (typeof c === 'number') return c; c.inc(); return c.value(); };
test('counts', () => assert.equal(use(countOf()), 1));
`;
  const suite = nodeTest(tests, 'export const countOf = () => 1;');
  const ofClass = javascript(
    'class Counter { n = 0; inc() { this.n++; } value() { return this.n; } } export const countOf = () => new Counter();',
  );
  const ofClosure = javascript(
    'export const countOf = () => { let n = 0; return { inc() { n++; }, value: () => n }; };',
  );

  it('fails with what the reference answered, and what the suite could say of it (JDG-17, JDG-21)', async () => {
    const reason = (name: string) => [
      `counts: answered an object whose inc() nothing vouches for: the reference answered a number at it.test.mjs:5; if it is right, believe it by \`"objects": ["${name}"]\` of the suite`,
    ];
    expect(failures(await judge.run({ artifact: ofClass, suite }))).toEqual(reason('Counter'));
    expect(failures(await judge.run({ artifact: ofClosure, suite }))).toEqual(reason('countOf'));
  });

  it('passes where the suite says so (JDG-21)', async () => {
    const named = (name: string) => ({ ...suite, objects: [name] }) as typeof suite;
    expect(failures(await judge.run({ artifact: ofClass, suite: named('Counter') }))).toEqual([]);
    expect(failures(await judge.run({ artifact: ofClosure, suite: named('countOf') }))).toEqual([]);
  });
});
