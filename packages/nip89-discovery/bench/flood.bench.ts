/*
 * Memory under a flood (DIS-15): an hour of 10,000 events a second, simulated, handed over second by second as quickly as they
 * are dealt with. Of each second's events 9,900 are replays, and the others cannot be known before: cards that are malformed,
 * deleted or older than ours, deletions and recommendations of throwaway keys, and ten new cards, into a registry in
 * SQLite. One minute; the hour, 36 million events, with BONAFIDE_PROOF=full. Prints a markdown table of the heap after a
 * collection, and fails when it grew by more than 16 MB after the first fifth.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { NostrEvent, SubscribeHandlers } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { createDiscovery } from '../src/index.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../src/stores/kysely.ts';

const seconds = process.env.BONAFIDE_PROOF === 'full' ? 3_600 : 60;
const perSecond = 10_000;
const novel = 100;
const start = Date.UTC(2026, 0, 1);
const relay = 'wss://relay.example.com';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let serial = 0;
const hex = (text: string) => createHash('sha256').update(text).digest('hex');
const next = (what: string) => {
  serial += 1;
  return hex(`${what} ${serial}`);
};

function card(over: Partial<NostrEvent> = {}): NostrEvent {
  const pubkey = over.pubkey ?? next('key');
  return {
    id: next('id'),
    pubkey,
    kind: 31_990,
    created_at: start / 1_000,
    tags: [
      ['d', 'main'],
      ['k', '5000'],
      ['k', 'label-1'],
      ['relays', 'wss://relay.example.com'],
    ],
    content: '{"name":"One of very many","about":"It says so."}',
    sig: '0'.repeat(128),
    ...over,
  };
}

const known = Array.from({ length: 50 }, () => card());
const [first = card()] = known;

/** The n-th event of a second that was never there before. */
function fresh(n: number): NostrEvent {
  const old = { pubkey: first.pubkey, created_at: start / 1_000 - 1 };
  switch (n % 10) {
    case 0:
      return card();
    case 1:
      return card({
        kind: 31_989,
        tags: [
          ['d', '5000'],
          ['a', `31990:${first.pubkey}:main`],
        ],
      });
    case 2: {
      const pubkey = next('key');
      return card({
        pubkey,
        kind: 5,
        tags: [
          ['a', `31990:${pubkey}:main`],
          ['k', '31990'],
        ],
      });
    }
    case 3:
    case 4:
    case 5:
      return card({ content: '{ not JSON' });
    case 6:
      return card({ content: 'x'.repeat(100_000) });
    default:
      return card(old);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
const db = openSqlite({ path: join(folder, 'registry.db') });
await migrateDiscovery(db);
let handlers: SubscribeHandlers | undefined;
const discovery = createDiscovery({
  transport: {
    subscribe(_relays, _filters, given) {
      handlers = given;
      return { close() {} };
    },
    query: async () => [],
    publish: async () => [],
  },
  store: createKyselyDiscoveryStore(db),
  relays: [relay],
  clock: () => start,
});
await discovery.start();
/** Taken in, or dropped for want of room. */
const dealtWith = () => {
  const [stats] = discovery.relayStats();
  return (stats?.received ?? 0) + (stats?.dropped ?? 0);
};

console.log(
  `${(seconds * perSecond).toLocaleString('en-US')} events: ${seconds} simulated seconds of ${perSecond.toLocaleString('en-US')}\n`,
);
console.log('| simulated s | events | heap MB | resident MB | cards |\n|---:|---:|---:|---:|---:|');
const heaps: number[] = [];
const began = performance.now();
let given = 0;
for (let second = 1; second <= seconds; second += 1) {
  for (let n = 0; n < perSecond; n += 1) {
    const isNovel = n % (perSecond / novel) === 0;
    const replayed = known[n % known.length] ?? first;
    if (isNovel || second === 1) given += 1;
    handlers?.onEvent(isNovel ? fresh(n / (perSecond / novel)) : replayed, relay);
  }
  // As long as it takes: a real relay has to wait as well.
  while (dealtWith() < given) await new Promise((done) => setImmediate(done));
  if (second % Math.max(1, seconds / 10) !== 0) continue;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  heaps.push(heapUsed);
  const cards = await db
    .selectFrom('discovery_platforms' as never)
    .select(db.fn.countAll().as('n'))
    .executeTakeFirst();
  const row = [
    second,
    second * perSecond,
    Math.round(heapUsed / 2 ** 20),
    Math.round(rss / 2 ** 20),
    Number(cards?.n),
  ];
  console.log(`| ${row.map((value) => value.toLocaleString('en-US')).join(' | ')} |`);
}
console.log(`\n${Math.round((performance.now() - began) / 1_000)} s`);
await discovery.close();
await db.destroy();
rmSync(folder, { recursive: true, force: true });
const settled = heaps[Math.floor(heaps.length / 5)] ?? 0;
if ((heaps.at(-1) ?? 0) - settled > 16 * 2 ** 20) {
  console.error('The heap grew under the flood.');
  process.exitCode = 1;
}
