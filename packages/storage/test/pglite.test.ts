import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startPglite } from '../src/testing/pglite.ts';

describe('a PGlite of the tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-pglite-'));
  const file = join(folder, 'pglite.tar');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('replaces a copy that does not start by its own, which the next one starts from, empty', async () => {
    writeFileSync(file, 'damaged');
    const first = await startPglite(file);
    await first.exec('create table own (id int)');
    await first.close();
    const kept = readFileSync(file);
    const second = await startPglite(file);
    const { rows } = await second.query(`select tablename from pg_tables where schemaname = 'public'`);
    await second.close();
    expect(rows).toEqual([]);
    expect(kept.equals(readFileSync(file))).toBe(true);
    expect(readdirSync(folder)).toEqual(['pglite.tar']);
  });

  it('starts where no copy can be kept, and leaves nothing', async () => {
    const taken = join(folder, 'taken');
    mkdirSync(taken);
    const pglite = await startPglite(taken);
    expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pglite.close();
    expect(readdirSync(folder).sort()).toEqual(['pglite.tar', 'taken']);
  });
});
