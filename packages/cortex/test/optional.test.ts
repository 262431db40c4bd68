import { createLedgerHooks } from '@bonafide/ledger-core';
import { describe, expect, it } from 'vitest';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, hour, peerId } from './world/world.ts';

const alice = peerId('a');

describe('an agent with and without a cortex', () => {
  it('CTX-15 CTX-17 has the same peer block: the cortex adds its section, and changes nothing of the ledger’s', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `w${n}`, n === 2 ? 'rejected' : 'verified');
    await world.ledger.recordAssessment(alice, 2, 'three of four kept', { source: 'agent' });
    world.now += hour;
    const hooks = createLedgerHooks(world.ledger);
    const promptOf = () =>
      hooks.run({ peerId: alice, channel: 'nostr', content: 'Hello again' }, () =>
        hooks.transformSystemPrompt('You are Alpha.'),
      );
    const without = await promptOf();
    const beliefs = [{ key: 'work-record', rationale: 'r', peerId: alice }];
    const cortex = world.cortex({
      reflector: createScriptedReflector({ output: { assessments: [], beliefs } }),
    });
    await cortex.start();
    const blockOf = (prompt: string) => prompt.slice(prompt.indexOf('## '));
    // The same message is in both histories.
    const started = await promptOf();
    await cortex.reflectNow('one');
    const reflected = await promptOf();
    const facts = (prompt: string) =>
      blockOf(prompt)
        .replace(/Interactions?: \d+/u, '')
        .replace(/\d+ (?:interactions|messages)/gu, '');
    expect(facts(reflected)).toBe(facts(started));
    expect(without).not.toContain('## Cortex Beliefs');
    const both = cortex.transformSystemPrompt(reflected, { peerId: alice });
    expect(both.startsWith(`${reflected}\n\n## Cortex Beliefs\n`)).toBe(true);
    await cortex.close();
    expect(facts(await promptOf())).toBe(facts(reflected));
  });

  it('CTX-15 the agent assesses inline again when the cortex is gone', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const assess = () => {
      const tool = world.ledger.tools().find(({ name }) => name === 'assess_peer');
      return tool?.execute({ peer_id: alice, trust: 1, rationale: 'One of one kept.' } as never);
    };
    const cortex = world.cortex({ reflector: createScriptedReflector() });
    await cortex.start();
    expect(world.ledger.tools().map(({ name }) => name)).not.toContain('assess_peer');
    await cortex.close();
    expect(world.ledger.tools().map(({ name }) => name)).toContain('assess_peer');
    await assess();
  });
});
