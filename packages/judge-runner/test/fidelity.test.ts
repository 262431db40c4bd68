import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Artifact,
  buildEnvironment,
  isBonafideError,
  type NodeTestSuite,
  type PytestSuite,
} from '../src/index.ts';
import type { FidelityCase } from './corpus/fidelity-case.ts';
import { fidelityJavascript } from './corpus/fidelity-javascript.ts';
import { fidelityJavascriptBuilders } from './corpus/fidelity-javascript-builders.ts';
import { fidelityJavascriptCircles } from './corpus/fidelity-javascript-circles.ts';
import { fidelityJavascriptClasses } from './corpus/fidelity-javascript-classes.ts';
import { fidelityJavascriptConversions } from './corpus/fidelity-javascript-conversions.ts';
import { fidelityJavascriptFactories } from './corpus/fidelity-javascript-factories.ts';
import { fidelityJavascriptLanguage } from './corpus/fidelity-javascript-language.ts';
import { fidelityJavascriptLibraries } from './corpus/fidelity-javascript-libraries.ts';
import { fidelityJavascriptPackages } from './corpus/fidelity-javascript-packages.ts';
import { fidelityJavascriptProjects } from './corpus/fidelity-javascript-projects.ts';
import { fidelityJavascriptStates } from './corpus/fidelity-javascript-states.ts';
import { fidelityJavascriptStyles } from './corpus/fidelity-javascript-styles.ts';
import { fidelityJavascriptUtilities } from './corpus/fidelity-javascript-utilities.ts';
import { fidelityJavascriptWaiting } from './corpus/fidelity-javascript-waiting.ts';
import { fidelityPython } from './corpus/fidelity-python.ts';
import { isFull, partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

// Boxes run as another user when the judge is root.
const environments = mkdtempSync(join(tmpdir(), 'bonafide-environments-'));
chmodSync(environments, 0o755);
afterAll(() => rmSync(environments, { recursive: true, force: true }));
const judge = useJudge({ environments });

const artifactOf = ({ artifact }: FidelityCase): Artifact =>
  typeof artifact === 'string'
    ? { language: 'python', source: artifact }
    : { language: 'python', files: artifact };
const suiteOf = ({ id, tests, profile, needs = {} }: FidelityCase): PytestSuite => ({
  ...{ id, language: 'python', mode: 'split', files: { 'test_it.py': tests }, ...needs },
  ...(profile === undefined ? {} : { profile }),
});
const withReference = (each: FidelityCase): PytestSuite => {
  const { objects: _objects, remoteEq: _remoteEq, ...suite } = suiteOf(each);
  return { ...suite, reference: artifactOf(each) };
};

/** Judges a correct program: every test passes but those that lean on what only a reference vouches for, which are named. */
async function expectAll(each: FidelityCase, suite: PytestSuite): Promise<void> {
  const verdict = await judge.run({ artifact: artifactOf(each), suite });
  const leans = (test: { readonly id: string; readonly warnings?: readonly unknown[] }) =>
    suite.reference === undefined &&
    [...((test.warnings ?? []).length > 0 ? (each.leaning ?? []) : []), ...(each.lacking ?? [])].some(
      (name) => test.id.endsWith(`::${name}`),
    );
  const failed = verdict.tests.filter((test) => test.status !== 'passed' && !leans(test));
  expect(
    failed.map(({ id, reason }) => [id, reason]),
    verdict.summary,
  ).toEqual([]);
}

describe('ordinary pytest and unittest tests of correct programs', () => {
  for (const [index, each] of partOf(fidelityPython, 46).entries()) {
    if (!each.needsReference)
      it(`${each.id} passes without a reference, test by test (JDG-21)`, () =>
        expectAll(each, suiteOf(each)));
    // Every second of those that also pass without one.
    if (isFull || each.needsReference || index % 2 === 0)
      it(`${each.id} passes with a reference, test by test (JDG-18, JDG-21)`, () =>
        expectAll(each, withReference(each)));
  }

  it('the newest pytest passes them as well, where it can be downloaded (JDG-21)', async (context) => {
    const python = { packages: ['pytest>=8'] };
    const [first] = fidelityPython;
    try {
      if (first)
        await buildEnvironment(
          { ...suiteOf(first), python },
          { sandbox: judge.sandbox, folder: environments },
        );
    } catch (error) {
      if (!isBonafideError(error, 'ENVIRONMENT_FAILED')) throw error;
      return context.skip('pytest cannot be downloaded here');
    }
    // A few, which meet each part of the tester.
    for (const each of partOf(fidelityPython, 60))
      await expectAll(each, { ...(each.needsReference ? withReference(each) : suiteOf(each)), python });
  });
});

describe('ordinary tests of node:test of correct modules', () => {
  for (const { id, artifact, tests, needsReference, leaning = [] } of partOf(
    [
      ...fidelityJavascript,
      ...fidelityJavascriptStyles,
      ...fidelityJavascriptProjects,
      ...fidelityJavascriptConversions,
      ...fidelityJavascriptLanguage,
      ...fidelityJavascriptFactories,
      ...fidelityJavascriptLibraries,
      ...fidelityJavascriptPackages,
      ...fidelityJavascriptCircles,
      ...fidelityJavascriptClasses,
    ],
    58,
  )) {
    const own: Artifact = { language: 'javascript', source: String(artifact) };
    const suite: NodeTestSuite = {
      ...{ id, language: 'javascript', mode: 'split', files: { 'test/it.test.mjs': tests } },
    };
    const ways: [string, NodeTestSuite][] = [['with a reference', { ...suite, reference: own }]];
    if (!needsReference) ways.unshift(['without a reference', suite]);
    it.each(isFull ? ways : ways.slice(0, 1))(
      `${id} passes %s, test by test (JDG-21)`,
      async (_with, given) => {
        const verdict = await judge.run({ artifact: own, suite: given });
        const failed = verdict.tests.filter((test) => test.status !== 'passed');
        const leans = ({ id: name }: { readonly id: string }) =>
          given.reference === undefined && leaning.some((each) => name.endsWith(each));
        expect(
          failed.filter((test) => !leans(test)).map(({ id: name, reason }) => [name, reason]),
          verdict.summary,
        ).toEqual([]);
      },
    );
  }
});

describe('ordinary packages with tests of node:test', () => {
  const packages = [
    ...fidelityJavascriptWaiting,
    ...fidelityJavascriptBuilders,
    ...fidelityJavascriptStates,
    ...fidelityJavascriptUtilities,
  ];
  // Every thirteenth, which meets each of the four groups.
  for (const each of partOf(packages, 13)) {
    const { id, artifact, tests, leaning = [], lacking = [], breaks } = each;
    const own: Artifact = { language: 'javascript', files: artifact };
    const suite: NodeTestSuite = { id, language: 'javascript', mode: 'split', files: tests };
    const failedOf = async (artifactGiven: Artifact, given: NodeTestSuite) => {
      const { tests: judged } = await judge.run({ artifact: artifactGiven, suite: given });
      return judged.filter((test) => test.status !== 'passed').map((test) => [test.id, test.reason]);
    };
    it(`${id} passes without a reference, but for tests that are named beforehand (JDG-21)`, async () => {
      const failed = await failedOf(own, suite);
      const isOf = (ends: readonly string[]) => (name: string) => ends.some((end) => name.endsWith(end));
      const names = failed.map(([name]) => String(name)).filter((name) => !isOf(lacking)(name));
      expect(
        names.filter((name) => !isOf(leaning)(name)),
        JSON.stringify(failed),
      ).toEqual([]);
      if (names.length === 0) return;
      const named = (await judge.checkSuite(suite)).warnings.map(({ test }) => test);
      expect(named).toEqual(expect.arrayContaining(names));
    });
    if (isFull && lacking.length === 0)
      it(`${id} passes with a reference, test by test (JDG-18, JDG-21)`, async () =>
        expect(await failedOf(own, { ...suite, reference: own })).toEqual([]));
    it.each(isFull ? breaks : breaks.slice(0, 1))(
      `${id} fails where %s is wrong (JDG-17)`,
      async (file, right, wrong) => {
        const files = { ...artifact, [file]: String(artifact[file]).replace(right, () => wrong) };
        expect(files[file]).not.toBe(artifact[file]);
        const failed = (await failedOf({ language: 'javascript', files }, suite)).filter(
          ([name]) => ![...leaning, ...lacking].some((end) => name?.endsWith(end)),
        );
        expect(failed).not.toEqual([]);
      },
    );
  }
});
