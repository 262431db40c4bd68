import { expect } from 'vitest';
import type { StoreTests } from './samples.ts';

/** Tests of the hook failure counts, which are optional. */
export const hookFailures: StoreTests = {
  'adds up how often each hook failed, and knows the last time': async (store, _opened, skip) => {
    if (!store.addHookFailures || !store.listHookFailures) return skip('this store keeps no tally');
    expect(await store.listHookFailures()).toEqual([]);
    await store.addHookFailures([]);
    await store.addHookFailures([
      { hook: 'onMessage', count: 2, lastAt: 2000, lastCode: 'STORAGE_FULL' },
      { hook: 'afterSend', count: 1, lastAt: 1000, lastCode: 'INVALID_INPUT' },
    ]);
    await store.addHookFailures([{ hook: 'onMessage', count: 3, lastAt: 3000, lastCode: 'TypeError' }]);
    await store.addHookFailures([{ hook: 'onMessage', count: 1, lastAt: 500, lastCode: 'LATE' }]);
    expect(await store.listHookFailures()).toEqual([
      { hook: 'afterSend', count: 1, lastAt: 1000, lastCode: 'INVALID_INPUT' },
      { hook: 'onMessage', count: 6, lastAt: 3000, lastCode: 'TypeError' },
    ]);
  },

  'keeps the tallies of agents apart': async (store, { forAgent }, skip) => {
    if (!forAgent) return skip('agents cannot share this store');
    const other = await forAgent('another-agent');
    await store.addHookFailures?.([{ hook: 'section', count: 1, lastAt: 1, lastCode: 'X' }]);
    expect((await other.listHookFailures?.()) ?? []).toEqual([]);
  },
};
