import { readFileSync } from 'node:fs';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite, type SqliteDriver } from '../src/index.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';
import { runChild } from './support/child.ts';
import { temporaryFile } from './support/temporary.ts';

interface Schema {
  readonly pairs: { readonly id: number; readonly half: number; readonly text: string };
}

const drivers: readonly (readonly [string, SqliteDriver])[] = [
  ['node:sqlite', nodeSqlite],
  ['better-sqlite3', BetterSqlite],
  ['libsql', Libsql],
];

function open(path: string, options: { readonly readonly?: boolean; readonly driver?: SqliteDriver } = {}) {
  const db = openSqlite<Schema>({ path, ...options });
  onTestFinished(() => db.destroy());
  return db;
}

const lastOf = (output: string) => Number(output.trimEnd().split('\n').at(-1));

describe.each(drivers)('two processes, %s', (name, driver) => {
  it('LED-22 the second reads while the first writes, and only whole transactions', async () => {
    const path = temporaryFile();
    const writer = runChild('write.ts', [path, name]);
    await writer.sees('\n1\n');
    const reader = open(path, { readonly: true, driver });
    let latest = 0;
    let looks = 0;
    for (; latest < 200; looks += 1) {
      const rows = await reader
        .selectFrom('pairs')
        .select(['id', 'half'])
        .orderBy('id')
        .orderBy('half')
        .execute();
      expect(rows.length % 2).toBe(0);
      const now = rows.at(-1)?.id ?? 0;
      expect(rows).toHaveLength(now * 2);
      expect(now).toBeGreaterThanOrEqual(latest);
      latest = now;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(looks).toBeGreaterThan(1);
  });

  it('LED-23 killed while it writes, time and again: the file is sound and no acknowledged row is missing', async () => {
    const path = temporaryFile();
    const rounds = name === 'node:sqlite' ? 10 : 3;
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const writer = runChild('write.ts', [path, name]);
      await writer.sees(`\n${acknowledged + 5 + round * 3}\n`);
      writer.process.kill('SIGKILL');
      expect(await writer.ended).toBe('SIGKILL');
      acknowledged = lastOf(writer.output());
      const db = openSqlite<Schema>({ path, driver });
      expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
      const rows = await db
        .selectFrom('pairs')
        .select(['id', 'half'])
        .orderBy('id')
        .orderBy('half')
        .execute();
      const found = rows.length / 2;
      // The last one may have been committed just before it could be told.
      expect([acknowledged, acknowledged + 1]).toContain(found);
      expect(rows).toEqual(
        Array.from({ length: found }, (_, index) => [
          { id: index + 1, half: 0 },
          { id: index + 1, half: 1 },
        ]).flat(),
      );
      await db.destroy();
      acknowledged = found;
    }
    expect(readFileSync(path).subarray(0, 15).toString()).toBe('SQLite format 3');
  });
});
