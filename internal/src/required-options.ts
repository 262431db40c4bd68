/** What a `create…` function needs of one option. */
export interface RequiredOption {
  /** Methods that the object must have. Empty for a list. */
  readonly methods: readonly string[];
  /** Where to get one, for the message: `createMemoryLedgerStore()`. */
  readonly example: string;
}

/** Describes an option that is a list of relay addresses. */
export const relayList: RequiredOption = { methods: [], example: "['wss://relay.example']" };

/**
 * Throws what `fail` creates if an option is missing or lacks a method. The message names all such options, each with an
 * example, so that a forgotten one is no `TypeError` at the first call.
 */
export function requireOptions(
  options: unknown,
  required: Readonly<Record<string, RequiredOption>>,
  fail: (message: string) => Error,
): void {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const problems = Object.entries(required).flatMap(([name, { methods, example }]) => {
    const problem = problemOf(given, name, methods);
    return problem === null ? [] : [`options.${name}: ${problem}, pass for example ${example}`];
  });
  if (problems.length > 0) throw fail(`${problems.join('; ')}.`);
}

function problemOf(
  given: Readonly<Record<string, unknown>>,
  name: string,
  methods: readonly string[],
): string | null {
  try {
    return problemOfValue(given[name], methods);
  } catch {
    // A getter or a proxy of the host.
    return 'cannot be read';
  }
}

function problemOfValue(option: unknown, methods: readonly string[]): string | null {
  if (option === undefined || option === null) return 'is missing';
  if (methods.length === 0) return Array.isArray(option) ? null : 'is not a list';
  const absent = methods.find((name) => typeof (option as Record<string, unknown>)[name] !== 'function');
  return absent === undefined ? null : `has no method '${absent}'`;
}
