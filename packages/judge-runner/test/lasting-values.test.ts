import { describe, expect, it } from 'vitest';
import type { Artifact, NodeTestSuite } from '../src/index.ts';
import {
  correctLasting,
  namesOfLasting,
  testsOfLasting,
  wrongLasting,
} from './corpus/attacks-by-lasting-values.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const artifactOf = (files: Readonly<Record<string, string>>): Artifact => ({ language: 'javascript', files });
const suite: NodeTestSuite = {
  ...{ id: 'lasting', language: 'javascript', mode: 'split', files: testsOfLasting },
  limits: { wallMs: 240_000 },
};
const ways = [
  ['without a reference', suite],
  ['with a reference', { ...suite, reference: artifactOf(correctLasting) }],
] as const;

describe.each(ways)('what a test holds after a call, %s', (_way, given) => {
  const failedOf = async (files: Readonly<Record<string, string>>) => {
    const { tests, errorKind } = await judge.run({ artifact: artifactOf(files), suite: given });
    expect(errorKind).toBe(null);
    return tests.flatMap(({ id, status, reason }) => (status === 'passed' ? [] : [`${id}: ${reason}`]));
  };
  it('correct modules pass (JDG-21)', async () => {
    expect(await failedOf(correctLasting)).toEqual([]);
  });
  it('of each wrong module a test fails, as in one process (JDG-17)', async () => {
    const failed = await failedOf(wrongLasting);
    expect(namesOfLasting.filter((name) => !failed.some((each) => each.startsWith(`${name}.`)))).toEqual([]);
  });
});
