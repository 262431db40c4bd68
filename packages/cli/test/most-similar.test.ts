import { expect, it } from 'vitest';
import { mostSimilar } from '../src/most-similar.ts';
import { createWorld, run } from './world.ts';

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

it('CLI-1 suggests a peer by its id when a name is an alias, or nearly an id', async () => {
  await using world = await createWorld();
  await world.ledger.recordIncoming({ peerId: '4711', channel: 'telegram', alias: 'Bob', content: 'x' });
  for (const typed of ['bob', 'telegram:4712']) {
    const { code, err } = await run(['ledger', 'show', typed, '--db', world.path]);
    expect(code).toBe(1);
    expect(err).toContain('Did you mean Bob (telegram:4711)?');
  }
  expect((await run(['ledger', 'show', 'carol', '--db', world.path])).err).not.toContain('Did you mean');
});
