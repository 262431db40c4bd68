import { expect, it } from 'vitest';
import { groupCalls } from '../src/group-calls.ts';

it('carries out together what is called while an earlier group runs, in its order (DLG-11)', async () => {
  const groups: (readonly number[])[] = [];
  const gate = Promise.withResolvers<void>();
  const double = groupCalls<number, number>(async (items) => {
    groups.push(items);
    if (groups.length === 1) await gate.promise;
    return items.map((item) => item * 2);
  });
  const first = double(0);
  await expect.poll(() => groups).toEqual([[0]]);
  const others = Promise.all([1, 2, 3].map((item) => double(item)));
  gate.resolve();
  expect(await first).toBe(0);
  expect(await others).toEqual([2, 4, 6]);
  expect(groups).toEqual([[0], [1, 2, 3]]);
});

it('repeats each alone when a group fails, so that one that cannot succeed stops no other (DLG-10)', async () => {
  const groups: (readonly string[])[] = [];
  const call = groupCalls<string, string>(async (items) => {
    groups.push(items);
    if (items.includes('bad')) throw new Error('not storable');
    return items;
  });
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => call(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  expect(await call('c')).toBe('c');
});

it('takes at most five hundred at once (DLG-11)', async () => {
  const sizes: number[] = [];
  const call = groupCalls<number, void>(async (items) => {
    sizes.push(items.length);
    return [];
  });
  await Promise.all(Array.from({ length: 1_200 }, (_, item) => call(item)));
  expect(sizes).toEqual([500, 500, 200]);
});
