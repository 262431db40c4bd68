import { type HumanEvalTask, loadTasks } from '@bonafide/example-strangers';
import { isBonafideError, type VectorSuite } from '@bonafide/judge-runner';
import { loadHumanEvalTask } from '@bonafide/judge-runner/humaneval';

/** A task with its hidden tests. */
export interface TestedTask {
  readonly task: HumanEvalTask;
  readonly suite: VectorSuite;
}

/** Loads the tasks whose tests can run as vectors. */
export function loadTestedTasks(): TestedTask[] {
  return loadTasks().flatMap((task) => {
    try {
      return [{ task, suite: loadHumanEvalTask(task) }];
    } catch (error) {
      if (isBonafideError(error, 'SUITE_UNSUPPORTED')) return [];
      throw error;
    }
  });
}
