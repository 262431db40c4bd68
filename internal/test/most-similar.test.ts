import { expect, it } from 'vitest';
import { mostSimilar } from '../src/most-similar.ts';

const similar = (typed: string, ...names: readonly string[]) => mostSimilar(typed, names, (name) => [name]);

it('CLI-1 finds names that are close, the closest first', () => {
  expect(similar('telegrm:4711', 'telegram:4711', 'telegram:4712', 'signal:1')).toEqual([
    'telegram:4711',
    'telegram:4712',
  ]);
  expect(similar('bob', 'Bob', 'Rob', 'Alice')).toEqual(['Bob', 'Rob']);
  expect(similar('x', 'y', '')).toEqual([]);
  expect(similar('', 'a')).toEqual([]);
});
