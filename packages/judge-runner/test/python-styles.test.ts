import { describe, expect, it } from 'vitest';
import { asyncGenerators } from './corpus/async-generators.ts';
import { exportsOfLibrary } from './corpus/exports-of-library.ts';
import { fakesOfTests } from './corpus/fakes-of-tests.ts';
import { givenCallables } from './corpus/given-callables.ts';
import { stylesOfChecks } from './corpus/styles-of-checks.ts';
import { stylesOfContainers } from './corpus/styles-of-containers.ts';
import { stylesOfDataClasses } from './corpus/styles-of-data-classes.ts';
import { stylesOfDescriptors } from './corpus/styles-of-descriptors.ts';
import { stylesOfEnumerations } from './corpus/styles-of-enumerations.ts';
import { stylesOfFunctions } from './corpus/styles-of-functions.ts';
import { stylesOfIterators } from './corpus/styles-of-iterators.ts';
import { stylesOfMaking } from './corpus/styles-of-making.ts';
import { stylesOfMembers } from './corpus/styles-of-members.ts';
import { stylesOfOperators } from './corpus/styles-of-operators.ts';
import { stylesOfPrograms } from './corpus/styles-of-programs.ts';
import { stylesOfTuples } from './corpus/styles-of-tuples.ts';
import { ownOperators, stylesOfValues } from './corpus/styles-of-values.ts';
import { threadsOfPrograms } from './corpus/threads-of-programs.ts';
import { isFull, partOf } from './proof.ts';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

const judge = useJudge();

proveWrongParts('what programs hand on of the library', judge, exportsOfLibrary);
proveWrongParts('generators that are awaited', judge, asyncGenerators);
proveWrongParts('what can be called and is no function', judge, givenCallables);
proveWrongParts('what a test puts in the place of what a program uses', judge, fakesOfTests);
for (const each of threadsOfPrograms) proveWrongParts('threads of a program', judge, [each]);

const failedOf = async (source: string, tests: string, reference?: string) => {
  const failed = failures(await judge.run({ artifact: python(source), suite: pytest(tests, reference) }));
  return failed.map((each) => ({ name: each.slice(0, each.indexOf(': ')), each }));
};

describe.concurrent('threads of a program that do what cannot be told while a test sleeps', () => {
  it.each(['out.append(out)', 'out.append([0] * 10 ** 6)'])(
    '%s fails that test alone (JDG-17, JDG-21)',
    async (what) => {
      const tests = `
import threading
import time
from solution import later, total


def test_told():
    out = []
    later(out)
    time.sleep(0.3)
    assert total([1]) == 1


def test_threads():
    got = []
    for n in range(6):
        thread = threading.Thread(target=lambda: got.append(total([n, 1])))
        thread.start()
        thread.join()
    assert got == [1, 2, 3, 4, 5, 6]
`;
      const artifact = `
import threading


def later(out):
    threading.Timer(0.05, lambda: ${what}).start()


def total(items):
    return sum(items)
`;
      const failed = await failedOf(artifact, tests);
      expect(failed.map(({ name }) => name)).toEqual([expect.stringContaining('test_told')]);
    },
  );
});

describe.concurrent('objects that threads put into lists of a test, by a program that is slower than the reference, or asks more often', () => {
  const reference = `
import threading
import time


class Job:
    def __init__(self, n):
        self.n = n

    def square(self):
        return self.n ** 2


def wait_for(look):
    while not (found := look()):
        time.sleep(0.02)
    return found


def load(jobs):
    def run():
        time.sleep(0)
        jobs.extend(Job(n) for n in range(3))
    thread = threading.Thread(target=run)
    thread.start()
    return thread
`;
  const tests = `
import time
from solution import load, wait_for


def test_wait():
    begun = time.monotonic()
    assert wait_for(lambda: [1] if time.monotonic() - begun > 0.1 else []) == [1]


def test_load():
    jobs = []
    load(jobs).join()
    assert [job.square() for job in jobs] == [0, 1, 4]


def test_later():
    jobs = []
    load(jobs)
    end = time.monotonic() + 10
    while len(jobs) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    assert [job.square() for job in jobs] == [0, 1, 4]
`;

  it.each([
    ['time.sleep(0)', 'time.sleep(0.05)'],
    ['time.sleep(0.02)', 'time.sleep(0.05)'],
  ])('%s in its place passes (JDG-17, JDG-21)', async (right, other) => {
    expect(await failedOf(reference.replace(right, other), tests, reference)).toEqual([]);
  });
});

describe.concurrent('a reference in another style than the program', () => {
  for (const { id, tests, styles, wrong, lacking = {}, noReference = [] } of partOf(
    [
      ...stylesOfPrograms,
      ...stylesOfDescriptors,
      ...stylesOfFunctions,
      ...stylesOfValues,
      ...stylesOfOperators,
      ...stylesOfIterators,
      ...stylesOfContainers,
      ...stylesOfMaking,
      ...stylesOfMembers,
      ...stylesOfChecks,
      ...stylesOfEnumerations,
      ...stylesOfTuples,
      ...stylesOfDataClasses,
    ],
    6,
  )) {
    const names = Object.keys(styles);
    const references = names.filter((name) => !noReference.includes(name));
    for (const [index, style] of names.entries()) {
      const source = String(styles[style]);
      const [isAlone, isGuided] = [0, 1].map((turn) => isFull || index % 2 === turn);
      if (isAlone)
        it(`${id}: ${style} pass without a reference (JDG-21)`, async () => {
          const failed = await failedOf(source, tests);
          expect(failed.filter(({ name }) => !lacking[style]?.includes(name))).toEqual([]);
        });
      // Of each style the next one, so that each is a reference.
      const others = references.filter(
        (_, at) => isFull || (isGuided && at === (index + 1) % references.length),
      );
      it.each(others)(`${id}: ${style} pass for the reference of %s (JDG-18, JDG-21)`, async (other) => {
        const failed = await failedOf(source, tests, styles[other]);
        const isLacking = (name: string) => lacking[`${style} for ${other}`]?.includes(name) ?? false;
        expect(failed.filter(({ name }) => !isLacking(name))).toEqual([]);
        // Nor is a reference asked for where there is one.
        expect(failed.filter(({ each }) => /a reference allows|add a reference/u.test(each))).toEqual([]);
      });
    }
    it.each(partOf(wrong, 6))(
      `${id}: %s with a wrong part gain nothing (JDG-17)`,
      async (style, right, instead, test) => {
        const changed = String(styles[style]).replace(right, () => instead);
        expect(changed).not.toBe(styles[style]);
        for (const other of isFull ? references : references.slice(0, 1))
          expect((await failedOf(changed, tests, styles[other])).map(({ name }) => name)).toContain(test);
      },
    );
  }
});

describe.concurrent('operators that a suite names, where the reference is a data class', () => {
  const { tests, reference, right, wrong } = ownOperators;
  const failedWith = async (source: string, settings: object) =>
    failures(
      await judge.run({ artifact: python(source), suite: { ...pytest(tests, reference), ...settings } }),
    );

  it.each(Object.entries(right))('are those of a right program: %s (JDG-21)', async (_, source) => {
    expect(await failedWith(source, { objects: ['Span'] })).toEqual([]);
    expect(await failedWith(source, { remoteEq: true })).toEqual([]);
  });

  it.each(wrong)(
    'are those of a wrong program: %s with a wrong part (JDG-17)',
    async (style, part, instead, test) => {
      const source = right[style].replace(part, instead);
      expect(source).not.toBe(right[style]);
      expect((await failedWith(source, { objects: ['Span'] })).join('\n')).toContain(test);
    },
  );

  it('are not believed elsewhere, and the reason says what allows them (JDG-17)', async () => {
    const source = right.bounds.replace('self.bounds == o.bounds if', 'True if');
    expect((await failedWith(source, {})).join('\n')).toMatch(/test_unequal: .*`objects` or `remoteEq`/u);
  });
});
