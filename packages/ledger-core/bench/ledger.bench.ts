/*
 * What the ledger costs over the driver's own prepared statements that write and read the same rows: one connection
 * each to a file of its own with the same settings, 10,000 interactions with 200 peers, interleaved so that a busy
 * machine slows both alike. The ratios are what counts. Prints a markdown table.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '@bonafide/storage';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const interactions = 10_000;
const peers = 200;
const lookups = 20_000;
const start = Date.UTC(2026, 0, 1);
const hex = (n: number) => (n % peers).toString(16).padStart(64, '0');
const text = (n: number) => `Message ${n}: ${'could you summarise this for me? '.repeat(6)}`;

const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));

const db = openSqlite({ path: join(folder, 'ledger.db') });
await migrateLedger(db);
let now = start;
const ledger = createLedger({ store: createKyselyLedgerStore(db), clock: () => now });

const rawPath = join(folder, 'raw.db');
const schema = openSqlite({ path: rawPath });
await migrateLedger(schema);
await schema.destroy();
const raw = new DatabaseSync(rawPath);
for (const setting of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on']) {
  raw.exec(`pragma ${setting}`);
}
const begin = raw.prepare('begin immediate');
const commit = raw.prepare('commit');
const touch = raw.prepare(
  `insert into ledger_peers
     (agent_id, peer_id, native_id, channel, alias, first_seen_at, last_seen_at, interaction_count)
   values ('default', ?, ?, 'nostr', null, ?, ?, 1)
   on conflict (agent_id, peer_id) do update
     set last_seen_at = excluded.last_seen_at, interaction_count = interaction_count + 1`,
);
const append = raw.prepare(
  `insert into ledger_interactions (agent_id, interaction_id, peer_id, direction, channel, content,
     content_length, redacted, correlation_id, external_id, evidence, metrics, created_at)
   values ('default', ?, ?, 'in', 'nostr', ?, ?, 0, null, null, null, null, ?)`,
);
const assess = raw.prepare(
  `insert into ledger_assessments
     (agent_id, assessment_id, peer_id, info_score, trust, rationale, source, assessor, created_at)
   values ('default', ?, ?, 1, 1, 'fine', 'agent', null, ?)`,
);
const findPeer = raw.prepare(`select * from ledger_peers where agent_id = 'default' and peer_id = ?`);
const findLatest = raw.prepare(
  `select * from ledger_assessments where agent_id = 'default' and peer_id = ?
   order by created_at desc, assessment_id desc limit 1`,
);
const findNewest = raw.prepare(
  `select * from ledger_interactions where agent_id = 'default' and peer_id = ?
   order by created_at desc, interaction_id desc limit 20`,
);

function recordRaw(n: number): void {
  begin.run();
  touch.run(hex(n), hex(n), now, now);
  append.run(`${n}`.padStart(36, '0'), hex(n), text(n), text(n).length, now);
  commit.run();
}

const recordWithLedger = (n: number) =>
  ledger.recordIncoming({ peerId: hex(n), channel: 'nostr', content: text(n) });

interface Row {
  readonly what: string;
  readonly ledger: number[];
  readonly raw: number[];
}

/** Runs both by turns and keeps the microseconds of each call. */
async function measure(
  what: string,
  count: number,
  withLedger: (n: number) => Promise<unknown>,
  withRaw: (n: number) => unknown,
): Promise<Row> {
  const row: Row = { what, ledger: [], raw: [] };
  for (let n = 0; n < count; n++) {
    now += 1000;
    const before = performance.now();
    await withLedger(n);
    const between = performance.now();
    withRaw(n);
    row.raw.push((performance.now() - between) * 1000);
    row.ledger.push((between - before) * 1000);
  }
  return row;
}

const rows = [await measure('record a message', interactions, recordWithLedger, recordRaw)];
for (let n = 0; n < peers; n++) {
  await ledger.recordAssessment(hex(n), 1, 'fine');
  assess.run(`${n}`, hex(n), now);
}
rows.push(
  await measure(
    'peer and latest assessment',
    lookups,
    (n) => ledger.getPeer(hex(n * 7)),
    (n) => [findPeer.get(hex(n * 7)), findLatest.get(hex(n * 7))],
  ),
  await measure(
    'latest assessment',
    lookups,
    (n) => ledger.getLatestAssessment(hex(n * 7)),
    (n) => findLatest.get(hex(n * 7)),
  ),
  await measure(
    'newest 20 messages',
    lookups / 10,
    (n) => ledger.getInteractions(hex(n * 7), { limit: 20 }),
    (n) => findNewest.all(hex(n * 7)),
  ),
  await measure(
    'prompt block (beside the two look-ups)',
    lookups / 10,
    (n) => ledger.peerContext(hex(n * 7)),
    (n) => [findPeer.get(hex(n * 7)), findLatest.get(hex(n * 7))],
  ),
);

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
console.log(`${interactions} interactions, ${peers} peers, node:sqlite, WAL, synchronous=FULL\n`);
console.log('| | ledger p50 µs | p99 µs | prepared statements p50 µs | p99 µs | ratio p50 |');
console.log('|---|---:|---:|---:|---:|---:|');
for (const row of rows) {
  const ours = row.ledger.toSorted((a, b) => a - b);
  const theirs = row.raw.toSorted((a, b) => a - b);
  const figures = [at(ours, 0.5), at(ours, 0.99), at(theirs, 0.5), at(theirs, 0.99)].map((us) =>
    us.toFixed(0),
  );
  console.log(`| ${row.what} | ${figures.join(' | ')} | ${(at(ours, 0.5) / at(theirs, 0.5)).toFixed(2)} |`);
}

await ledger.close();
await db.destroy();
raw.close();
rmSync(folder, { recursive: true });
