import { openSqlite } from '@bonafide/storage';
import { describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore, type LedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const minute = 60_000;
const day = 86_400_000;

const stores: readonly (readonly [string, () => Promise<LedgerStore>])[] = [
  ['memory', async () => createMemoryLedgerStore()],
  [
    'SQLite',
    async () => {
      const db = openSqlite<unknown>({ path: ':memory:' });
      await migrateLedger(db);
      return createKyselyLedgerStore(db);
    },
  ],
];

describe.each(stores)('order of receipt in %s', (_, open) => {
  async function setUp() {
    const time = { now: Date.UTC(2026, 0, 1) };
    const ledger = createLedger({ store: await open(), clock: () => time.now });
    const peer = async () => await ledger.getPeer('irc:eve');
    const verdict = async () => (await ledger.getBriefing('irc:eve')).verdict;
    const from = { peerId: 'eve', channel: 'irc' };
    return { ledger, time, peer, verdict, from };
  }

  it('LED-32 LED-9 a success that a peer dates ahead does not hide the failure that follows', async () => {
    const { ledger, time, peer, from } = await setUp();
    for (let n = 0; n < 10; n += 1) {
      const work = { ...from, correlationId: `job-${n}` };
      await ledger.recordIncoming({
        ...work,
        content: 'Done.',
        outcome: 'verified',
        at: time.now + 5 * minute,
      });
      await ledger.recordOutcome(`job-${n}`, 'rejected');
      time.now += day;
    }
    expect(await peer()).toMatchObject({ successCount: 0, failureCount: 10, successRate: 0 });
    expect(await ledger.getPeerAggregates('irc:eve')).toMatchObject({ successRate: 0 });
    expect((await ledger.getInteractions('irc:eve')).items[0]?.outcome).toBe('rejected');
    expect((await ledger.getPeerAssessmentSummary('irc:eve'))?.successRate).toBe(0);
  });

  it('LED-32 the time of an outcome is clamped, unless the host vouches for it', async () => {
    const { ledger, time, from } = await setUp();
    const clamps: unknown[] = [];
    ledger.on('afterClamp', (event) => clamps.push(event));
    await ledger.recordIncoming({ ...from, content: 'x', correlationId: 'job' });
    const { now } = time;
    const early = await ledger.recordOutcome('job', 'paid', { at: now - 365 * day });
    expect(early).toMatchObject({ createdAt: now - 60 * minute, receivedAt: now });
    expect(await ledger.recordOutcome('job', 'paid', { at: 8.64e15 })).toMatchObject({
      createdAt: now + 5 * minute,
    });
    expect(clamps).toHaveLength(2);
    expect(await ledger.recordOutcome('job', 'paid', { at: now - 365 * day, backfill: true })).toMatchObject({
      createdAt: now - 365 * day,
      receivedAt: now,
    });
    await expect(ledger.recordOutcome('job', 'paid', { at: 8.64e15, backfill: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it.each([{ at: -30 * minute }, { at: -365 * day }, { at: -365 * day, backfill: true }])(
    'LED-36 LED-32 a violation that is dated before the pardon is not pardoned by it: %j',
    async ({ at, ...options }) => {
      const { ledger, time, verdict, from } = await setUp();
      await ledger.recordIncoming({ ...from, content: 'x', correlationId: 'job' });
      await ledger.recordOutcome('job', 'violation');
      time.now += minute;
      await ledger.recordAssessment('irc:eve', 3, 'Explained itself.', { source: 'operator' });
      expect((await verdict()).rule).not.toBe('violation');
      time.now += minute;
      await ledger.recordOutcome('job', 'violation', { at: time.now + at, ...options });
      expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'violation' });
      await ledger.recordAssessment('irc:eve', 3, 'Explained itself again.', { source: 'operator' });
      expect((await verdict()).rule).not.toBe('violation');
    },
  );

  it('LED-36 a pardon counts by the order of receipt, also when a clock runs behind', async () => {
    const { ledger, time, verdict, from } = await setUp();
    await ledger.recordIncoming({ ...from, content: 'x', correlationId: 'job' });
    time.now += day;
    await ledger.recordAssessment('irc:eve', 3, 'A good peer.', { source: 'operator' });
    time.now -= day;
    await ledger.recordOutcome('job', 'violation');
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'violation' });
  });

  it('LED-2 LED-36 an externalId that the peer has used does not swallow what is said later under it', async () => {
    const { ledger, peer, verdict, from } = await setUp();
    const message = { ...from, correlationId: 'job', externalId: 'e', content: 'Done.' };
    await ledger.recordIncoming({ ...message, outcome: 'delivered' });
    await ledger.recordOutcome('job', 'delivered', { externalId: 'e' });
    expect((await ledger.getOutcomes('irc:eve')).items).toHaveLength(1);
    await ledger.recordOutcome('job', 'rejected', { externalId: 'e' });
    await ledger.recordOutcome('job', 'rejected', { externalId: 'e' });
    expect(await peer()).toMatchObject({ failureCount: 1, openCount: 0 });
    expect((await ledger.getOutcomes('irc:eve')).items).toHaveLength(2);
    await ledger.recordOutcome('job', 'violation', { externalId: 'e' });
    expect(await verdict()).toMatchObject({ rule: 'violation' });
    expect(await peer()).toMatchObject({ violationCount: 1 });
  });

  it('LED-2 our own message is recorded although the peer has used its externalId', async () => {
    const { ledger, peer, from } = await setUp();
    await ledger.recordIncoming({ ...from, content: 'x', externalId: 'e' });
    expect(await ledger.recordOutgoing({ ...from, content: 'y', externalId: 'e' })).toMatchObject({
      duplicate: false,
    });
    expect(await ledger.recordOutgoing({ ...from, content: 'y', externalId: 'e' })).toMatchObject({
      duplicate: true,
    });
    expect(await ledger.recordIncoming({ ...from, content: 'x', externalId: 'e' })).toMatchObject({
      duplicate: true,
    });
    expect(await peer()).toMatchObject({ interactionCount: 2 });
  });

  it('LED-36 a message that is recognized as an attack when it is delivered again counts as one', async () => {
    const { ledger, verdict, peer, from } = await setUp();
    const message = { ...from, content: 'Run this.', externalId: 'e' };
    await ledger.recordIncoming(message);
    for (const _again of [1, 2]) {
      expect(await ledger.recordIncoming({ ...message, outcome: 'violation' })).toMatchObject({
        duplicate: true,
      });
    }
    expect(await verdict()).toMatchObject({ rule: 'violation' });
    expect(await peer()).toMatchObject({ interactionCount: 1, violationCount: 1 });
  });

  it('LED-20 latency is measured between receipts, not between claimed times', async () => {
    const { ledger, time, from } = await setUp();
    for (let n = 0; n < 5; n += 1) {
      const work = { ...from, correlationId: `job-${n}` };
      await ledger.recordOutgoing({ ...work, content: 'Please.' });
      time.now += 30 * minute;
      // As fast as light, says the peer.
      await ledger.recordIncoming({ ...work, content: 'Done.', at: time.now - 30 * minute });
      time.now += day;
    }
    expect((await ledger.getPeerAggregates('irc:eve'))?.latencyMs).toMatchObject({
      p50: 30 * minute,
      p95: 30 * minute,
      samples: 5,
    });
  });

  it('LED-20 latency of an imported conversation is that of the times that the host vouches for', async () => {
    const { ledger, time, from } = await setUp();
    const work = { ...from, correlationId: 'job', backfill: true };
    await ledger.recordOutgoing({ ...work, content: 'Please.', at: time.now - 9 * day });
    await ledger.recordIncoming({ ...work, content: 'Done.', at: time.now - 9 * day + 7 * minute });
    expect((await ledger.getPeerAggregates('irc:eve'))?.latencyMs?.p50).toBe(7 * minute);
  });

  it('LED-13 LED-33 an outcome whose evidence held a private key is marked', async () => {
    const { ledger, from } = await setUp();
    await ledger.recordIncoming({ ...from, content: 'x', correlationId: 'job' });
    const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
    const event = await ledger.recordOutcome('job', 'paid', { evidence: { note: nsec } });
    expect(event).toMatchObject({ evidence: null, redacted: true });
    expect(await ledger.recordOutcome('job', 'verified')).toMatchObject({ redacted: false });
    expect((await ledger.getOutcomes('irc:eve')).items.map(({ redacted }) => redacted)).toEqual([
      false,
      true,
    ]);
  });
});
