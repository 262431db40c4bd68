import { join } from 'node:path';
import { createCortex, createRuleReflector } from '@bonafide/cortex';
import { createKyselyCortexState, migrateCortex } from '@bonafide/cortex/kysely';
import type { PeerOverview } from '@bonafide/ledger-core';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it } from 'vitest';
import { peerName } from '../src/format.ts';
import { createWorld, run } from './world.ts';

const nostrPeer = 'a'.repeat(64);
const peerId = nostrPeer;

/** A workspace in which a cortex has reflected once. */
async function reflected(peerId = nostrPeer) {
  const world = await createWorld();
  for (let n = 0; n < 4; n += 1) {
    await world.ledger.recordOutgoing({ peerId, channel: 'nostr', content: 'do it', correlationId: `w${n}` });
    world.now += 1_000;
    await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'done', correlationId: `w${n}` });
    await world.ledger.recordOutcome(`w${n}`, n === 0 ? 'rejected' : 'verified');
  }
  const db = openSqlite<unknown>({ path: join(world.workspace, 'agent.db') });
  await migrateCortex(db);
  const cortex = createCortex({
    ledger: world.ledger,
    state: createKyselyCortexState(db),
    reflector: createRuleReflector(),
  });
  await cortex.reflectNow('the day is over');
  const handle = (await world.ledger.getPeer(peerId))?.handle ?? '';
  await cortex.close();
  await db.destroy();
  const cli = (...argv: string[]) => run(['cortex', ...argv, '--workspace', world.workspace]);
  return { world, handle, cli };
}

describe('bonafide cortex', () => {
  it('CLI-1 CTX-23 lists beliefs and cycles, as tables and as JSON', async () => {
    const { world, handle, cli } = await reflected();
    await using _ = world;
    const beliefs = await cli('beliefs');
    expect(beliefs.code).toBe(0);
    expect(beliefs.out).toContain(handle);
    expect(beliefs.out).toContain('3 of 4 pieces of work ended well');
    const history = await cli('history');
    expect(history.out).toContain('the day is over');
    expect(JSON.parse((await cli('history', '--json')).out).cycles).toMatchObject([
      { cycle: 1, peers: [peerId] },
    ]);
  });

  it('CLI-1 CTX-23 replays and reverts a cycle, once', async () => {
    const { world, cli } = await reflected();
    await using _ = world;
    expect(await cli('replay', '1')).toMatchObject({
      code: 0,
      out: 'Cycle 1 gives the same 1 decision again.\n',
    });
    const reverted = await cli('revert', '1');
    expect(reverted.out).toMatch(/^Reverted cycle 1: 1 correction, 2 beliefs removed/u);
    // The peer by its name, as in every other command.
    expect(reverted.out).toContain(
      `\n  ${peerName((await world.ledger.getPeer(peerId)) as PeerOverview)}: +`,
    );
    expect((await world.ledger.getLatestAssessment(peerId))?.source).toBe('operator');
    const again = await cli('revert', '1');
    expect(again.code).not.toBe(0);
    expect(again.err).toContain('reverted before');
    expect((await cli('replay', '7')).err).toContain('no cycle 7');
  });

  it('CLI-1 CTX-23 names a peer of any channel without what a terminal acts on', async () => {
    const { world, cli } = await reflected('irc:b\u202eob\u2066');
    await using _ = world;
    const { code, out } = await cli('revert', '1');
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}p-[a-z0-9]+: \+\d to 0$/mu);
    expect(out).not.toMatch(/[\u202a-\u2069]/u);
  });

  it('CLI-1 CTX-24 pins, writes and vetoes beliefs', async () => {
    const { world, handle, cli } = await reflected();
    await using _ = world;
    expect((await cli('pin', 'work-record', '--peer', handle)).out).toBe('work-record is pinned.\n');
    expect((await cli('pin', 'tone', '--text', 'Stay polite.')).code).toBe(0);
    expect((await cli('veto', 'check-results', '--peer', handle)).code).toBe(0);
    const { beliefs } = JSON.parse((await cli('beliefs', '--json')).out);
    expect(beliefs.map((one: { key: string; pinned: boolean }) => [one.key, one.pinned])).toEqual([
      ['work-record', true],
      ['tone', true],
    ]);
    expect((await cli('pin', 'nothing')).code).not.toBe(0);
  });

  it('CLI-1 CTX-19 consults the record', async () => {
    const { world, handle, cli } = await reflected();
    await using _ = world;
    const { code, out } = await cli('consult', handle, 'Please pay in advance.', '--amount', '5000');
    expect({ code, out }).toEqual({
      code: 0,
      out: 'conditional: 3 of 4 finished pieces of work ended well.\n  - Keep the stakes small.\n  - Pay after delivery.\n',
    });
  });

  it('CLI-1 says what is missing', async () => {
    await using world = await createWorld();
    const { code, err } = await run(['cortex', 'beliefs', '--workspace', world.workspace]);
    expect(code).not.toBe(0);
    expect(err).toContain('There is no state of a cortex');
  });
});
