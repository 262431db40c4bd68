import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const peerColumns = 'agent_id, peer_id, native_id, channel, first_seen_at, last_seen_at, interaction_count';
const interactionColumns =
  'agent_id, interaction_id, peer_id, direction, channel, content, content_length, redacted, created_at';
const outcomeColumns = 'agent_id, outcome_id, peer_id, correlation_id, outcome, result, created_at';
const assessmentColumns =
  'agent_id, assessment_id, peer_id, info_score, trust, rationale, source, created_at';

describe.each(testDatabases())('ledger tables on $name', ({ open }) => {
  const opened: { close(): Promise<void> }[] = [];

  async function setUp() {
    const database = await open();
    opened.push(database);
    await migrateLedger(database.db);
    const insert = (table: string, columns: string, values: string) =>
      sql`insert into ${sql.table(table)} (${sql.raw(columns)}) values (${sql.raw(values)})`.execute(
        database.db,
      );
    await insert('ledger_peers', peerColumns, `'a', 'irc:bob', 'bob', 'irc', 1, 2, 1`);
    return { db: database.db, insert };
  }

  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  it.each([
    [
      'ledger_peers',
      peerColumns,
      `'a', 'irc:eve', 'eve', 'irc', 1, 2, 1`,
      [
        `'a', '', 'eve', 'irc', 1, 2, 1`,
        `'a', 'irc:eve', 'eve', 'irc', 2, 1, 1`,
        `'a', 'irc:eve', 'eve', 'irc', 1, 2, -1`,
        `'a', 'irc:bob', 'bob', 'irc', 1, 2, 1`,
        `'a', 'irc:eve', 'eve', NULL, 1, 2, 1`,
      ],
    ],
    [
      'ledger_interactions',
      interactionColumns,
      `'a', 'i', 'irc:bob', 'in', 'irc', 'hi', 2, 0, 1`,
      [
        `'a', 'i', 'irc:bob', 'sideways', 'irc', 'hi', 2, 0, 1`,
        `'a', 'i', 'irc:nobody', 'in', 'irc', 'hi', 2, 0, 1`,
        `'b', 'i', 'irc:bob', 'in', 'irc', 'hi', 2, 0, 1`,
        `'a', 'i', 'irc:bob', 'in', 'irc', NULL, 2, 0, 1`,
        `'a', 'i', 'irc:bob', 'in', 'irc', 'hi', -1, 0, 1`,
        `'a', 'i', 'irc:bob', 'in', 'irc', 'hi', 2, 2, 1`,
        `'a', 'i', 'irc:bob', 'in', 'irc', 'hi', 2, 0, 'soon'`,
      ],
    ],
    [
      'ledger_outcomes',
      outcomeColumns,
      `'a', 'o', 'irc:bob', 'job', 'paid', 'success', 1`,
      [
        `'a', 'o', 'irc:bob', 'job', 'splendid', 'success', 1`,
        `'a', 'o', 'irc:bob', 'job', 'paid', 'fine', 1`,
        `'a', 'o', 'irc:nobody', 'job', 'paid', 'success', 1`,
        `'a', 'o', 'irc:bob', NULL, 'paid', 'success', 1`,
      ],
    ],
    [
      'ledger_assessments',
      assessmentColumns,
      `'a', 's', 'irc:bob', 10, -10, 'why', 'agent', 1`,
      [
        `'a', 's', 'irc:bob', 11, 0, 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', -1, 0, 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 11, 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, -11, 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 'high', 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, NULL, 'why', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 0, '', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 0, '  ', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 0, '\n\t\r ', 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 0, NULL, 'agent', 1`,
        `'a', 's', 'irc:bob', 1, 0, 'why', 'somebody', 1`,
        `'a', 's', 'irc:nobody', 1, 0, 'why', 'agent', 1`,
      ],
    ],
  ])('LED-4 has the rules of %s as constraints', async (table, columns, right, wrong) => {
    const { insert } = await setUp();
    for (const values of wrong) await expect(insert(table, columns, values), values).rejects.toThrow();
    await insert(table, columns, right);
  });

  it('LED-4 refuses to remove a peer that has a history', async () => {
    const { db, insert } = await setUp();
    await insert(
      'ledger_interactions',
      interactionColumns,
      `'a', 'i', 'irc:bob', 'in', 'irc', 'hi', 2, 0, 1`,
    );
    await expect(sql`delete from ledger_peers`.execute(db)).rejects.toThrow();
  });

  it('LED-3 refuses to change or remove an assessment, whoever asks', async () => {
    const { db, insert } = await setUp();
    await insert('ledger_assessments', assessmentColumns, `'a', 's', 'irc:bob', 1, 0, 'why', 'agent', 1`);
    await expect(sql`update ledger_assessments set trust = 10`.execute(db)).rejects.toThrow(/append-only/);
    await expect(sql`delete from ledger_assessments`.execute(db)).rejects.toThrow(/append-only/);
    const { rows } = await sql`select trust from ledger_assessments`.execute(db);
    expect(rows).toEqual([{ trust: 0 }]);
  });

  it('LED-22 migrates again without doing anything', async () => {
    const { db } = await setUp();
    await migrateLedger(db);
    expect(await createKyselyLedgerStore(db, { agentId: 'a' }).getPeer('irc:bob')).not.toBeNull();
  });

  it('LED-22 loses nothing when two connections write side by side', async ({ skip }) => {
    const database = await open();
    opened.push(database);
    if (!database.connect) return skip('there is only one connection');
    await migrateLedger(database.db);
    const stores = [database.db, database.connect()].map((db) => createKyselyLedgerStore(db));
    const ledgers = stores.map((store) => createLedger({ store, clock: () => 1000 }));
    const message = { peerId: 'bob', channel: 'irc', content: 'hi', correlationId: 'job' };
    await ledgers[0]?.recordIncoming(message);
    await Promise.all(
      ledgers.map(async (ledger) => {
        for (let n = 0; n < 15; n++) {
          await ledger.recordIncoming({ ...message, externalId: `e${n}` });
          await ledger.recordOutcome('job', n % 2 ? 'paid' : 'timeout');
          await ledger.recordAssessment('irc:bob', 1, 'still there');
        }
      }),
    );
    const peer = await ledgers[0]?.getPeer('irc:bob');
    expect(peer).toMatchObject({ interactionCount: 16, assessmentCount: 30, openCount: 0 });
    expect([peer?.successCount, peer?.failureCount].sort()).toEqual([0, 1]);
  });

  it('LED-20 LED-21 LED-26 LED-27 looks back as it does in memory', async () => {
    const { db } = await setUp();
    const told = [];
    for (const store of [createMemoryLedgerStore(), createKyselyLedgerStore(db)]) {
      let now = 0;
      let ids = 0;
      const clock = () => now;
      const ledger = createLedger({ store, clock, ids: () => `${ids++}`.padStart(6, '0') });
      for (let n = 0; n < 60; n++) {
        now += 5_000_000;
        const message = { peerId: `p${n % 4}`, channel: 'irc', correlationId: `w${n}` };
        const evidence = { id: `e${n}`, created_at: Math.floor(now / 1000) };
        await ledger.recordOutgoing({ ...message, content: 'Please' });
        now += n * 10;
        await ledger.recordIncoming({
          ...message,
          content: 'x'.repeat(n * n),
          evidence,
          alias: `Peer ${n % 4}`,
        });
        await ledger.recordOutcome(`w${n}`, n % 3 === 0 ? 'rejected' : 'verified');
        if (n % 2)
          await ledger.recordAssessment(`irc:${message.peerId}`, n < 50 ? 4 : -4, `Delivered ${n}.`, {
            assessor: `m${n % 3}`,
          });
      }
      const exported = [];
      for await (const record of ledger.exportAssessments({ source: 'a', since: 100_000_000 }))
        exported.push(record);
      const ask = async () => [
        await ledger.getSummary(),
        await ledger.auditAssessments(),
        await ledger.assessorReport(),
        await ledger.getPeerAggregates('irc:p1'),
        await ledger.getTrajectory('irc:p1'),
        await ledger.exportEvidence('irc:p2'),
        await ledger.peerContext('irc:p3'),
        await ledger.tools()[0]?.execute({ peer_id: 'irc:p1' }),
      ];
      const before = await ask();
      told.push([exported, before, await ledger.prune({ before: 150_000_000 }), await ask()]);
      expect(exported.length).toBeGreaterThan(10);
      expect(before[0]).toMatchObject({ peers: 4, interactions: 120, overAssessed: { length: 2 } });
    }
    expect(told[1]).toEqual(told[0]);
  });

  it('LED-9 answers through the ledger as it does in memory', async () => {
    const { db } = await setUp();
    const ledger = createLedger({ store: createKyselyLedgerStore(db), clock: () => 86_400_000 });
    const message = { peerId: 'bob', channel: 'irc', content: 'a\0b\ud800c', correlationId: 'job' };
    await ledger.recordIncoming({ ...message, at: 0, backfill: true, alias: 'Bob' });
    await ledger.recordOutgoing(message);
    await ledger.recordOutcome('job', 'verified', { metrics: { score: 0.9 } });
    await ledger.recordAssessment('irc:bob', 3, 'Delivered on time.');
    expect(await ledger.peerContext('irc:bob')).toMatchInlineSnapshot(`
      "## Peer Context
      Info 0-10 = how well known; Trust ±10 = behavior.
      Low info: weigh the rationale.
      Peer: "Bob" | ID: irc:bob | irc
      Interactions: 2 | First seen 1970-01-01 (1 day ago) | Last seen 1970-01-02 (today)
      Info 1/10 | Trust +3 (today) — "Delivered on time."
      Success rate: 100%
      Policy: caution"
    `);
    const [newest] = (await ledger.getInteractions('irc:bob')).items;
    expect(newest).toMatchObject({
      content: 'a\ufffdb\ufffdc',
      outcome: 'verified',
      metrics: { score: 0.9 },
      createdAt: 86_400_000,
    });
    expect(await ledger.getSummary()).toMatchObject({ peers: 1, interactions: 2, assessments: 1 });
  });
});
