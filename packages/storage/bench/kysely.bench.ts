/*
 * What Kysely costs over the driver's own prepared statements, with our statement cache and with Kysely's plain
 * dialect, in one process and interleaved, so that a busy machine slows all of them alike. Prints a markdown table.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import { openSqlite, type SqliteDatabase, type SqliteDriver } from '../src/index.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';

interface Schema {
  readonly peers: { readonly id: string; readonly alias: string; readonly seen: number };
}

const rows = 20_000;
const rounds = 40;
const hex = (n: number) => n.toString(16).padStart(64, '0');

const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));

/** The same connection under Kysely and, for comparison, under our hands. */
function opened(name: string, driver: SqliteDriver) {
  let raw: SqliteDatabase | undefined;
  const path = join(folder, `${name.replace(/\W/g, '-')}.db`);
  const db = openSqlite<Schema>({
    path,
    driver: (file, options) => {
      raw = driver === nodeSqlite ? nodeSqlite(file, options) : new BetterSqlite(file, options);
      return raw;
    },
  });
  if (raw === undefined) throw new Error('openSqlite opens at once');
  const plain = new Kysely<Schema>({ dialect: new SqliteDialect({ database: raw }) });
  return { db, plain, raw };
}

type Contender = (n: number) => unknown;

/** Best time per call in µs, by name: the least disturbed of several interleaved rounds. */
async function race(
  calls: number,
  contenders: Readonly<Record<string, Contender>>,
): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  let n = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of Object.entries(contenders)) {
      const start = performance.now();
      for (let index = 0; index < calls; index += 1) {
        n += 1;
        await call(n);
      }
      const micros = ((performance.now() - start) * 1000) / calls;
      // The first round warms up.
      if (round > 0) best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, micros);
    }
  }
  return best;
}

const lines: string[] = [];

try {
  for (const [name, driver] of [
    ['node:sqlite', nodeSqlite],
    ['better-sqlite3', BetterSqlite],
  ] as const) {
    const { db, plain, raw } = opened(name, driver);
    await sql`create table peers (id text primary key, alias text not null, seen bigint not null)`.execute(
      db,
    );
    const insert = raw.prepare('insert into "peers" ("id", "alias", "seen") values (?, ?, ?)');
    await db.transaction().execute(async () => {
      for (let n = 0; n < rows; n += 1) insert.run([hex(n), `alias ${n}`, n]);
    });

    const select = raw.prepare('select * from "peers" where "id" = ?');
    const template = db.selectFrom('peers').selectAll().where('id', '=', '').compile();
    const at = (n: number) => hex((n * 7919) % rows);
    const lookups = await race(400, {
      raw: (n) => select.all([at(n)]),
      cached: (n) => db.selectFrom('peers').selectAll().where('id', '=', at(n)).executeTakeFirst(),
      compiled: (n) => db.executeQuery({ ...template, parameters: [at(n)] } as CompiledQuery),
      plain: (n) => plain.selectFrom('peers').selectAll().where('id', '=', at(n)).executeTakeFirst(),
    });

    let next = rows;
    const row = () => {
      next += 1;
      return { id: hex(next), alias: `alias ${next}`, seen: next };
    };
    const inserts = await race(30, {
      raw: () => {
        const { id, alias, seen } = row();
        return insert.run([id, alias, seen]);
      },
      cached: () => db.insertInto('peers').values(row()).execute(),
      plain: () => plain.insertInto('peers').values(row()).execute(),
    });

    for (const [what, result] of [
      ['point lookup', lookups],
      ['insert, synchronous=FULL', inserts],
    ] as const) {
      const base = result.raw ?? Number.NaN;
      const ratio = (way: string) =>
        result[way] === undefined ? '–' : `${(result[way] / base).toFixed(2)}×`;
      lines.push(
        `| ${name} | ${what} | ${base.toFixed(1)} µs | ${ratio('cached')} | ${ratio('compiled')} | ${ratio('plain')} |`,
      );
    }
    await db.destroy();
  }
  console.log(
    '| driver | operation | prepared statement | openSqlite | openSqlite, query compiled once | SqliteDialect |',
  );
  console.log('|---|---|--:|--:|--:|--:|');
  console.log(lines.join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
