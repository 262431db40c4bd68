import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/** Placeholder for an argument. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: runs on the database and on its transactions alike.
type AnyKysely = Kysely<any>;

/** Returns the placeholder for an argument. A query may only pass it as a value. */
export type QueryArgument<Args extends object> = <Name extends keyof Args>(name: Name) => Args[Name];

/** A compiled query. `executor` is the database or one of its transactions. */
export type PreparedQuery<Args extends object, Row> = (
  executor: AnyKysely,
  args: Args,
) => Promise<QueryResult<Row>>;

/**
 * Creates a query that Kysely compiles at its first use and that runs with other arguments each time. Building and
 * compiling a query takes several times as long as a look-up in SQLite. Use it for queries that run for every message.
 *
 * Create it per database: it keeps the SQL of the dialect that it was first compiled for.
 *
 * @param build - builds the query; called once
 *
 * @example
 * const find = prepare<{ id: string }, Peer>((argument) =>
 *   db.selectFrom('peers').selectAll().where('id', '=', argument('id')));
 * const { rows } = await find(db, { id: 'bob' });
 */
export function prepare<Args extends object, Row>(
  build: (argument: QueryArgument<Args>) => Compilable<Row>,
): PreparedQuery<Args, Row> {
  let compiled: CompiledQuery<Row> | undefined;

  return (executor, args) => {
    compiled ??= build(<Name extends keyof Args>(name: Name) => new Slot(name) as Args[Name]).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? args[parameter.name as keyof Args] : parameter,
    );
    return executor.executeQuery({ ...compiled, parameters });
  };
}
