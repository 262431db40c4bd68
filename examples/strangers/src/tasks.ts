import { readFileSync } from 'node:fs';
import * as z from 'zod';

const humanEvalTask = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});

/** One public programming task (HumanEval, see `fixtures/humaneval`). */
export type HumanEvalTask = z.infer<typeof humanEvalTask>;

const file = new URL('../../../fixtures/humaneval/humaneval-odd.jsonl', import.meta.url);

/** Every task in the fixture, in its order. */
export function loadTasks(): HumanEvalTask[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => humanEvalTask.parse(JSON.parse(line)));
}
