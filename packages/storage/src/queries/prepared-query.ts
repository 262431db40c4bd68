import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/** Stands where an argument will be. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: runs on the database and on its transactions alike.
type AnyKysely = Kysely<any>;

/** Gives the stand-in for an argument, which a query may only hand on as a value. */
export type QueryArgument<Args extends object> = <Name extends keyof Args>(name: Name) => Args[Name];

/** A query that is compiled already: runs on `executor`, which is the database or a transaction of it. */
export type PreparedQuery<Args extends object, Row> = (
  executor: AnyKysely,
  args: Args,
) => Promise<QueryResult<Row>>;

/**
 * A query that Kysely compiles once, at its first use, and that then runs with arguments of its own each time: building
 * and compiling it anew takes several times as long as SQLite needs for a look-up. For the queries of the ways that
 * every message goes; the others are better off as they are.
 *
 * Keep it where the database is known: it holds the SQL of the dialect that it was first compiled for.
 *
 * @param build - makes the query; called once
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
