import { type HumanEvalTask, loadTasks } from '@bonafide/example-strangers';
import { JudgeError, loadHumanEvalTask, type VectorSuite } from '@bonafide/judge-runner';

/** A task with the tests that nobody but the judge sees. */
export interface TestedTask {
  readonly task: HumanEvalTask;
  readonly suite: VectorSuite;
}

/** The tasks whose tests can be run as vectors. */
export function loadTestedTasks(): TestedTask[] {
  return loadTasks().flatMap((task) => {
    try {
      return [{ task, suite: loadHumanEvalTask(task) }];
    } catch (error) {
      if (error instanceof JudgeError && error.code === 'SUITE_UNSUPPORTED') return [];
      throw error;
    }
  });
}
