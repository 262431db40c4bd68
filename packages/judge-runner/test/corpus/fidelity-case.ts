/** Correct programs with ordinary tests, in the styles of well-known projects, as pytest runs them in one process. */
export interface FidelityCase {
  readonly id: string;
  /** `solution.py`, or a tree of files. */
  readonly artifact: string | Readonly<Record<string, string>>;
  readonly tests: string;
  /** Fields of the suite that these tests need where it has no reference. */
  readonly needs?: { readonly objects?: readonly string[]; readonly remoteEq?: true };
  readonly profile?: 'STRICT' | 'EXTENDED' | 'PROCESSES';
}
