import { isBonafideError } from '@bonafide/judge-runner';
import { loadHumanEvalTask } from '@bonafide/judge-runner/humaneval';
import { seededRandom, shuffled } from './random.ts';
import { loadTasks } from './tasks.ts';

/** Number of tasks that are kept for trials. */
const trialTasks = 20;

/** Loads the tasks whose hidden tests can run as vectors, as benchmarks. The suites are plain JSON. */
function loadTestedTasks() {
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

/** Loads the tested tasks in the random order of a seed: some for trials, the others for jobs. */
export function loadRunTasks(seed: number) {
  const tasks = shuffled(loadTestedTasks(), seededRandom(seed));
  return { benchmarks: tasks.slice(0, trialTasks), jobs: tasks.slice(trialTasks) };
}
