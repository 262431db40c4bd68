import { describe, expect, it } from 'vitest';
import { suiteRunCases } from './corpus/suite-runs.ts';
import { inTurn, partOf } from './proof.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('tests of node:test that lean on how Node runs them', () => {
  for (const [at, { id, artifact, tests, wrong }] of suiteRunCases.entries()) {
    for (const reference of inTurn([undefined, artifact], at)) {
      const way = reference === undefined ? 'without a reference' : 'with a reference';
      it(`${id}: a correct program passes ${way} (JDG-21)`, async () => {
        const suite = nodeTest(tests, reference);
        expect(failures(await judge.run({ artifact: javascript(artifact), suite }))).toEqual([]);
      });
    }
    it.each(partOf(wrong, 8))(
      `${id}: %s as %s fails what it fails in one process (JDG-17, JDG-20)`,
      async (right, instead, failing) => {
        const changed = artifact.replace(right, () => instead);
        expect(changed).not.toBe(artifact);
        const verdict = await judge.run({ artifact: javascript(changed), suite: nodeTest(tests) });
        const failed = failures(verdict).map((each) => each.slice(0, each.indexOf(': ')).split(' > ').at(-1));
        expect(failed.filter((each) => failing === '*' || failing.includes(String(each)))).toHaveLength(
          failing === '*' ? verdict.tests.length : failing.length,
        );
        // A program that ends with its last test fails what comes after it as well.
        if (verdict.outcome === 'FAILURE')
          expect(failed).toHaveLength(failing === '*' ? verdict.tests.length : failing.length);
      },
    );
  }
});
