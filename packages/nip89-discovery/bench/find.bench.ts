/*
 * How long `find` takes in a registry of very many cards in SQLite (DIS-16): the twenty best platforms for a capability, with
 * the reason why each matches. The baseline is the driver's own prepared statement that reads twenty entries by their key, and
 * JSON.parse. A tenth of a million cards; a million with BONAFIDE_PROOF=full. Prints a markdown table.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createKeySigner } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { termsOfCard } from '../src/card/match.ts';
import {
  buildCapabilityCard,
  createDiscovery,
  createMemoryDiscoveryStore,
  type FindQuery,
  matchCapability,
  parseCapabilityCard,
  type RegistryEntry,
} from '../src/index.ts';
import { rankOf } from '../src/registry/rank.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../src/stores/kysely.ts';
import { labelled, labelledEvents, measureFind } from '../test/labelled-cards.ts';

const minConfidence = 0.55;
const cards = process.env.BONAFIDE_PROOF === 'full' ? 1_000_000 : 100_000;
const rounds = 200;
const limit = 20;
const start = Date.UTC(2026, 0, 1);
const clock = () => start;
const pubkeyOf = (n: number) => ((n * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0').repeat(8);

/** A card as the registry would keep it. */
async function sampleEntry(): Promise<RegistryEntry> {
  const signer = createKeySigner('07'.repeat(32));
  const template = buildCapabilityCard({
    d: 'main',
    name: 'A platform',
    about: 'What it does, in a few sentences. '.repeat(8),
    kinds: [5_000],
    capabilities: ['label-0'],
    relays: ['wss://relay.example.com', 'wss://other.example.com'],
    pricing: { model: 'per-request', amountMsat: 1_000 },
    performance: { typicalLatencyMs: 800 },
    createdAt: start,
  });
  const event = await signer.signEvent(template);
  await using discovery = createDiscovery({
    transport: {
      subscribe: () => ({ close() {} }),
      query: async (_relays, [filter]) => (filter?.kinds?.includes(31_990) ? [event] : []),
      publish: async () => [],
    },
    store: createMemoryDiscoveryStore(),
    relays: ['wss://relay.example.com'],
    clock,
  });
  await discovery.sync();
  const [entry] = (await discovery.entries()).items;
  if (entry === undefined) throw new Error('The card was not taken');
  return entry;
}

/** How well `find` finds: the labelled set of fixtures/discovery. */
const parsed = (await labelledEvents()).flatMap((event) => {
  const read = parseCapabilityCard(event);
  return read.ok ? [read.card] : [];
});
const quality = await measureFind(async (query) =>
  parsed.filter((card) => matchCapability(card, query).confidence >= minConfidence).map(({ d }) => d),
);
console.log(
  `${labelled.cards.length} labelled cards, ${labelled.queries.length} queries: precision ${quality.precision.toFixed(3)}, recall ${quality.recall.toFixed(3)} (before the vocabulary: .49 and .12 on another set)\n`,
);

const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
const path = join(folder, 'registry.db');
const db = openSqlite({ path });
await migrateDiscovery(db);

const raw = new DatabaseSync(path);
raw.exec('pragma synchronous = off; pragma foreign_keys = off; begin');
const putPlatform = raw.prepare(
  `insert into discovery_platforms values ('default', ?, 'main', ?, ?, ?, ?, 1, ?)`,
);
const putTerm = raw.prepare(`insert or ignore into discovery_terms values ('default', ?, ?, ?, ?, 'main')`);
const sample = await sampleEntry();
const statuses = ['discovered', 'discovered', 'discovered', 'candidate', 'quarantined'] as const;
for (let n = 0; n < cards; n += 1) {
  const pubkey = pubkeyOf(n);
  const status = n % 20 === 0 ? 'partner' : (statuses[n % statuses.length] ?? 'discovered');
  const trustScore = n % 20 === 0 ? (n % 90) / 100 : null;
  const labels = [
    `label-${n % 100}`,
    ...(n % 2 === 0 ? ['benchmark-task'] : []),
    ...(n % 5_000 === 1 ? ['rare'] : []),
  ];
  const kinds = [5_000 + (n % 10)];
  const card = { ...sample.card, pubkey, labels, kinds };
  const entry = { ...sample, pubkey, status, trustScore, supportedKinds: kinds, card };
  putPlatform.run(pubkey, status, trustScore, start, start, JSON.stringify(entry));
  for (const term of termsOfCard(card)) putTerm.run(term, status, rankOf(entry), pubkey);
  if (n % 50_000 === 49_999) raw.exec('commit; begin');
}
raw.exec('commit');

const store = createKyselyDiscoveryStore(db);
await using discovery = createDiscovery({
  transport: { subscribe: () => ({ close() {} }), query: async () => [], publish: async () => [] },
  store,
  relays: [],
  clock,
});

const byKey = raw.prepare(
  `select entry from discovery_platforms where agent_id = 'default' and pubkey = ? and canonical_d = 'main'`,
);
let at = 0;
function baseline(): number {
  let found = 0;
  for (let n = 0; n < limit; n += 1) {
    at = (at + 7_919) % cards;
    const row = byKey.get(pubkeyOf(at)) as { readonly entry: string } | undefined;
    if (row !== undefined && JSON.parse(row.entry).card !== null) found += 1;
  }
  return found;
}

async function measure(work: () => unknown): Promise<{ readonly p50: number; readonly p95: number }> {
  for (let n = 0; n < 20; n += 1) await work();
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  return { p50: times[rounds * 0.5] ?? 0, p95: times[rounds * 0.95] ?? 0 };
}

const questions: readonly (readonly [string, FindQuery])[] = [
  ['a capability of every second card, with synonyms', { capability: 'benchmark-task' }],
  ['a capability of every hundredth card', { capability: 'label-7' }],
  ['a capability of every five thousandth card', { capability: 'rare' }],
  ['a capability that nobody has', { capability: 'nobody-has-this' }],
  ['a kind of every tenth card', { kind: 5_003 }],
];
const base = await measure(baseline);
const megabytes = Math.round(statSync(path).size / 1_048_576).toLocaleString('en-US');
console.log(
  `${cards.toLocaleString('en-US')} cards in SQLite (${megabytes} MB), the best ${limit}, ${rounds} times; ms\n`,
);
console.log('| find | found | p50 | p95 | p50 to the baseline |\n|---|---:|---:|---:|---:|');
console.log(
  `| baseline: ${limit} entries by key, prepared | ${baseline()} | ${base.p50.toFixed(2)} | ${base.p95.toFixed(2)} | 1.0 |`,
);
for (const [title, query] of questions) {
  const { p50, p95 } = await measure(() => discovery.find({ ...query, limit }).toArray());
  const found = (await discovery.find({ ...query, limit }).toArray()).length;
  console.log(
    `| ${title} | ${found} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${(p50 / base.p50).toFixed(1)} |`,
  );
}
raw.close();
await db.destroy();
rmSync(folder, { recursive: true, force: true });
