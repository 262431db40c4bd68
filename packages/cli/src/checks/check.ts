/** Result of one check of `doctor`. */
export interface Check {
  readonly name: string;
  /** `warn`: Bonafide works, without something. `fail`: something does not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** One line to type or to do; null when nothing need be done. */
  readonly remedy: string | null;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, remedy: null });

export const warn = (name: string, detail: string, remedy: string | null): Check => ({
  ...{ name, detail, remedy },
  status: 'warn',
});

export const fail = (name: string, detail: string, remedy: string | null): Check => ({
  ...{ name, detail, remedy },
  status: 'fail',
});

/** An argument as a POSIX shell takes it literally. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/u.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
