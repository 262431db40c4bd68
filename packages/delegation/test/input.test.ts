import { testDatabases } from '@bonafide/storage/testing';
import { expect, it } from 'vitest';
import { cancelOrder, createMemoryDelegationStore, type Delegation, isBonafideError } from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { scriptedJudge, startWorld } from './support/world.ts';

const wrong: readonly unknown[] = [undefined, null, 5, Number.NaN, '', 'a\0b', {}, [], 'x'.repeat(100_000)];
const wrongOptions: readonly unknown[] = [null, 5, 'x', { signal: {} }, { sginal: undefined }];
const platform = { pubkey: 'a'.repeat(64), d: 'main' };
const order = { id: 'a', taskType: 'code', inputs: [], valueMsat: 1 };

const sqlite = testDatabases().find(({ name }) => /sqlite/iu.test(name));
const stores = {
  memory: async () => ({ store: createMemoryDelegationStore(), close: async () => {} }),
  SQLite: async () => {
    if (sqlite === undefined) throw new Error('SQLite is missing');
    const { db, close } = await sqlite.open();
    await migrateDelegation(db);
    return { store: createKyselyDelegationStore(db), close };
  },
};

/** Calls with each wrong value, by the name of the method. */
const calls = (
  one: Delegation,
): readonly (readonly [string, readonly unknown[], (given: never) => unknown])[] => [
  ['get', wrong, one.get],
  ['settled', wrong, one.settled],
  ['cancel', wrong, (id) => one.cancel(id)],
  ['start', wrong, one.start],
  ['delegate', wrong, (given) => one.delegate(given)],
  ['prune', wrong, one.prune],
  ['list', [null, 5, '', { limit: -1 }, { limit: Number.NaN }, { cursor: 'x' }], one.list],
  ['qualify', wrong, (given) => one.qualify(given, 'code')],
  ['qualify of a task type', wrong, (given) => one.qualify(platform, given)],
  ['qualifyNewcomers', wrong, one.qualifyNewcomers],
  ['keepUp', wrong, one.keepUp],
  ['the options of delegate', wrongOptions, (given) => one.delegate(order, given)],
  ['the options of settled', wrongOptions, (given) => one.settled('a', given)],
  ['the options of qualify', wrongOptions, (given) => one.qualify(platform, 'code', given)],
  ['the reason of cancel', [null, 5, {}, 'x'.repeat(100_000)], (given) => one.cancel('a', given)],
  ['on', wrong, (name) => one.on(name, () => {})],
];

it.each(Object.entries(stores))('X-3 X-4 refuses wrong input with a code, over %s', async (_name, open) => {
  const { store, close } = await open();
  const world = await startWorld(() => 'right', {
    store,
    judge: scriptedJudge,
    benchmarks: { tasks: () => [] } as never,
  });
  const answers: string[] = [];
  const tried = async (name: string, given: unknown, call: () => unknown) => {
    const ended = await (async () => call())().catch((error: unknown) => error);
    if (!isBonafideError(ended, 'INVALID_INPUT'))
      answers.push(`${name}(${String(given).slice(0, 20)}): ${String(ended).slice(0, 200)}`);
  };
  for (const [name, values, call] of calls(world.delegation))
    for (const given of values) await tried(name, given, () => call(given as never));
  for (const given of wrong)
    await tried('cancelOrder', given, () => cancelOrder(store, given as never, { at: 1, reason: 'x' }));
  await world.delegation.close();
  await close();
  expect(answers).toEqual([]);
});
