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

/**
 * A query that Kysely compiles once, at its first use, and that then runs with arguments of its own each time: building
 * and compiling it anew takes several times as long as SQLite needs for a look-up. `build` gets a function that gives
 * a stand-in for each argument; it may only hand it on as a value.
 */
export function prepare<Args extends object, Row>(
  build: (argument: <Name extends keyof Args>(name: Name) => Args[Name]) => Compilable<Row>,
): (executor: AnyKysely, args: Args) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;

  return (executor, args) => {
    compiled ??= build(<Name extends keyof Args>(name: Name) => new Slot(name) as Args[Name]).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? args[parameter.name as keyof Args] : parameter,
    );
    return executor.executeQuery({ ...compiled, parameters });
  };
}
