/**
 * Fairness and goodness in SQL, for networks that don't fit into memory: runs in a DuckDB that the caller opens.
 * @packageDocumentation
 */
import { hasMethods } from '@bonafide/internal';
import { requireRange } from './errors.ts';
import { notNegative, optional, optionsOf, reading, such, text, within } from './input.ts';

/** The part of a `@duckdb/node-api` connection that this module uses. */
export interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>;
}

/** Options of {@link fairnessGoodnessSql}. */
export interface FairnessGoodnessSqlOptions {
  /** Table or view with the ratings: columns `source`, `target` and `weight`, −1…1. */
  readonly table: string;
  /** Table that is made, or replaced: `node`, `fairness`, `goodness`, `given`, `received`. */
  readonly into: string;
  /**
   * Column by whose order the last of several ratings of one pair is known.
   * @default the table's row number, which a view has not
   */
  readonly orderBy?: string;
  /** @default 1e-6 */
  readonly epsilon?: number;
  /** @default 100 */
  readonly maxIterations?: number;
  readonly signal?: AbortSignal;
}

const duckDb = such('a connection', hasMethods('run', 'runAndReadAll'));
const sqlOptions = optionsOf({
  table: text,
  into: text,
  orderBy: optional(text),
  epsilon: optional(notNegative),
  maxIterations: optional(within(1)),
  signal: optional(such('an AbortSignal', (value) => value instanceof AbortSignal)),
});

/** Size and convergence of the run; the numbers are in the table. */
export interface FairnessGoodnessSqlResult {
  readonly nodes: number;
  readonly edges: number;
  readonly iterations: number;
  readonly residual: number;
  readonly converged: boolean;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Names of temporary tables. The prefix avoids collisions with the caller's tables. */
const ratings = 'bonafide_fg_ratings';
const fairness = 'bonafide_fg_fairness';
const goodness = 'bonafide_fg_goodness';

/**
 * Runs the iteration of `fairnessGoodness` in SQL, with equal results up to the order of the sums. Ratings
 * may be on disk, in Parquet files or in another database that DuckDB can read. One run per connection at a
 * time. The connection stays open.
 *
 * @throws `OUT_OF_RANGE` when an option or a weight is out of range; the reason of `signal` when it is
 *   aborted.
 */
export async function fairnessGoodnessSql(
  connection: DuckDbConnection,
  options: FairnessGoodnessSqlOptions,
): Promise<FairnessGoodnessSqlResult> {
  reading('connection', () => duckDb('connection', connection));
  sqlOptions('options', options);
  const { epsilon = 1e-6, maxIterations = 100, signal } = options;
  const from = quoted(options.table);
  const order = options.orderBy === undefined ? 'rowid' : quoted(options.orderBy);
  const run = async (sql: string) => {
    signal?.throwIfAborted();
    await connection.run(sql);
  };
  const numbers = async (sql: string) => {
    signal?.throwIfAborted();
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return (rows[0] ?? []).map((value) => Number(value ?? 0));
  };
  const [outside = 0] = await numbers(
    `select count(*) from ${from} where weight is null or not (weight between -1 and 1)`,
  );
  if (outside > 0) requireRange(`weight in ${outside} rows of ${options.table}`, Number.NaN, -1, 1);

  try {
    await run(`create or replace temp table ${ratings} as
      select source, target, cast(arg_max(weight, ${order}) as double) as weight from ${from} group by source, target`);
    await run(`create or replace temp table ${fairness} as
      select source as node, 1::double as value, 1::double as before, count(*) as given from ${ratings} group by source`);
    await run(`create or replace temp table ${goodness} as
      select target as node, avg(weight) as value, 0::double as before, count(*) as received
      from ${ratings} group by target`);
    let iterations = 0;
    let residual = 0;
    let converged = false;
    while (!converged && iterations < maxIterations) {
      await run(`create or replace temp table ${goodness} as
        select r.target as node, sum(f.value * r.weight) / count(*) as value, any_value(g.value) as before,
               count(*) as received
        from ${ratings} r join ${fairness} f on f.node = r.source join ${goodness} g on g.node = r.target
        group by r.target`);
      await run(`create or replace temp table ${fairness} as
        select r.source as node, 1 - sum(abs(r.weight - g.value)) / (2 * count(*)) as value,
               any_value(f.value) as before, count(*) as given
        from ${ratings} r join ${goodness} g on g.node = r.target join ${fairness} f on f.node = r.source
        group by r.source`);
      const [moved = 0, changed = 0] = await numbers(
        `select (select sum(abs(value - before)) from ${fairness}), (select sum(abs(value - before)) from ${goodness})`,
      );
      iterations += 1;
      residual = Math.max(moved, changed);
      converged = residual < epsilon;
    }
    await run(`create or replace table ${quoted(options.into)} as
      select coalesce(f.node, g.node) as node, coalesce(f.value, 1) as fairness, coalesce(g.value, 0) as goodness,
             coalesce(f.given, 0) as given, coalesce(g.received, 0) as received
      from ${fairness} f full outer join ${goodness} g on f.node = g.node`);
    const [nodes = 0, edges = 0] = await numbers(
      `select (select count(*) from ${quoted(options.into)}), (select count(*) from ${ratings})`,
    );
    return { nodes, edges, iterations, residual, converged };
  } finally {
    for (const table of [ratings, fairness, goodness])
      await connection.run(`drop table if exists temp.${table}`);
  }
}
