import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJudge, type DetectedSandbox, detectSandbox, type Judge } from '../src/index.ts';
import { unearnedPython } from './corpus/unearned-python.ts';

let sandbox: DetectedSandbox;
let judge: Judge;
beforeAll(async () => {
  sandbox = await detectSandbox();
  judge = createJudge({ sandbox });
});
afterAll(async () => {
  await judge?.close();
  await sandbox?.close();
});

describe.concurrent('wrong programs that lie in their answers to pytest', () => {
  for (const { id, artifact, tests } of unearnedPython)
    it(`${id} gains nothing, and nothing is thrown (JDG-17, JDG-19, JDG-20)`, async () => {
      const verdict = await judge.run({
        artifact:
          typeof artifact === 'string'
            ? { language: 'python', source: artifact }
            : { language: 'python', files: artifact },
        suite: {
          id,
          language: 'python',
          mode: 'split',
          files: { 'test_it.py': tests },
          profile: 'EXTENDED',
        },
      });
      expect(verdict.outcome, JSON.stringify([verdict.tests, verdict.summary])).toMatch(
        /^(?:FAILURE|ERROR|SECURITY_VIOLATION)$/,
      );
    });
});
