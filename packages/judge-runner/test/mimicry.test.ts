import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import {
  attacksByMimicry,
  correctBags,
  correctMoney,
  correctVectors,
  testsOfBags,
  testsOfMoney,
  testsOfVectors,
} from './corpus/attacks-by-mimicry.ts';
import { partOf } from './proof.ts';
import { javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Tests of a correct program that fail. */
async function failed(artifact: Artifact, suite: Suite): Promise<string[]> {
  const { tests } = await judge.run({ artifact, suite });
  return tests.flatMap(({ id, status }) => (status === 'passed' ? [] : [id.replace(/^.*::/, '')]));
}

describe.concurrent('wrong programs whose objects take the values of those that they are compared with', () => {
  it.each(partOf(attacksByMimicry, 14).map((each) => [each.id, each] as const))(
    '%s: no test passes (JDG-17)',
    async (_id, { artifact, suite }) => {
      const { tests } = await judge.run({ artifact, suite });
      expect(tests.length).toBeGreaterThan(4);
      expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
    },
  );
});

describe.concurrent('correct programs whose objects are compared with those that a test makes', () => {
  const kinds: [string, Artifact, (reference?: string) => Suite, string][] = [
    ...Object.entries(correctMoney).map(([id, source]): (typeof kinds)[number] => [
      ...([id, python(source)] as const),
      (reference) => pytest(testsOfMoney, reference),
      source,
    ]),
    ['containers', python(correctBags), (reference) => pytest(testsOfBags, reference), correctBags],
    ...Object.entries(correctVectors).map(([id, source]): (typeof kinds)[number] => [
      ...([`JavaScript: ${id}`, javascript(source)] as const),
      (reference) => nodeTest(testsOfVectors, reference),
      source,
    ]),
  ];
  it.each(kinds)('%s: all tests pass with a reference (JDG-21)', async (_id, artifact, suite, source) => {
    expect(await failed(artifact, suite(source))).toEqual([]);
  });

  it('one whose class only checks what it is given passes beside a reference whose class does not (JDG-21)', async () => {
    const { 'data class that checks what it is given': checks = '', 'data class': keeps } = correctMoney;
    expect(await failed(python(checks), pytest(testsOfMoney, keeps))).toEqual([]);
  });

  it('a class that only keeps what it is given needs no reference (JDG-21)', async () => {
    expect(await failed(python(correctMoney['data class'] ?? ''), pytest(testsOfMoney))).toEqual([]);
    const { 'class that keeps what it is given': vector = '' } = correctVectors;
    expect(await failed(javascript(vector), nodeTest(testsOfVectors))).toEqual([]);
    expect(await failed(python(correctBags), pytest(testsOfBags))).toEqual([]);
  });

  it('of a class that does more, the expected object is made after the answer, or a reference is given (JDG-21)', async () => {
    const { 'data class that checks what it is given': checks = '' } = correctMoney;
    const { tests } = await judge.run({ artifact: python(checks), suite: pytest(testsOfMoney) });
    const [first] = tests.filter((test) => test.status !== 'passed');
    expect(first).toMatchObject({
      id: 'test_it.py::test_reversed',
      reason: expect.stringMatching(
        /^its class Money told the artifact what is expected before it answered; name it in `objects`, or add a reference/,
      ),
    });
    expect(tests.filter((test) => test.status === 'passed').length).toBeGreaterThan(12);
  });
});
