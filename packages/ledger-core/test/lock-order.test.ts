import { randomUUID } from 'node:crypto';
import type { Logger } from '@bonafide/internal';
import { openPostgres } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InteractionWrite } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const gate = 4711;

/** Opens a migrated database, stores on connections of their own, and the list of their repeated transactions. */
async function open(stores: number) {
  const database = await testDatabases()
    .find(({ name }) => name === 'Postgres')
    ?.open();
  if (database === undefined || database.url === null) throw new Error('No Postgres');
  const { db } = database;
  const [url, name] = [new URL(database.url), `test-${randomUUID()}`];
  url.searchParams.set('application_name', name);
  const repeats: object[] = [];
  const ignore = () => {};
  const logger: Logger = {
    ...{ debug: ignore, info: ignore, error: ignore },
    warn: (details) => void repeats.push(details),
  };
  const connections = Array.from({ length: stores }, () =>
    openPostgres<unknown>({ url: url.href, maxConnections: 5, logger }),
  );
  onTestFinished(async () => {
    for (const connection of connections) await connection.destroy();
    await database.close();
  });
  await migrateLedger(db);
  /** Waits until so many of the stores' connections wait for a lock of this type. */
  const waitForWaiting = async (type: 'advisory' | 'transactionid' | 'tuple', many: number) => {
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_locks join pg_stat_activity using (pid)
        where not granted and application_name = ${name} and locktype = ${type}`.execute(db);
      return Number(rows[0]?.n);
    };
    await expect.poll(waiting).toBe(many);
  };
  const created = connections.map((connection) => createKyselyLedgerStore(connection));
  return { db, stores: created, repeats, waitForWaiting };
}

const message = (name: string, n: number): InteractionWrite => ({
  peer: { peerId: `irc:${name}`, nativeId: name, handle: `irc:${name}`, channel: 'irc', alias: null },
  interaction: {
    ...{
      interactionId: `${name}-${n}`,
      direction: 'in',
      content: 'Hello',
      contentLength: 5,
      redacted: false,
    },
    ...{ correlationId: `work-${n}`, externalId: null, evidence: null, metrics: null },
    ...{ createdAt: 1000 + n, receivedAt: 1000 + n },
  },
  outcome: null,
});

describe.runIf(testDatabases().some(({ name }) => name === 'Postgres'))('locks in Postgres (X-20)', () => {
  it('a first message does not deadlock with one that another connection has recorded meanwhile', async () => {
    const { db, stores, repeats, waitForWaiting } = await open(3);
    // Stops a write of a peer after it has looked for the peer, and before it adds to the two unique indexes: indexes
    // are filled in the order of their creation.
    await sql`create function at_gate(name text) returns text language plpgsql immutable as $$ begin
      perform pg_advisory_lock_shared(${sql.lit(gate)}, hashtext(name));
      perform pg_advisory_unlock_shared(${sql.lit(gate)}, hashtext(name));
      return name; end $$`.execute(db);
    await sql`alter table ledger_peers drop constraint ledger_peers_pkey cascade`.execute(db);
    await sql`drop index ledger_peers_handle`.execute(db);
    await sql`create index ledger_peers_gate on ledger_peers (at_gate(alias))`.execute(db);
    await sql`alter table ledger_peers add constraint ledger_peers_pkey primary key (agent_id, peer_id)`.execute(
      db,
    );
    await sql`create unique index ledger_peers_handle on ledger_peers (agent_id, handle)`.execute(db);
    const record = (n: number, alias: string) => {
      const { peer, interaction } = message('ann', n);
      return stores[n]?.recordInteraction({ peer: { ...peer, alias }, interaction, outcome: null });
    };

    const written = await db.connection().execute(async (operator) => {
      for (const name of ['early', 'late'])
        await sql`select pg_advisory_lock(${gate}::int, hashtext(${name}))`.execute(operator);
      const openFor = (name: string) =>
        sql`select pg_advisory_unlock(${gate}::int, hashtext(${name}))`.execute(operator);
      const early = record(0, 'early');
      await waitForWaiting('advisory', 1);
      await record(1, 'first');
      const late = record(2, 'late');
      await waitForWaiting('advisory', 2);
      await openFor('early');
      await waitForWaiting('transactionid', 1);
      await openFor('late');
      return await Promise.all([early, late]);
    });
    const ids = ['ann-0', 'ann-2'];
    expect(written).toEqual(ids.map((interactionId) => ({ interactionId, recorded: true })));
    expect(repeats).toEqual([]);
    expect((await stores[0]?.getPeer('irc:ann'))?.peer).toMatchObject({ interactionCount: 3, alias: 'late' });
  });

  it('first messages of one peer in many connections lose nothing', async () => {
    const { stores } = await open(4);
    const written = await Promise.all(
      Array.from({ length: 60 }, (_, n) => stores[n % 4]?.recordInteraction(message(`peer-${n % 3}`, n))),
    );
    expect(written.filter((each) => each?.recorded)).toHaveLength(60);
    const peers = await stores[0]?.listPeers({ orderBy: 'lastSeenAt', limit: 10 });
    expect(peers?.map(({ peer }) => [peer.peerId, peer.interactionCount, peer.firstSeenAt])).toEqual([
      ['irc:peer-2', 20, 1002],
      ['irc:peer-1', 20, 1001],
      ['irc:peer-0', 20, 1000],
    ]);
  });

  it('pruning waits for a write of the peer before it locks messages', async () => {
    const { db, stores, repeats, waitForWaiting } = await open(1);
    const [store] = stores;
    await store?.recordInteraction(message('ann', 1));
    await store?.recordInteraction(message('ann', 2));
    // biome-ignore lint/suspicious/noExplicitAny: the test database has no types.
    const change = (on: Kysely<any>, n: number) =>
      sql`update ledger_interactions set metrics = '{}' where interaction_id = ${`ann-${n}`}`.execute(on);
    const pruned = await db.transaction().execute(async (transaction) => {
      // As an erasure does: the peer, then its messages, in an order of its own.
      await sql`update ledger_peers set alias = 'Ann'`.execute(transaction);
      await change(transaction, 2);
      const pruning = store?.prune(5000);
      await waitForWaiting('transactionid', 1);
      await change(transaction, 1);
      return { pruning };
    });
    expect([await pruned.pruning, repeats]).toEqual([2, []]);
  });

  // Postgres rarely lets the later of two that wait go first, and then the interaction is voided before it is erased.
  it('an interaction is unknown once its peer was erased, also when both are asked for at the same moment', {
    retry: 3,
  }, async () => {
    const { db, stores, waitForWaiting } = await open(2);
    const [one, other] = stores;
    await one?.recordInteraction(message('ann', 1));
    const asked = await db.transaction().execute(async (transaction) => {
      await sql`update ledger_peers set alias = 'Ann'`.execute(transaction);
      const tombstone = { peerId: 'erased:1', handle: 'p-erased1' };
      const erased = one?.forgetPeer({ peerId: 'irc:ann', tombstone, until: null });
      await waitForWaiting('transactionid', 1);
      const voided = other?.voidInteraction({ interactionId: 'ann-1', reason: 'A mistake.', at: 5000 });
      await waitForWaiting('tuple', 1);
      return { erased, voided };
    });
    expect([await asked.erased, await asked.voided]).toEqual([1, { kind: 'unknown' }]);
    expect((await one?.getPeer('erased:1'))?.peer.interactionCount).toBe(1);
  });
});
