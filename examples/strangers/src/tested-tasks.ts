import { isBonafideError } from '@bonafide/judge-runner';
import { loadHumanEvalTask } from '@bonafide/judge-runner/humaneval';
import { loadTasks } from './tasks.ts';

/** Loads the tasks whose hidden tests can run as vectors, as benchmarks. The suites are plain JSON. */
export function loadTestedTasks() {
  return loadTasks().flatMap((task) => {
    try {
      const suite = JSON.parse(JSON.stringify(loadHumanEvalTask(task)));
      return [{ id: task.task_id, inputs: [{ data: task.prompt }], suite }];
    } catch (error) {
      if (isBonafideError(error, 'SUITE_UNSUPPORTED')) return [];
      throw error;
    }
  });
}
