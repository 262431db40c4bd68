import { expect, it } from 'vitest';
import { createMemoryDelegationStore } from '../src/index.ts';
import { countedStore } from './support/counted-store.ts';
import { startWorld } from './support/world.ts';

it('takes five changes of an order, two reads and two wakes until its end is recorded everywhere (DLG-11)', async () => {
  const { store, calls } = countedStore(createMemoryDelegationStore());
  const world = await startWorld(() => 'never', { store });
  await world.qualifyAll();
  await using delegation = world.delegation;
  await delegation.ready();
  calls.clear();
  const count = 20;
  let settled = 0;
  delegation.on('settled', () => {
    settled += 1;
  });
  for (let number = 0; number < count; number += 1)
    await delegation.start({
      ...{
        id: `order ${number}`,
        taskType: 'code',
        inputs: [{ data: 'Do it.' }],
        suite: {},
        valueMsat: 1_000,
      },
    });
  const open = async () => (await world.store.list({ status: 'open' })).items;
  await expect
    .poll(async () => (await open()).filter(({ state }) => state.replicas[0]?.stage === 'requested').length)
    .toBe(count);
  for (const { jobId } of world.jobs.values()) world.answer(jobId, 'right');
  await expect.poll(() => settled).toBe(count);
  const perOrder = (name: string) => (calls.get(name) ?? 0) / count;
  expect(perOrder('create')).toBe(1);
  // Chosen; requested, with the journal's record of it; answered; checked; recorded.
  expect(perOrder('update')).toBe(5);
  expect(perOrder('get')).toBeLessThanOrEqual(2);
  // When it was handed in, and when the answer arrived.
  expect(perOrder('put')).toBe(2);
  expect(perOrder('finish')).toBeLessThanOrEqual(2);
});
