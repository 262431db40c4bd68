import { describe, expect, it } from 'vitest';
import type { Artifact, PytestSuite } from '../src/index.ts';
import { fidelityJavascript } from './corpus/fidelity-javascript.ts';
import { type FidelityCase, fidelityPython } from './corpus/fidelity-python.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const artifactOf = ({ artifact }: FidelityCase): Artifact =>
  typeof artifact === 'string'
    ? { language: 'python', source: artifact }
    : { language: 'python', files: artifact };
const suiteOf = ({ id, tests, profile }: FidelityCase): PytestSuite => ({
  id,
  language: 'python',
  mode: 'split',
  files: { 'test_it.py': tests },
  profile: profile ?? 'EXTENDED',
});

describe('ordinary pytest and unittest tests of correct programs', () => {
  for (const each of fidelityPython) {
    it(`${each.id} passes without a reference, test by test (JDG-21)`, async () => {
      const verdict = await judge.run({ artifact: artifactOf(each), suite: suiteOf(each) });
      const failed = verdict.tests.filter((test) => test.status !== 'passed');
      expect(
        failed.map(({ id, reason }) => [id, reason]),
        verdict.summary,
      ).toEqual([]);
    });
  }
});

describe('ordinary tests of node:test of correct modules', () => {
  for (const { id, artifact, tests } of fidelityJavascript)
    it(`${id} passes without a reference, test by test (JDG-21)`, async () => {
      const verdict = await judge.run({
        artifact: { language: 'javascript', source: String(artifact) },
        suite: { id, language: 'javascript', mode: 'split', files: { 'test/it.test.mjs': tests } },
      });
      const failed = verdict.tests.filter((test) => test.status !== 'passed');
      expect(
        failed.map(({ id: name, reason }) => [name, reason]),
        verdict.summary,
      ).toEqual([]);
    });
});
