import { expect, it } from 'vitest';
import { createMemoryDelegationStore, type DelegationStore } from '../src/index.ts';
import { startWorld } from './support/world.ts';

/** Counts the calls of a store and of its wakes. */
function counted(store: DelegationStore) {
  const calls = new Map<string, number>();
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return typeof member === 'object' ? wrap(member as object) : member;
        return (...args: unknown[]) => {
          calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
          return Reflect.apply(member, target, args);
        };
      },
    });
  return { store: wrap(store), calls };
}

it('takes five changes of an order, two reads and two wakes until its end is recorded everywhere (DLG-11)', async () => {
  const { store, calls } = counted(createMemoryDelegationStore());
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
