import type { BenchmarkTask, JsonValue } from '@bonafide/delegation';
import { loadTasks } from '@bonafide/example-strangers';
import { isBonafideError } from '@bonafide/judge-runner';
import { loadHumanEvalTask } from '@bonafide/judge-runner/humaneval';

/** Loads the tasks whose hidden tests can run as vectors. */
export function loadTestedTasks(): BenchmarkTask[] {
  return loadTasks().flatMap((task) => {
    try {
      const suite: JsonValue = JSON.parse(JSON.stringify(loadHumanEvalTask(task)));
      return [{ id: task.task_id, inputs: [{ data: task.prompt }], suite }];
    } catch (error) {
      if (isBonafideError(error, 'SUITE_UNSUPPORTED')) return [];
      throw error;
    }
  });
}
