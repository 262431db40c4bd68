import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix } from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

const taskType = 'code';

async function setUp() {
  const clock = manualClock();
  const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), clock, random: seededRandom(1) });
  for (const n of [1, 2, 3])
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: good(),
      });
  for (let i = 0; i < 5; i += 1) await matrix.select({ taskType, jobId: `j${i}`, valueMsat: 1_000 });
  return matrix;
}

it('X-5 listeners of events that do not exist are refused, with the names of those that do', async () => {
  const matrix = await setUp();
  expect(() => matrix.on('decisions' as never, () => {})).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('decision') }),
  );
  expect(() => matrix.on('alert', undefined as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

describe('queries of lists', () => {
  it('X-3 refuses names that no list knows, instead of listing everything', async () => {
    const matrix = await setUp();
    const misspelled = { taskTyp: taskType } as never;
    for (const listed of [
      matrix.entries(misspelled),
      matrix.mutations(misspelled),
      matrix.decisions(misspelled),
    ])
      await expect(listed).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('taskTyp'),
      });
    expect(await matrix.entries({ taskType })).toHaveLength(3);
  });

  it('X-3 refuses page sizes that are out of range, instead of taking another', async () => {
    const matrix = await setUp();
    for (const limit of [0, -1, 1.5, 1_001, Number.NaN, '5' as never])
      await expect(matrix.decisions({ limit })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await matrix.decisions({ limit: 1_000 })).items).toHaveLength(5);
  });

  it('X-3 RTM-8c pages through decisions, and refuses a cursor of another list', async () => {
    const matrix = await setUp();
    const jobs: (string | null)[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await matrix.decisions({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      jobs.push(...page.items.map(({ jobId }) => jobId));
      cursor = page.nextCursor;
    }
    expect(jobs).toEqual(['j4', 'j3', 'j2', 'j1', 'j0']);
    for (const cursor of ['', '3', 'next', 7 as never])
      await expect(matrix.decisions({ cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    // The matrix works on.
    expect((await matrix.decisions()).items).toHaveLength(5);
  });
});
