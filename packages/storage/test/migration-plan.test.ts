import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBonafideError, type Migration, migrationChecksum, planMigrations } from '../src/index.ts';

const migration = (id: string, ddl = `create table ${id} (x integer)`): Migration => ({
  id,
  statements: () => [ddl],
});
const history = (migrations: readonly Migration[]) =>
  migrations.map((each) => ({ id: each.id, checksum: migrationChecksum(each, 'sqlite') }));
const plan = (list: readonly Migration[], applied: readonly Migration[]) =>
  planMigrations('t', list, history(applied), 'sqlite').map((each) => each.id);
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return isBonafideError(error) ? error.code : error;
  }
  return null;
};

const lists = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 8 })
  .map((ids) => ids.map((id) => migration(id)));

describe('STO-1 which migrations run', () => {
  it('is what the history lacks, however far it got', () => {
    fc.assert(
      fc.property(lists, fc.nat(8), (list, done) => {
        expect(plan(list, list.slice(0, done))).toEqual(list.slice(done).map((each) => each.id));
      }),
    );
  });

  it('is refused when the database knows one that the code does not', () => {
    fc.assert(
      fc.property(lists, fc.nat(8), (list, at) => {
        const newer = [...list.slice(0, at), migration('zzzzzzzzz'), ...list.slice(at)];
        expect(codeOf(() => plan(list, newer))).toBe('SCHEMA_NEWER');
      }),
    );
  });

  it('is refused when an applied one was edited, or came in another order', () => {
    const [a, b, c] = [migration('a'), migration('b'), migration('c')];
    expect(codeOf(() => plan([a, migration('b', 'create table b (x text)'), c], [a, b]))).toBe(
      'MIGRATION_CHANGED',
    );
    expect(codeOf(() => plan([a, b, c], [a, c]))).toBe('MIGRATION_CHANGED');
    expect(codeOf(() => plan([b, a], [a, b]))).toBe('MIGRATION_CHANGED');
  });

  it('is refused when two have one id', () => {
    expect(codeOf(() => plan([migration('a'), migration('a')], []))).toBe('INVALID_INPUT');
  });
});

it('a checksum moves with every character and with the dialect, and with nothing else', () => {
  const both: Migration = {
    id: 'a',
    statements: (dialect) => [dialect === 'sqlite' ? 'create table a (x blob)' : 'create table a (x bytea)'],
  };
  expect(migrationChecksum(both, 'sqlite')).not.toBe(migrationChecksum(both, 'postgres'));
  expect(migrationChecksum(migration('a', 'x'), 'sqlite')).toBe(
    migrationChecksum(migration('b', 'x'), 'sqlite'),
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      const same =
        migrationChecksum(migration('a', one), 'sqlite') === migrationChecksum(migration('a', two), 'sqlite');
      expect(same).toBe(one === two);
    }),
  );
});
