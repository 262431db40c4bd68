import { afterAll, beforeAll } from 'vitest';
import {
  createJudge,
  type DetectedSandbox,
  detectSandbox,
  type Judge,
  type JudgeOptions,
} from '../src/index.ts';

/** A judge of a file of tests, and its sandbox once the tests have begun. */
export interface UsedJudge extends Pick<Judge, 'run' | 'checkSuite'> {
  readonly sandbox: DetectedSandbox;
}

/** Detects the sandbox and creates a judge before the tests of a file, and closes both after them. */
export function useJudge(options: Omit<JudgeOptions, 'sandbox'> = {}): UsedJudge {
  let sandbox: DetectedSandbox | undefined;
  let judge: Judge | undefined;
  beforeAll(async () => {
    sandbox = await detectSandbox();
    judge = createJudge({ ...options, sandbox });
  });
  afterAll(async () => {
    await judge?.close();
    await sandbox?.close();
  });
  const begun = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The tests have not begun');
    return part;
  };
  return {
    get sandbox() {
      return begun(sandbox);
    },
    run: (request) => begun(judge).run(request),
    checkSuite: (suite, own) => begun(judge).checkSuite(suite, own),
  };
}
