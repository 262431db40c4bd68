import { describe, expect, it } from 'vitest';
import { type Artifact, isBonafideError, type Suite, type Verdict } from '../src/index.ts';
import { unearnedCalls } from './corpus/unearned-calls.ts';
import { unearnedCarriers, unearnedCarriersOfJavascript } from './corpus/unearned-carriers.ts';
import { unearnedChains } from './corpus/unearned-chains.ts';
import { unearnedFunctionsOfJavascript } from './corpus/unearned-functions.ts';
import { unearnedJavascript } from './corpus/unearned-javascript.ts';
import { unearnedMakersOfJavascript } from './corpus/unearned-makers.ts';
import { unearnedMembersAlone } from './corpus/unearned-members.ts';
import { unearnedPython } from './corpus/unearned-python.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Its outcome; a suite that asks for more than plain values is refused before anything of the artifact runs. */
async function judged(artifact: Artifact, suite: Suite): Promise<[string, Verdict | null]> {
  try {
    const verdict = await judge.run({ artifact, suite });
    return [verdict.outcome, verdict];
  } catch (error) {
    if (!isBonafideError(error, 'SUITE_UNSUPPORTED')) throw error;
    return ['SUITE_UNSUPPORTED', null];
  }
}

/** Some wait for what never comes. */
const limits = { wallMs: 20_000 };
const rejected = /^(?:FAILURE|ERROR|SECURITY_VIOLATION|SUITE_UNSUPPORTED)$/;

describe.concurrent('wrong programs that lie in their answers to pytest', () => {
  for (const { id, artifact, tests } of partOf(
    [...unearnedPython, ...unearnedCalls, ...unearnedChains, ...unearnedCarriers, ...unearnedMembersAlone],
    40,
  ))
    it(`${id} gains nothing, and nothing is thrown (JDG-17, JDG-19, JDG-20)`, async () => {
      const own: Artifact =
        typeof artifact === 'string'
          ? { language: 'python', source: artifact }
          : { language: 'python', files: artifact };
      const [outcome, verdict] = await judged(own, {
        ...{ id, language: 'python', mode: 'split', profile: 'EXTENDED', limits },
        files: { 'test_it.py': tests },
      });
      expect(outcome, JSON.stringify([verdict?.tests, verdict?.summary])).toMatch(rejected);
    });
});

describe.concurrent('wrong programs that lie in their answers to node:test', () => {
  const cases = partOf([...unearnedJavascript, ...unearnedCarriersOfJavascript], 40);
  for (const { id, artifact, tests } of [
    ...cases,
    ...partOf([...unearnedMakersOfJavascript, ...unearnedFunctionsOfJavascript], 14),
  ])
    it(`${id} gains nothing, and nothing is thrown (JDG-17, JDG-19, JDG-20)`, async () => {
      const own: Artifact =
        typeof artifact === 'string'
          ? { language: 'javascript', source: artifact }
          : { language: 'javascript', files: artifact };
      const [outcome, verdict] = await judged(own, {
        ...{ id, language: 'javascript', mode: 'split', limits, files: { 'it.test.mjs': tests } },
      });
      expect(outcome, JSON.stringify([verdict?.tests, verdict?.summary])).toMatch(rejected);
    });
});
