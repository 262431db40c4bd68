import { describe, expect, it } from 'vitest';
import { rulesOfObjects } from './corpus/rules-of-objects.ts';
import { inTurn, partOf } from './proof.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('tests of node:test that lean on rules of objects', () => {
  for (const [at, { id, artifact, tests, wrong }] of rulesOfObjects.entries()) {
    for (const reference of inTurn([undefined, artifact], at)) {
      const way = reference === undefined ? 'without a reference' : 'with a reference';
      it(`${id}: a correct program passes ${way} (JDG-18, JDG-21)`, async () => {
        const suite = nodeTest(tests, reference);
        expect(failures(await judge.run({ artifact: javascript(artifact), suite }))).toEqual([]);
      });
      it.each(partOf(wrong, 6))(
        `${id}: %s as %s fails what it fails in one process, ${way} (JDG-17, JDG-20)`,
        async (right, instead, failing) => {
          const changed = artifact.replace(right, () => instead);
          expect(changed).not.toBe(artifact);
          const verdict = await judge.run({
            artifact: javascript(changed),
            suite: nodeTest(tests, reference),
          });
          expect(verdict.outcome).toMatch(/^(?:FAILURE|PARTIAL)$/);
          expect(failures(verdict).map((each) => each.slice(0, each.indexOf(': ')))).toEqual(failing);
        },
      );
    }
  }
  it('errors are written by their class where the reference has one (JDG-17, JDG-21)', async () => {
    const artifact = `
export class Failure extends Error { constructor(message) { super(message); this.status = 404; } toJSON() { return { status: this.status, message: this.message }; } }
export const fails = () => { throw new Failure('no'); };
`;
    const tests = `import assert from 'node:assert/strict'; import test from 'node:test'; import { fails } from 'solution';
test('writes', () => { assert.throws(fails, (error) => JSON.stringify(error) === '{"status":404,"message":"no"}'); });`;
    const suite = nodeTest(tests, artifact);
    expect(failures(await judge.run({ artifact: javascript(artifact), suite }))).toEqual([]);
    const wrong = javascript(artifact.replace('status: this.status, message', 'message'));
    expect((await judge.run({ artifact: wrong, suite })).outcome).toBe('FAILURE');
  });
});
