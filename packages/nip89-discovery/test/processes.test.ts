import { runChild } from '@bonafide/internal/testing';
import { testDatabases } from '@bonafide/storage/testing';
import type { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { termsOf } from '../src/registry/store.ts';
import { createKyselyDiscoveryStore, type DiscoveryTables, migrateDiscovery } from '../src/stores/kysely.ts';
import { relayAt } from './set-up.ts';
import { cardOf, manualClock, start } from './support.ts';

const cards = 60;

/** Runs a process of the agent; `null` if it was killed. */
async function run(
  url: string,
  relay: string,
  killAt = 0,
): Promise<{ readonly taken: number; readonly status: string; readonly steps: number } | null> {
  const script = new URL('support/discover-process.ts', import.meta.url);
  const child = runChild(script, [url, relay, String(start), String(killAt)]);
  onTestFinished(child.stop);
  const ended = await child.ended;
  if (ended === 'SIGKILL') return null;
  expect(ended).toBe(0);
  return JSON.parse(child.output());
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('processes of one agent on $name', ({ open }) => {
  async function world() {
    const database = await open();
    onTestFinished(database.close);
    const relay = await relayAt(manualClock());
    for (let n = 1; n <= cards; n += 1) relay.publish(await cardOf(n));
    const { connect } = database;
    return { relay, connect, url: database.url ?? '', db: database.db as Kysely<DiscoveryTables> };
  }

  /** Expects every card once, with one row of history, and an index that has the terms of all entries and no others. */
  async function expectWhole(db: Kysely<DiscoveryTables>) {
    const store = createKyselyDiscoveryStore(db);
    const { items } = await store.list({ limit: 200 });
    expect(items).toHaveLength(cards);
    for (const { pubkey, canonicalD, revision } of items) {
      expect(revision).toBe(1);
      const history = await store.history(pubkey, canonicalD, { limit: 10 });
      expect(history.items.map(({ what }) => what)).toEqual(['discovered']);
    }
    const rows = await db.selectFrom('discovery_terms').select(['term', 'pubkey']).execute();
    const wanted = items.flatMap((entry) => termsOf(entry).map((term) => `${entry.pubkey} ${term}`));
    expect(rows.map(({ term, pubkey }) => `${pubkey} ${term}`).sort()).toEqual(wanted.sort());
  }

  it('migrate, and take each card once, side by side (X-20, DIS-11, DIS-15)', async () => {
    const { db, url, relay } = await world();
    const results = await Promise.all([run(url, relay.url), run(url, relay.url), run(url, relay.url)]);
    expect(results.map((one) => one?.status)).toEqual(['complete', 'complete', 'complete']);
    expect(results.reduce((sum, one) => sum + (one?.taken ?? 0), 0)).toBe(cards);
    await expectWhole(db);
  });

  it('leave whole entries when they are killed around a write (X-20, DIS-15)', async () => {
    const { db, url, relay } = await world();
    expect(await run(url, relay.url, 1)).toBeNull();
    expect(await run(url, relay.url, 2)).toBeNull();
    expect(await run(url, relay.url)).toMatchObject({ taken: 0, status: 'complete' });
    await expectWhole(db);
  });

  it('build the search index of an older version again once, side by side (X-20, DIS-18)', async () => {
    const { db, url, relay, connect } = await world();
    await run(url, relay.url);
    const terms = () =>
      db.selectFrom('discovery_terms').selectAll().orderBy('pubkey').orderBy('term').execute();
    const before = await terms();
    await db.updateTable('discovery_state').set({ value: '0' }).where('agent_id', '=', '').execute();
    const others = [connect?.() ?? db, connect?.() ?? db];
    await Promise.all([run(url, relay.url), ...[db, ...others].map((each) => migrateDiscovery(each))]);
    expect(await terms()).toEqual(before);
    const entries = await createKyselyDiscoveryStore(db).list({ limit: 200 });
    // One process changed every entry once, so that a write which is based on the old terms fails.
    expect(new Set(entries.items.map(({ revision }) => revision))).toEqual(new Set([2]));
  });
});
