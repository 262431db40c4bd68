/** A schema with zod's `safeParse`, so that this module needs no schema library. */
export interface Schema<Output> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Output }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/**
 * Returns the parsed value, or throws what `fail` creates.
 *
 * @param what - The name of the value in the message, for example `options`.
 * @param fail - Creates the error from a message that names every invalid field, and the schema's own error as `cause`.
 */
export function parseOrThrow<Output>(
  schema: Schema<Output>,
  value: unknown,
  what: string,
  fail: (message: string, options: { readonly cause: unknown }) => Error,
): Output {
  const parsed = readWith(schema, value, (cause) =>
    fail(`${what}: cannot be read, because a property of it throws.`, { cause }),
  );
  if (parsed.success) return parsed.data;
  throw fail(`${describeIssues(parsed.error.issues, what)}.`, { cause: parsed.error });
}

/** Returns what the schema makes of the value. A getter or a proxy of the caller may throw while it is read. */
function readWith<Output>(schema: Schema<Output>, value: unknown, fail: (cause: unknown) => Error) {
  try {
    return schema.safeParse(value);
  } catch (error) {
    throw fail(error);
  }
}

/**
 * Returns a function that parses its arguments before it runs. A value of the wrong type is refused by its name instead of counted as
 * something else, and absent arguments get the defaults of their schemas.
 *
 * @param what - The name of the function in messages.
 * @param schemas - The schema of each argument by its name, in the order of the arguments.
 * @param fail - Creates the error, as in {@link parseOrThrow}.
 */
export function withParsedArguments<Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
  what: string,
  schemas: Readonly<Record<string, Schema<unknown>>>,
  fail: (message: string, options: { readonly cause: unknown }) => Error,
): (...given: Arguments) => Result {
  const named = Object.entries(schemas);
  return (...given) => {
    const parsed = named.map(([name, schema], place) =>
      parseOrThrow(schema, given[place], `${what}.${name}`, fail),
    );
    return run(...(parsed as unknown as Arguments));
  };
}

/** Tells whether a value of a host is a function. */
export const isCallable = (value: unknown): boolean => typeof value === 'function';

/** Returns a test whether a value of a host is an object with these methods. */
export const hasMethods =
  (...methods: readonly string[]) =>
  (value: unknown): boolean =>
    value !== null &&
    value !== undefined &&
    methods.every((name) => isCallable((value as Readonly<Record<string, unknown>>)[name]));

const maxIssues = 20;
const maxIssueLength = 300;

/**
 * Lists the invalid fields on one line: `options.limit: Too small; options.order: Invalid option`. At most 20 are listed, each with at
 * most 300 characters, since a document from outside may have any number of them.
 */
export function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  what: string,
): string {
  const listed = issues.slice(0, maxIssues).map(({ path, message }) => {
    const text = `${[what, ...path.map(String)].filter(Boolean).join('.')}: ${message}`;
    return text.length > maxIssueLength ? `${text.slice(0, maxIssueLength).toWellFormed()}…` : text;
  });
  const more = issues.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
