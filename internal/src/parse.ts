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
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw fail(`${describeIssues(parsed.error.issues, what)}.`, { cause: parsed.error });
}

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
