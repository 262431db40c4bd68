/*
 * What the ledger costs (LED-28): in a file of 100,000 interactions with 1,000 peers, and with BONAFIDE_PROOF=full also
 * in one of 10,000,000 with 100,000 peers. Beside each call runs what it is made of as the driver's own prepared
 * statements, on a connection of its own to the same file, by turns, so that a busy machine slows both alike. The ratios
 * are what counts. Prints a markdown table.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '@bonafide/storage';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const perPeer = 100;
const sizes = process.env.BONAFIDE_PROOF === 'full' ? [100_000, 10_000_000] : [100_000];
const start = Date.UTC(2026, 0, 1);
const yearMs = 365 * 86_400_000;
const cli = join(import.meta.dirname, '../../cli/dist/main.js');

const hex = (n: number) => (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').repeat(8);
const text = (n: number) =>
  `Message ${n}: could you summarise this for me? It is about a page long, thank you.`;
const id = (kind: string, n: number) => `${kind}-${n.toString().padStart(34, '0')}`;

interface Row {
  readonly what: string;
  readonly ours: readonly number[];
  readonly raw: readonly number[] | null;
}

/** A file with so many interactions, written with the bare driver. Secondary indexes are made at the end: faster. */
async function build(path: string, interactions: number): Promise<void> {
  const db = openSqlite({ path });
  await migrateLedger(db);
  await db.destroy();
  const raw = new DatabaseSync(path);
  raw.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma foreign_keys = off');
  const indexes = raw
    .prepare(`select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null`)
    .all('ledger_interactions') as { name: string; sql: string }[];
  for (const { name } of indexes) raw.exec(`drop index ${name}`);
  const peers = interactions / perPeer;
  const step = yearMs / interactions;
  const insert = raw.prepare(
    `insert into ledger_interactions (agent_id, interaction_id, peer_id, direction, channel, content,
       content_length, redacted, correlation_id, external_id, evidence, metrics, created_at)
     values ('default', ?, ?, ?, 'nostr', ?, ?, 0, null, null, null, null, ?)`,
  );
  raw.exec('begin');
  for (let n = 0; n < interactions; n++) {
    const content = text(n);
    insert.run(
      id('i', n),
      hex(n % peers),
      n % 2 ? 'out' : 'in',
      content,
      content.length,
      start + Math.floor(n * step),
    );
    if (n % 1_000_000 === 999_999) raw.exec('commit; begin');
  }
  const peer = raw.prepare(
    `insert into ledger_peers (agent_id, peer_id, native_id, channel, alias, first_seen_at, last_seen_at,
       interaction_count, assessment_count, latest_assessment_id, latest_assessed_at, latest_trust)
     values ('default', ?, ?, 'nostr', ?, ?, ?, ?, 3, ?, ?, ?)`,
  );
  const assessment = raw.prepare(
    `insert into ledger_assessments
       (agent_id, assessment_id, peer_id, info_score, trust, rationale, source, assessor, created_at)
     values ('default', ?, ?, 9, ?, 'Delivered what was asked for, on time, again.', 'agent', null, ?)`,
  );
  for (let n = 0; n < peers; n++) {
    const first = start + Math.floor(n * step);
    const last = start + Math.floor((interactions - peers + n) * step);
    const latest = id('a', n * 3 + 2);
    peer.run(hex(n), hex(n), `Peer ${n}`, first, last, perPeer, latest, last, (n % 21) - 10);
    for (const k of [0, 1, 2]) {
      assessment.run(id('a', n * 3 + k), hex(n), (n % 21) - 10, first + Math.floor(((last - first) * k) / 2));
    }
  }
  raw.exec('commit');
  for (const { sql } of indexes) raw.exec(sql);
  raw.exec('analyze; pragma wal_checkpoint(truncate)');
  raw.close();
}

async function measure(path: string, interactions: number): Promise<readonly Row[]> {
  const peers = interactions / perPeer;
  let now = start + yearMs;
  const db = openSqlite({ path });
  const ledger = createLedger({ store: createKyselyLedgerStore(db), clock: () => now });
  const raw = new DatabaseSync(path);
  for (const setting of ['synchronous = full', 'foreign_keys = on']) raw.exec(`pragma ${setting}`);
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
  const findPeer = raw.prepare(`select * from ledger_peers where agent_id = 'default' and peer_id = ?`);
  const findLatest = raw.prepare(
    `select * from ledger_assessments where agent_id = 'default' and peer_id = ?
     order by created_at desc, assessment_id desc limit 1`,
  );
  const findNewest = raw.prepare(
    `select * from ledger_interactions where agent_id = 'default' and peer_id = ?
     order by created_at desc, interaction_id desc limit 21`,
  );
  // Spread over the whole file, so that the large one is read where no cache has it.
  const some = (n: number) => hex((n * 7919) % peers);

  async function sideBySide(
    what: string,
    count: number,
    withLedger: (n: number) => Promise<unknown>,
    withRaw: ((n: number) => unknown) | null,
  ): Promise<Row> {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let n = 0; n < count; n++) {
      now += 1000;
      // By turns also in who goes first: the second finds the pages of the first in the cache.
      const runRaw = () => {
        const before = performance.now();
        withRaw?.(n);
        theirs.push((performance.now() - before) * 1000);
      };
      if (n % 2) runRaw();
      const before = performance.now();
      await withLedger(n);
      ours.push((performance.now() - before) * 1000);
      if (n % 2 === 0) runRaw();
    }
    return { what, ours, raw: withRaw && theirs };
  }

  const rows = [
    await sideBySide(
      'record a message',
      5_000,
      (n) => ledger.recordIncoming({ peerId: some(n), channel: 'nostr', content: text(n) }),
      (n) => {
        begin.run();
        touch.run(some(n + 1), some(n + 1), now, now);
        append.run(id('raw', n), some(n + 1), text(n), text(n).length, now);
        commit.run();
      },
    ),
    await sideBySide(
      'peer and latest assessment',
      20_000,
      (n) => ledger.getPeer(some(n)),
      (n) => [findPeer.get(some(n)), findLatest.get(some(n))],
    ),
    await sideBySide(
      'latest assessment',
      20_000,
      (n) => ledger.getLatestAssessment(some(n)),
      (n) => findLatest.get(some(n)),
    ),
    await sideBySide(
      'newest 20 messages, with their peer',
      5_000,
      (n) => ledger.getInteractions(some(n), { limit: 20 }),
      (n) => [findPeer.get(some(n)), findNewest.all(some(n))],
    ),
    await sideBySide('prompt block', 5_000, (n) => ledger.peerContext(some(n)), null),
  ];
  await ledger.close();
  await db.destroy();
  raw.close();
  const command = async (...args: string[]) =>
    await sideBySide(
      `\`bonafide ledger ${args[0]}\`, cold`,
      7,
      async () => {
        const ran = spawnSync(process.execPath, [cli, 'ledger', ...args, '--db', path]);
        if (ran.status !== 0) throw new Error(ran.stderr.toString());
      },
      null,
    );
  return [...rows, await command('list'), await command('show', hex(1)), await command('summary')];
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const time = (us: number) => (us < 10_000 ? `${us.toFixed(0)} µs` : `${(us / 1000).toFixed(0)} ms`);

const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
try {
  const results: (readonly Row[])[] = [];
  for (const size of sizes) {
    const path = join(folder, `${size}.db`);
    await build(path, size);
    results.push(await measure(path, size));
  }
  const columns = sizes.map((size) => `${size.toLocaleString('en')} p50 | p99 | to prepared statements p50`);
  const [small, large] = results;
  console.log(`node:sqlite, WAL, synchronous=FULL, ${perPeer} interactions a peer\n`);
  console.log(`| | ${columns.join(' | ')} |${large ? ' large to small p50 |' : ''}`);
  console.log(`|---|${'---:|'.repeat(columns.length * 3 + (large ? 1 : 0))}`);
  for (const [index, { what, ours }] of (small ?? []).entries()) {
    const cells = results.flatMap((rows) => {
      const row = rows[index];
      if (!row) return [];
      const ratio = row.raw ? (at(row.ours, 0.5) / at(row.raw, 0.5)).toFixed(2) : '–';
      return [time(at(row.ours, 0.5)), time(at(row.ours, 0.99)), ratio];
    });
    const growth = large?.[index];
    if (growth) cells.push((at(growth.ours, 0.5) / at(ours, 0.5)).toFixed(2));
    console.log(`| ${what} | ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
