import { describe, expect, it } from 'vitest';
import type { Artifact, NodeTestSuite } from '../src/index.ts';
import { fidelityJavascriptModules } from './corpus/fidelity-javascript-modules.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const failedOf = async (artifact: Artifact, suite: NodeTestSuite) => {
  const { tests, outcome } = await judge.run({ artifact, suite });
  const failed = tests.filter((test) => test.status !== 'passed').map(({ id, reason }) => [id, reason]);
  return tests.length === 0 ? [[outcome, 'no tests']] : failed;
};

describe('modules with tests that use them at top level, in later turns and by values of the language', () => {
  for (const { id, artifact, tests, breaks, leaning = [] } of partOf(fidelityJavascriptModules, 8)) {
    const own: Artifact = { language: 'javascript', files: artifact };
    const suite: NodeTestSuite = { id, language: 'javascript', mode: 'split', files: tests };
    const ways = [
      ['without a reference', suite, leaning],
      ['with a reference', { ...suite, reference: own }, []],
    ] as const;
    it.each(ways)(`${id} passes %s, test by test (JDG-21)`, async (_way, given, lacking) => {
      const failed = await failedOf(own, given);
      expect(failed.filter(([test]) => !lacking.some((each) => test?.endsWith(each)))).toEqual([]);
    });
    it.each(breaks)(`${id} fails where %s has another %s (JDG-17)`, async (file, right, wrong) => {
      const files = { ...artifact, [file]: String(artifact[file]).replace(right, () => wrong) };
      expect(files[file]).not.toBe(artifact[file]);
      for (const [, given] of ways)
        expect(await failedOf({ language: 'javascript', files }, given)).not.toEqual([]);
    });
  }
});
