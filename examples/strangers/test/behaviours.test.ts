import { createJudge, isBonafideError, type Outcome } from '@bonafide/judge-runner';
import { loadHumanEvalTask } from '@bonafide/judge-runner/humaneval';
import { afterAll, describe, expect, it } from 'vitest';
import { behaviours, largeJobMsat } from '../src/behaviours.ts';
import { type HumanEvalTask, loadTasks } from '../src/tasks.ts';

const judge = createJudge({ concurrency: 2 });
afterAll(() => judge.close());

const tasks = loadTasks().filter((task) => {
  try {
    return loadHumanEvalTask(task).cases.length > 0;
  } catch (error) {
    if (isBonafideError(error, 'SUITE_UNSUPPORTED')) return false;
    throw error;
  }
});

async function outcomes(name: string, over: { bidMsat?: number; answered?: number; chance?: number }) {
  const judged = async (task: HumanEvalTask): Promise<Outcome> => {
    const source = behaviours[name]?.({ task, bidMsat: 1_000, answered: 0, chance: 0.9, ...over }) ?? '';
    const artifact = { language: 'python', source } as const;
    return (await judge.run({ artifact, suite: loadHumanEvalTask(task) })).outcome;
  };
  return Promise.all(tasks.slice(0, 12).map(judged));
}

describe('the strangers', () => {
  it('AGT-1 are what their names say, in the eyes of the judge', async () => {
    expect(new Set(await outcomes('excellent', {}))).toEqual(new Set(['SUCCESS']));
    expect(new Set(await outcomes('sloppy', { chance: 0.9 }))).toEqual(new Set(['SUCCESS']));
    const slips = await outcomes('sloppy', { chance: 0.1 });
    expect(slips.filter((outcome) => outcome !== 'SUCCESS').length).toBeGreaterThan(8);
    expect(new Set(await outcomes('farmer', {}))).toEqual(new Set(['SUCCESS']));
    expect(await outcomes('farmer', { bidMsat: largeJobMsat })).not.toContain('SUCCESS');
    expect(await outcomes('cheater', { answered: 0 })).not.toContain('SUCCESS');
    expect(new Set(await outcomes('cheater', { answered: 1 }))).toEqual(new Set(['SECURITY_VIOLATION']));
  });
});
