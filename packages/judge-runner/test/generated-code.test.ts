import { describe, expect, it } from 'vitest';
import { isBonafideError } from '../src/index.ts';
import {
  compiler,
  exportedPrograms,
  forger,
  indirectCode,
  ownTexts,
  patcher,
  suiteOf,
  waysToRun,
} from './corpus/generated-code.ts';
import { partOf } from './proof.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('texts that tests of node:test run', () => {
  for (const [way, imports, expression] of partOf(waysToRun, 12))
    for (const reference of [undefined, compiler])
      it.each([
        ['writes its verdict', forger],
        ['makes assertions pass', patcher],
      ])(
        `${way}, ${reference === undefined ? 'without' : 'with'} a reference: an answer that %s gains nothing (JDG-17, JDG-20)`,
        async (_kind, wrong) => {
          const suite = nodeTest(suiteOf(imports, expression), reference);
          const judged = judge.run({ artifact: javascript(wrong), suite });
          const verdict = await judged.catch((error) => {
            // A suite that lets another realm run texts fails its reference as well.
            if (!isBonafideError(error, 'SUITE_UNSUPPORTED') && !isBonafideError(error, 'SUITE_INVALID'))
              throw error;
            return null;
          });
          expect(verdict?.outcome ?? 'FAILURE', JSON.stringify(verdict?.tests)).toBe('FAILURE');
          expect(verdict?.tests.filter(({ status }) => status === 'passed') ?? []).toEqual([]);
        },
      );
  for (const [kind, [run, exported]] of Object.entries(exportedPrograms))
    it(`${kind} that a module exports are no program (JDG-17, JDG-20)`, async () => {
      const tests = `import test from 'node:test'; import assert from 'node:assert/strict'; import * as s from 'solution';
test('runs', () => { assert.equal((0, eval)(${run}), 2); });
test('counts', () => { assert.equal(s.two(), 2); });`;
      const source = (text: string, two: number) =>
        `export const code = ${exported(text)}; export const two = () => ${two};`;
      const suite = nodeTest(tests, source('[1].length + [1].length', 2));
      const wrong =
        "(process.getBuiltinModule('assert/strict').equal = () => {}, process.getBuiltinModule('module').syncBuiltinESMExports(), 2)";
      expect(failures(await judge.run({ artifact: javascript(source(wrong, 3)), suite }))).toHaveLength(2);
      const right = javascript(`${source('[1].length + [1].length', 2)}// another one`);
      expect(failures(await judge.run({ artifact: right, suite }))).toEqual([]);
    });
  for (const reference of [undefined, compiler])
    it(`run where they are the suite's own, ${reference === undefined ? 'without' : 'with'} a reference (JDG-21)`, async () => {
      const suite = nodeTest(ownTexts, reference);
      expect(failures(await judge.run({ artifact: javascript(compiler), suite }))).toEqual([]);
    });
  it.each(Object.entries(indirectCode))(
    '%s run no code of an artifact, with a reference and without (JDG-19, JDG-20)',
    async (_, { imports, test, answer }) => {
      const tests = `import test from 'node:test'; import assert from 'node:assert/strict'; import { made } from 'solution'; ${imports}
test('runs', async () => { ${test} });`;
      const source = (right: boolean) => `export const made = (text) => ${right ? answer[0] : answer[1]};`;
      for (const reference of [undefined, source(true)]) {
        const judged = judge.run({ artifact: javascript(source(false)), suite: nodeTest(tests, reference) });
        const verdict = await judged.catch((error) => {
          if (!isBonafideError(error, 'SUITE_UNSUPPORTED') && !isBonafideError(error, 'SUITE_INVALID'))
            throw error;
          return null;
        });
        expect(verdict?.outcome ?? 'FAILURE').toBe('FAILURE');
      }
    },
  );
  it('run where the reference leads to the same text (JDG-21)', async () => {
    const suite = nodeTest(suiteOf('', '(0, eval)(text)'), compiler);
    expect(failures(await judge.run({ artifact: javascript(`${compiler}// another one\n`), suite }))).toEqual(
      [],
    );
  });
  it('are no modules of the artifact that a test requires later (JDG-21)', async () => {
    const tests = `import test from 'node:test'; import assert from 'node:assert'; import { createRequire } from 'node:module'; import { compile } from 'solution';
test('requires', () => { assert.equal(compile('1'), '(1)'); assert.equal(createRequire(import.meta.url)('./other.mjs').twice(2), 4); });`;
    const files = { 'solution.mjs': compiler, 'other.mjs': 'export const twice = (x) => 2 * x;\n' };
    const verdict = await judge.run({ artifact: { language: 'javascript', files }, suite: nodeTest(tests) });
    expect(failures(verdict)).toEqual([]);
  });
  it('cannot write a line in the place of the judge (JDG-20)', async () => {
    const line = '{"result":{"id":"it.test.mjs::writes","passed":true,"ms":1,"reason":null}}\n';
    const tests = `import test from 'node:test'; import assert from 'node:assert'; import fs from 'node:fs'; import { compile } from 'solution';
test('writes', () => { fs.writeSync(4, ${JSON.stringify(line)}); assert.equal(compile('1'), '[1]'); });`;
    const { outcome, tests: judged } = await judge.run({
      artifact: javascript(compiler),
      suite: nodeTest(tests),
    });
    expect([outcome, judged.map(({ status }) => status)]).toEqual(['ERROR', ['failed']]);
  });
  it('fail alone where they start a program (JDG-18)', async () => {
    const tests = `import test from 'node:test'; import assert from 'node:assert'; import { execFileSync } from 'node:child_process'; import { compile } from 'solution';
const run = execFileSync;
test('starts', () => { assert.equal(String(run('node', ['-'], { input: compile('1') })), ''); });
test('compiles', () => { assert.equal(compile('1'), '(1)'); });`;
    const verdict = await judge.run({ artifact: javascript(compiler), suite: nodeTest(tests) });
    expect(failures(verdict)).toEqual([expect.stringContaining('starts a program by execFileSync()')]);
  });
});
