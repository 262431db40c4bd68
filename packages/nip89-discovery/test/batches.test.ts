import type { NostrEvent, SubscribeHandlers } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createDiscovery,
  createMemoryDiscoveryStore,
  type DiscoveryOptions,
  type DiscoveryStore,
  type RegistryEntry,
} from '../src/index.ts';
import { maxBatch } from '../src/registry/store.ts';
import { createKyselyDiscoveryStore, type DiscoveryTables, migrateDiscovery } from '../src/stores/kysely.ts';
import { start, unsigned } from './support.ts';

const relay = (n: number) => `wss://relay${n}.example.com`;
const hex = (n: number) => n.toString(16).padStart(64, '0');

/** A registry that is handed events by the test, as verified by its transport. */
function handed(store: DiscoveryStore, options: Partial<DiscoveryOptions> = {}) {
  const handlers: SubscribeHandlers[] = [];
  const discovery = createDiscovery({
    transport: {
      subscribe(_relays, _filters, given) {
        handlers.push(given);
        return { close() {} };
      },
      query: async () => [],
      publish: async () => [],
    },
    store,
    relays: [relay(1), relay(2)],
    clock: () => start,
    ...options,
  });
  onTestFinished(() => discovery.close());
  const told: string[] = [];
  discovery.on('discovered', ({ entry }) => told.push(`discovered ${entry.event.id}`));
  discovery.on('updated', ({ entry, before }) => told.push(`updated ${before.event.id} ${entry.event.id}`));
  discovery.on('rejected', ({ reason, eventId }) => told.push(`rejected ${reason} ${eventId}`));
  return {
    discovery,
    told,
    give: (event: NostrEvent, from = relay(1)) => handlers[0]?.onEvent(event, from),
    /** Until everything that was given has been taken in. */
    settled: () => discovery.stop(),
  };
}

async function sqlite() {
  const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
  onTestFinished(() => db.destroy());
  await migrateDiscovery(db);
  return { db, store: createKyselyDiscoveryStore(db) };
}

const cardFrom = (key: number, d: string, age: number, version: number, content = '') => ({
  ...unsigned(
    {
      created_at: start / 1_000 - age,
      content,
      tags: [
        ['d', d],
        ['k', '5000'],
        ['k', `v-${version}`],
      ],
    },
    hex(key),
  ),
  id: hex(key * 10_000 + age * 10 + version),
});

const arrivals = fc.uniqueArray(
  fc.record({
    key: fc.integer({ min: 1, max: 3 }),
    d: fc.constantFrom('main', 'Main ', 'other'),
    age: fc.integer({ min: 0, max: 3 }),
    version: fc.integer({ min: 0, max: 1 }),
    relay: fc.integer({ min: 1, max: 3 }),
    content: fc.constantFrom('', '{"name":"A"}', '{ broken'),
  }),
  { maxLength: 40, selector: ({ key, age, version, relay }) => [key, age, version, relay].join() },
);

describe('a batch', () => {
  it('DIS-15 DIS-16 comes to the same as one card after another, in memory and in a database', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async (given) => {
        const { store } = await sqlite();
        const outcomes = await Promise.all(
          [createMemoryDiscoveryStore(), createMemoryDiscoveryStore(), store].map(async (each, index) => {
            const { discovery, told, give, settled } = handed(each, { config: { maxCardsPerKey: 2 } });
            await discovery.start();
            for (const { key, d, age, version, relay: n, content } of given) {
              give(cardFrom(key, d, age, version, content), relay(n));
              // The first registry takes in one card at a time.
              if (index === 0) await settled().then(() => discovery.start());
            }
            await settled();
            const { items } = await discovery.entries({ limit: 200 });
            const rows = await Promise.all(
              items.map(async ({ pubkey, d }) => (await discovery.history(pubkey, d)).items),
            );
            // How many writes it took is what differs.
            const entries = items.map(({ revision: _, ...entry }: RegistryEntry) => entry);
            return { entries, rows, told, stats: discovery.relayStats() };
          }),
        );
        expect(outcomes[1]).toEqual(outcomes[0]);
        expect(outcomes[2]).toEqual(outcomes[0]);
      }),
      { numRuns: 60 },
    );
  });

  it('DIS-16 is one transaction for many cards', async () => {
    const { store } = await sqlite();
    const put = vi.fn(store.put);
    const { discovery, give, settled } = handed({ ...store, put });
    await discovery.start();
    const count = 2 * maxBatch + 88;
    for (let n = 1; n <= count; n += 1) give(cardFrom(n, 'main', 0, 0));
    await settled();
    expect(put.mock.calls.map(([changes]) => changes.length)).toEqual([maxBatch, maxBatch, 88]);
    expect(discovery.relayStats()[0]).toMatchObject({ received: count, taken: count });
    expect((await discovery.entries({ limit: 200 })).items).toHaveLength(200);
  });

  it('DIS-15 DIS-16 does not hold up other events of the process while a large batch is stored', async () => {
    const { store } = await sqlite();
    let turns = 0;
    let duringPut = 0;
    const { discovery, give, settled } = handed({
      ...store,
      async put(changes) {
        const before = turns;
        const written = await store.put(changes);
        duringPut += turns - before;
        return written;
      },
    });
    await discovery.start();
    for (let n = 1; n <= maxBatch; n += 1) give(cardFrom(n, 'main', 0, 0));
    const ticking = setInterval(() => {
      turns += 1;
    }, 0);
    await settled();
    clearInterval(ticking);
    expect(duringPut).toBeGreaterThan(0);
  });

  it('DIS-15 DIS-16 of which one card cannot be stored stores the others, counts that one, and logs it', async () => {
    const inner = createMemoryDiscoveryStore();
    const bad = hex(7);
    const store: DiscoveryStore = {
      ...inner,
      put: (changes) =>
        changes.some(({ entry }) => entry.pubkey === bad)
          ? Promise.reject(new Error('constraint failed'))
          : inner.put(changes),
    };
    const logged: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: unknown) => logged.push(facts) };
    const { discovery, told, give, settled } = handed(store, { logger });
    await discovery.start();
    for (let n = 1; n <= 20; n += 1) give(cardFrom(n, 'main', 0, 0));
    await settled();
    expect(told).toHaveLength(20);
    const badId = cardFrom(7, 'main', 0, 0).id;
    expect(told.filter((line) => line.includes(badId))).toEqual([expect.stringContaining('not-stored')]);
    expect(logged).toEqual([expect.objectContaining({ eventId: badId })]);
    expect(discovery.relayStats()[0]).toMatchObject({ received: 20, taken: 19 });
  });

  it('DIS-11 DIS-16 that another process gets ahead of is taken in on top of what that wrote', async () => {
    const inner = createMemoryDiscoveryStore();
    let isFirst = true;
    const store: DiscoveryStore = {
      ...inner,
      async put(changes) {
        const [mine] = changes;
        if (isFirst && mine !== undefined) {
          isFirst = false;
          const sightings = [{ relay: relay(3), firstSeenAt: start, lastSeenAt: start }];
          await inner.put([{ entry: { ...mine.entry, sightings }, audit: [] }]);
        }
        return inner.put(changes);
      },
    };
    const { discovery, give, settled } = handed(store);
    await discovery.start();
    for (let n = 1; n <= 3; n += 1) give(cardFrom(n, 'main', 0, 0));
    await settled();
    const entry = await discovery.get(hex(1), 'main');
    expect(entry?.sightings.map((sighting) => sighting.relay)).toEqual([relay(3), relay(1)]);
    expect((await discovery.entries()).items).toHaveLength(3);
  });

  it('DIS-16 looks platforms up, and forgets them, by seeks and never by scans', async () => {
    const { db } = await sqlite();
    const planOf = async (query: ReturnType<typeof sql>) => {
      const { rows } = await sql<{ readonly detail: string }>`EXPLAIN QUERY PLAN ${query}`.execute(db);
      return rows.map(({ detail }) => detail).filter((detail) => / discovery_/u.test(detail));
    };
    expect(
      await planOf(sql`SELECT entry FROM discovery_platforms
        WHERE agent_id = 'default' AND (pubkey, canonical_d) IN (VALUES ('a', 'b'), ('c', 'd'))`),
    ).toEqual([expect.stringMatching(/^SEARCH .*\(agent_id=\? AND pubkey=\? AND canonical_d=\?\)/u)]);
    expect(
      await planOf(sql`SELECT pubkey FROM discovery_platforms WHERE agent_id = 'default' AND eviction_class IS NOT NULL
        ORDER BY eviction_class, ordinal DESC, discovered_at DESC LIMIT 5`),
    ).toEqual([
      expect.stringMatching(/^SEARCH .*discovery_platforms_eviction \(agent_id=\? AND eviction_class>\?\)/u),
    ]);
  });
});

describe('a flood', () => {
  it('DIS-3 DIS-15 of 10,000 cards of one key leaves a hundred, and says of each other why', async () => {
    const { discovery, give, settled } = handed(createMemoryDiscoveryStore());
    await discovery.start();
    for (let n = 0; n < 10_000; n += 1) give({ ...cardFrom(1, `d${n}`, 0, 0), id: hex(n + 1) });
    give(cardFrom(2, 'main', 0, 0));
    await settled();
    expect((await discovery.entries({ pubkey: hex(1), limit: 200 })).items).toHaveLength(100);
    expect(await discovery.get(hex(2), 'main')).toBeNull();
    // What does not fit into the room where events wait is dropped, and read again.
    expect(discovery.rejections().counts).toEqual({ 'too-many-cards': 9_900 });
    expect(discovery.relayStats()[0]).toMatchObject({ received: 10_000, dropped: 1 });
    await discovery.start();
    give(cardFrom(2, 'main', 0, 0));
    // Those that are there can still be renewed.
    give({ ...cardFrom(1, 'd0', -5, 0), id: hex(77_777) });
    await settled();
    expect(await discovery.get(hex(2), 'main')).not.toBeNull();
    expect((await discovery.get(hex(1), 'd0'))?.event.id).toBe(hex(77_777));
  });

  it('DIS-15 of 10,000 keys leaves as many as there is room for, and never takes the place of a partner', async () => {
    const { db, store } = await sqlite();
    const { discovery, give, settled } = handed(store, { config: { maxPlatforms: 500 } });
    await discovery.start();
    const friends = [1, 2, 3];
    for (const n of friends) give(cardFrom(n, 'main', 3, 0));
    await settled();
    for (const n of friends) {
      await discovery.transition(hex(n), 'main', 'evaluating');
      if (n === 1) await discovery.transition(hex(n), 'main', 'partner');
      if (n === 2) await discovery.transition(hex(n), 'main', 'rejected');
    }
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await discovery.start();
      for (let n = 1; n <= 2_000; n += 1) give(cardFrom(100 + round * 2_000 + n, 'main', 0, 0));
      await settled();
      const { n } = await db
        .selectFrom('discovery_platforms')
        .select(db.fn.countAll().as('n'))
        .executeTakeFirstOrThrow();
      sizes.push(Number(n));
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(550 + 256);
    const statuses = await Promise.all(
      friends.map(async (n) => (await discovery.get(hex(n), 'main'))?.status),
    );
    expect(statuses).toEqual(['partner', 'rejected', 'evaluating']);
    const orphans = await sql<{
      readonly n: number;
    }>`SELECT count(*) AS n FROM discovery_audit AS line WHERE NOT EXISTS
      (SELECT 1 FROM discovery_platforms AS one WHERE one.pubkey = line.pubkey)`.execute(db);
    expect(Number(orphans.rows[0]?.n)).toBe(0);
  });
});
