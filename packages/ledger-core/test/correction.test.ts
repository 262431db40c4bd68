import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore, type Erasure } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const day = 86_400_000;
const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';

async function setUp() {
  const time = { now: Date.UTC(2026, 0, 1) };
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => time.now });
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) {
    time.now += day;
    const message = {
      peerId: 'bob',
      channel: 'irc',
      correlationId: `w${n}`,
      content: `Message ${n}`,
      alias: 'Bob',
    };
    ids.push((await ledger.recordIncoming(message))?.interactionId ?? '');
    await ledger.recordOutcome(`w${n}`, n === 7 ? 'violation' : 'paid');
  }
  return { ledger, time, ids };
}

describe('voidInteraction', () => {
  it('LED-33 takes a misattributed row out of scores, rates, prompt and tools', async () => {
    const { ledger, ids } = await setUp();
    const before = await ledger.getPeer('irc:bob');
    expect((await ledger.getBriefing('irc:bob')).verdict.verdict).toBe('refuse');
    expect(await ledger.voidInteraction(ids[7] ?? '', 'It was Eve.')).toEqual({ voided: true });
    expect(await ledger.voidInteraction(ids[7] ?? '', 'It was Eve.')).toEqual({ voided: false });
    const after = await ledger.getPeer('irc:bob');
    expect(after).toMatchObject({ interactionCount: 7, successRate: 1, violationCount: 0 });
    expect(after?.lastSeenAt).toBe((before?.lastSeenAt ?? 0) - day);
    expect((await ledger.getBriefing('irc:bob')).verdict.verdict).not.toBe('refuse');
    expect((await ledger.getPeerAggregates('irc:bob'))?.successRate).toBe(1);
    const found = await ledger.tools()[0]?.execute({ peer_id: 'irc:bob' });
    expect(JSON.stringify(found)).not.toContain('Message 7');
    expect(found?.last_interactions).toHaveLength(5);
    expect((await ledger.getInteractions('irc:bob')).items[0]?.voided?.reason).toBe('It was Eve.');
  });

  it('LED-33 LED-20 an audit compares assessments with the works that count', async () => {
    const { ledger, time, ids } = await setUp();
    for (let n = 0; n < 5; n++) {
      const work = { peerId: 'eve', channel: 'irc', correlationId: `e${n}`, content: 'Here.' };
      ids.push((await ledger.recordIncoming(work))?.interactionId ?? '');
      await ledger.recordOutcome(`e${n}`, 'rejected');
    }
    time.now += day;
    await ledger.recordAssessment('irc:eve', 5, 'Answered 5 questions.');
    const kinds = async () => (await ledger.auditAssessments('irc:eve')).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['sign-disagreement']);
    for (const id of ids.slice(8)) await ledger.voidInteraction(id, 'It was Bob.');
    expect(await kinds()).toEqual([]);
  });

  it('LED-33 LED-15 a peer whose messages were all voided is no first contact', async () => {
    const { ledger, ids } = await setUp();
    await ledger.recordAssessment('irc:bob', -9, 'Was rude on the telephone.', { source: 'operator' });
    for (const id of ids) await ledger.voidInteraction(id, 'It was Eve.');
    const { verdict, section } = await ledger.getBriefing('irc:bob');
    expect(section.text).not.toContain('First contact');
    expect(section.text).toContain('Interactions: 0 (all voided)');
    expect(section.text).toContain('Trust -9');
    expect(verdict).toMatchObject({ verdict: 'refuse', rule: 'operator' });
  });

  it('LED-33 asks for an id that there is, and for a reason', async () => {
    const { ledger, ids } = await setUp();
    await expect(ledger.voidInteraction('x', 'y')).rejects.toMatchObject({ code: 'INTERACTION_NOT_FOUND' });
    await expect(ledger.voidInteraction(ids[0] ?? '', ' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('forgetPeer', () => {
  it('LED-33 leaves an anonymous tombstone, and the peer is a stranger again', async () => {
    const { ledger } = await setUp();
    await ledger.recordAssessment('irc:bob', -7, 'Bob attacked.');
    const summary = await ledger.getSummary();
    const { tombstoneId, interactions } = await ledger.forgetPeer('irc:bob', { reason: 'Asked for it.' });
    expect(interactions).toBe(8);
    expect(await ledger.getPeer('irc:bob')).toBeNull();
    expect(await ledger.peerContext('irc:bob')).toContain('First contact');
    const tombstone = await ledger.getPeer(tombstoneId);
    expect(tombstone).toMatchObject({ interactionCount: 8, latest: { trust: -7, rationale: '[erased]' } });
    expect(await ledger.getSummary()).toMatchObject({
      peers: summary.peers,
      interactions: summary.interactions,
      trustDistribution: summary.trustDistribution,
    });
    await expect(ledger.forgetPeer('irc:bob', { reason: 'Again' })).rejects.toMatchObject({
      code: 'PEER_NOT_FOUND',
    });
    await expect(ledger.forgetPeer(tombstoneId, { reason: '' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('LED-33 keeps a refusal on request, until the operator lifts it or it is erased as well', async () => {
    const { ledger, time } = await setUp();
    expect((await ledger.getBriefing('irc:bob')).verdict.rule).toBe('violation');
    const { keptVerdict } = await ledger.forgetPeer('irc:bob', {
      reason: 'Asked for it.',
      keepVerdict: true,
    });
    expect(keptVerdict).toBe('refuse');
    const verdict = async () => (await ledger.getBriefing('irc:bob')).verdict;
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'erased' });
    expect(await ledger.peerContext('irc:bob')).toContain('Policy: refuse (erased)');
    const message = { peerId: 'bob', channel: 'irc', content: 'It is me again.' };
    await ledger.recordIncoming(message);
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'erased' });
    expect((await ledger.getBriefing('irc:ann')).verdict.rule).toBe('first-contact');
    time.now += day;
    await ledger.recordAssessment('irc:bob', 2, 'A second chance.', { source: 'operator' });
    expect((await verdict()).verdict).not.toBe('refuse');

    // Erased again while it is kept: still refused. Without the option, nothing is left.
    await ledger.recordOutcome('w1', 'violation', { peerId: 'irc:bob' });
    expect(await ledger.forgetPeer('irc:bob', { reason: 'x', keepVerdict: true })).toMatchObject({
      keptVerdict: 'refuse',
    });
    await ledger.recordIncoming(message);
    expect(await ledger.forgetPeer('irc:bob', { reason: 'x' })).toMatchObject({ keptVerdict: null });
    expect((await verdict()).rule).toBe('first-contact');
  });

  it('LED-33 keeps no verdict about a peer that is not refused', async () => {
    const ledger = createLedger({ store: createMemoryLedgerStore() });
    const message = { peerId: 'bob', channel: 'irc', content: 'hi' };
    await ledger.recordIncoming(message);
    expect(await ledger.forgetPeer('irc:bob', { reason: 'x', keepVerdict: true })).toMatchObject({
      keptVerdict: null,
    });
    expect((await ledger.getBriefing('irc:bob')).verdict.rule).toBe('first-contact');
  });

  it('LED-33 tells the list of erasures first, and erases nothing when that fails', async () => {
    const added: Erasure[] = [];
    const failing = { isFailing: true };
    const time = { now: 5_000 };
    const ledger = createLedger({
      store: createMemoryLedgerStore(),
      clock: () => time.now,
      erasures: {
        add(erasure) {
          if (failing.isFailing) throw new Error('disk full');
          added.push(erasure);
        },
      },
    });
    const told: unknown[] = [];
    ledger.on('afterForget', (event) => told.push(event));
    await ledger.recordIncoming({
      peerId: 'bob',
      channel: 'irc',
      content: 'hi',
      externalId: 'e1',
      correlationId: 'w',
    });
    await ledger.recordOutcome('w', 'violation', { externalId: 'e2' });
    await expect(ledger.forgetPeer('irc:bob', { reason: 'x' })).rejects.toThrow('disk full');
    expect(await ledger.getPeer('irc:bob')).not.toBeNull();
    failing.isFailing = false;
    const { tombstoneId } = await ledger.forgetPeer('irc:bob', { reason: 'x', keepVerdict: true });
    expect(added).toEqual([
      {
        agentId: null,
        peerId: 'irc:bob',
        externalIds: ['e1', 'e2'],
        at: 5_000,
        keptValues: [
          { name: 'secret', write: { first: expect.stringMatching(/^[0-9a-f]{64}$/) } },
          { name: expect.stringMatching(/^verdict:[a-z2-7]{52}$/), write: { replace: 'refuse' } },
        ],
      },
    ]);
    expect(told).toEqual([{ peerId: 'irc:bob', tombstoneId }]);
  });

  it('LED-33 LED-29 the anonymous peer has a handle like others, and nobody can write to it or call itself so', async () => {
    const { ledger, ids } = await setUp();
    const { tombstoneId } = await ledger.forgetPeer('irc:bob', { reason: 'Asked for it.' });
    const { handle = '', interactionCount } = (await ledger.getPeer(tombstoneId)) ?? {};
    expect(handle).toMatch(/^p-[a-z2-7]{8}$/);
    for (const name of [tombstoneId, handle]) {
      await expect(ledger.recordAssessment(name, 5, 'Was fine.')).rejects.toMatchObject({
        code: 'PEER_NOT_FOUND',
      });
      await expect(ledger.recordOutcome('w1', 'paid', { peerId: name })).rejects.toMatchObject({
        code: 'PEER_NOT_FOUND',
      });
      await expect(ledger.forgetPeer(name, { reason: 'x' })).rejects.toMatchObject({
        code: 'PEER_NOT_FOUND',
      });
    }
    await expect(ledger.voidInteraction(ids[0] ?? '', 'x')).rejects.toMatchObject({
      code: 'INTERACTION_NOT_FOUND',
    });
    const [channel = '', peerId = ''] = tombstoneId.split(':');
    await expect(ledger.recordIncoming({ peerId, channel, content: 'hi' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await ledger.getPeer(tombstoneId))?.interactionCount).toBe(interactionCount);
  });

  it('LED-33 LED-29 takes a handle too, and the returning peer has the same handle', async () => {
    const ledger = createLedger({ store: createMemoryLedgerStore() });
    const message = { peerId: npub, channel: 'nostr', content: 'hi' };
    await ledger.recordIncoming(message);
    const handle = (await ledger.getPeer(npub))?.handle ?? '';
    await ledger.forgetPeer(handle, { reason: 'Asked for it.' });
    await ledger.recordIncoming(message);
    expect(await ledger.getPeer(npub)).toMatchObject({ handle, interactionCount: 1 });
  });

  it('LED-33 LED-3 erasing words is the only change of an assessment that the database allows', async () => {
    for (const { name, open } of testDatabases().filter((each) => /node:sqlite|Postgres/u.test(each.name))) {
      const { db, close } = await open();
      try {
        await migrateLedger(db);
        const ledger = createLedger({ store: createKyselyLedgerStore(db) });
        await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
        await ledger.recordAssessment('irc:bob', 3, 'Said hi.');
        for (const change of [
          "rationale = 'Better words'",
          "rationale = '[erased]', trust = 5",
          "rationale = '[erased]', source = 'operator'",
          'trust = 4',
        ]) {
          await expect(
            sql.raw(`update ledger_assessments set ${change}`).execute(db),
            `${name}: ${change}`,
          ).rejects.toThrow();
        }
        await expect(sql`delete from ledger_assessments`.execute(db), name).rejects.toThrow();
        await ledger.forgetPeer('irc:bob', { reason: 'Asked for it.' });
        const { rows } = await sql<{ trust: number }>`select trust from ledger_assessments`.execute(db);
        expect(rows.map(({ trust }) => Number(trust))).toEqual([3]);
      } finally {
        await close();
      }
    }
  });
});
