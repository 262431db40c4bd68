import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DuckDbConnection, fairnessGoodnessSql } from '../src/duckdb.ts';
import { fairnessGoodness } from '../src/index.ts';
import { otc } from './networks.ts';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();

beforeAll(async () => {
  await connection.run('create table ratings (source varchar, target varchar, weight double)');
  const appender = await connection.createAppender('ratings');
  for (const { source, target, weight } of otc) {
    appender.appendVarchar(source);
    appender.appendVarchar(target);
    appender.appendDouble(weight);
    appender.endRow();
  }
  appender.closeSync();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

describe('fairness and goodness in DuckDB', () => {
  it('TRU-28 gives the result of the typed arrays on every node of Bitcoin-OTC', async () => {
    const run = await fairnessGoodnessSql(connection, { table: 'ratings', into: 'standing' });
    const expected = fairnessGoodness(otc);
    expect(run).toMatchObject({ nodes: 5_881, edges: 35_592, iterations: 15, converged: true });
    expect(run.residual).toBeCloseTo(expected.residual, 12);
    const read = await connection.runAndReadAll(
      'select node, fairness, goodness, given, received from standing',
    );
    for (const [node, fairness, goodness, given, received] of read.getRows()) {
      expect(Math.abs(Number(fairness) - (expected.fairness.get(String(node)) ?? Number.NaN))).toBeLessThan(
        1e-12,
      );
      expect(Math.abs(Number(goodness) - (expected.goodness.get(String(node)) ?? Number.NaN))).toBeLessThan(
        1e-12,
      );
      expect({ given: Number(given), received: Number(received) }).toEqual(
        expected.evidence.get(String(node)),
      );
    }
    const left = await connection.runAndReadAll(
      "select count(*) from duckdb_tables() where table_name like 'bonafide_%'",
    );
    expect(Number(left.getRows()[0]?.[0])).toBe(0);
  });

  it('TRU-28 counts the last rating of a pair, by row or by a column, and takes any name of a table', async () => {
    await connection.run(
      'create table "odd ""name" (source integer, target integer, weight double, said integer)',
    );
    await connection.run('insert into "odd ""name" values (1, 2, 1, 9), (3, 2, -0.5, 1), (1, 2, -0.5, 2)');
    const goodness = async (orderBy?: string) => {
      await fairnessGoodnessSql(connection, {
        table: 'odd "name',
        into: 'out',
        ...(orderBy === undefined ? {} : { orderBy }),
      });
      return Number(
        (await connection.runAndReadAll('select goodness from out where node = 2')).getRows()[0]?.[0],
      );
    };
    expect(await goodness()).toBeCloseTo(-0.5, 12);
    expect(await goodness('said')).toBeGreaterThan(-0.5);
  });

  it('TRU-28 refuses a weight out of range, stops when told, and keeps its result when it did not converge', async () => {
    await connection.run('create table wrong as select 1 as source, 2 as target, 7.0 as weight');
    const options = { table: 'ratings', into: 'standing' };
    await expect(fairnessGoodnessSql(connection, { ...options, table: 'wrong' })).rejects.toMatchObject({
      code: 'OUT_OF_RANGE',
    });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(fairnessGoodnessSql(connection, { ...options, signal })).rejects.toThrow('enough');
    // Aborted in the middle: nothing is left behind.
    const stop = new AbortController();
    let asked = 0;
    const counted: DuckDbConnection = {
      run: (sql) => {
        asked += 1;
        if (asked === 5) stop.abort(new Error('enough'));
        return connection.run(sql);
      },
      runAndReadAll: (sql) => connection.runAndReadAll(sql),
    };
    await expect(fairnessGoodnessSql(counted, { ...options, signal: stop.signal })).rejects.toThrow('enough');
    const early = await fairnessGoodnessSql(connection, { ...options, maxIterations: 2 });
    expect(early).toMatchObject({ iterations: 2, converged: false });
  });
});
