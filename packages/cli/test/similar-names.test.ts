import { expect, it } from 'vitest';
import { createWorld, run } from './world.ts';

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
