import { describe, expect, it } from 'vitest';
import { correctLearningsOfPython, learningsOfPython } from './corpus/attacks-by-learning.ts';
import * as corpus from './corpus/attacks-by-making.ts';
import { formsOfJavascript, formsOfPython, type ImportForm } from './corpus/import-forms.ts';
import { isFull } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const { judged } = corpus;
const wrongOfPython = { ...corpus.makingsOfPython, ...learningsOfPython };
const correctOfPython = (isReferred: boolean) => ({
  ...(isReferred ? corpus.referredMakingsOfPython : corpus.correctMakingsOfPython),
  ...correctLearningsOfPython,
});
const correctOfJavascript = (isReferred: boolean) =>
  isReferred ? corpus.referredMakingsOfJavascript : corpus.correctMakingsOfJavascript;

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
    ['python', correctOfPython, false],
    ['python', correctOfPython, true],
    ['javascript', correctOfJavascript, false],
    ['javascript', correctOfJavascript, true],
  ] as const)('%s: all tests pass (reference: $2) (JDG-21)', async (language, correct, isReferred) => {
    const { tests } = await judge.run(judged(language, correct(isReferred), isReferred));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.flatMap(({ id, status, reason }) => (status === 'passed' ? [] : [[id, reason]]))).toEqual(
      [],
    );
  });
});

describe('programs whose names reach the tests in other ways than by their import', () => {
  const forms = { python: formsOfPython, javascript: formsOfJavascript };
  const makings = {
    python: [wrongOfPython, correctOfPython],
    javascript: [corpus.makingsOfJavascript, correctOfJavascript],
  } as const;
  /** Every form for every program, or each for some of them. */
  const ways = (language: 'python' | 'javascript'): [string, ImportForm[]][] =>
    isFull
      ? Object.entries(forms[language]).map(([id, form]) => [id, [form]])
      : [['all in turn', Object.values(forms[language])]];
  const cases = (['python', 'javascript'] as const).flatMap((language) =>
    ways(language).flatMap(([id, own]) =>
      [false, true].map((isReferred) => [language, id, isReferred, own] as const),
    ),
  );
  it.each(cases)('%s, %s: no test of a wrong program passes (reference: %s) (JDG-17)', async (...given) => {
    const [language, , isReferred, own] = given;
    const { tests } = await judge.run(judged(language, makings[language][0], isReferred, own));
    expect(tests.length).toBeGreaterThan(5);
    expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
  });
  it.each(cases)('%s, %s: all tests of correct ones pass (reference: %s) (JDG-21)', async (...given) => {
    const [language, , isReferred, own] = given;
    const { tests } = await judge.run(judged(language, makings[language][1](isReferred), isReferred, own));
    expect(tests.length).toBeGreaterThan(4);
    expect(tests.flatMap(({ id, status, reason }) => (status === 'passed' ? [] : [[id, reason]]))).toEqual(
      [],
    );
  });
});
