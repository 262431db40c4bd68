import { readFileSync } from 'node:fs';
import { JudgeError, loadHumanEvalTask, type Suite } from '@bonafide/judge-runner';
import { z } from 'zod';

const humanEvalTask = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});

/** One public programming task (HumanEval, see `fixtures/humaneval`). */
export type HumanEvalTask = z.infer<typeof humanEvalTask>;

/** A task with the tests that nobody but the judge sees. */
export interface TestedTask {
  readonly task: HumanEvalTask;
  readonly suite: Suite;
}

const file = new URL('../../../fixtures/humaneval/humaneval-odd.jsonl', import.meta.url);

/** Every task in the fixture, in its order. */
export function loadTasks(): HumanEvalTask[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => humanEvalTask.parse(JSON.parse(line)));
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
