import { describe, expect, it } from 'vitest';
import { correctLearningsOfPython, learningsOfPython } from './corpus/attacks-by-learning.ts';
import * as corpus from './corpus/attacks-by-making.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const { judged } = corpus;
const wrongOfPython = { ...corpus.makingsOfPython, ...learningsOfPython };

describe('wrong programs that lie about how the objects are made with which they are compared', () => {
  it.each([
    ['python', wrongOfPython, false],
    ['python', wrongOfPython, true],
    ['javascript', corpus.makingsOfJavascript, false],
    ['javascript', corpus.makingsOfJavascript, true],
  ] as const)('%s: no test passes (reference: $2) (JDG-17)', async (language, makings, isReferred) => {
    const { tests, errorKind } = await judge.run(judged(language, makings, isReferred));
    expect(errorKind).toBe(null);
    const modules = Object.values(makings).filter(
      ({ reference }) => (reference !== undefined) === isReferred,
    );
    expect(tests.length).toBeGreaterThanOrEqual(modules.length);
    expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
  });

  it('a class whose text the artifact has other functions read keeps nothing (JDG-17)', async () => {
    const { tests } = await judge.run(judged('javascript', corpus.readOtherwise, false));
    expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });
});

describe('correct programs whose objects are made in the same ways', () => {
  it.each([
    ['python', { ...corpus.correctMakingsOfPython, ...correctLearningsOfPython }, false],
    ['python', { ...corpus.referredMakingsOfPython, ...correctLearningsOfPython }, true],
    ['javascript', corpus.correctMakingsOfJavascript, false],
    ['javascript', corpus.referredMakingsOfJavascript, true],
  ] as const)('%s: all tests pass (reference: $2) (JDG-21)', async (language, makings, isReferred) => {
    const { tests } = await judge.run(judged(language, makings, isReferred));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.flatMap(({ id, status, reason }) => (status === 'passed' ? [] : [[id, reason]]))).toEqual(
      [],
    );
  });
});
