/** Correct programs with ordinary tests, in the styles of well-known projects, as pytest runs them in one process. */
export interface FidelityCase {
  readonly id: string;
  /** `solution.py`, or a tree of files. */
  readonly artifact: string | Readonly<Record<string, string>>;
  readonly tests: string;
  /** Fields of the suite that these tests need where it has no reference. */
  readonly needs?: { readonly objects?: readonly string[]; readonly remoteEq?: true };
  /** True where its classes compare by operators of their own, which only a reference vouches for. */
  readonly needsReference?: true;
  /** Last parts of the names of tests that fail without a reference, and are named before. */
  readonly leaning?: readonly string[];
  /** Last parts of the names of tests that do what does not work without a reference: the roadmap says what. */
  readonly lacking?: readonly string[];
  /** A part of the artifact, and what stands there in a wrong one that its tests notice. */
  readonly breaks?: readonly [right: string, wrong: string];
  readonly profile?: 'STRICT' | 'EXTENDED' | 'PROCESSES';
}

/** A correct package of several files, with its tests as plain `node --test` runs them. */
export interface FidelityPackage {
  readonly id: string;
  readonly artifact: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, string>>;
  /** Last parts of the names of tests that fail without a reference, and are named before. */
  readonly leaning?: readonly string[];
  /** Last parts of the names of tests that do what does not work across two boxes: the roadmap says what. */
  readonly lacking?: readonly string[];
  /** Parts of files, and what stands there in wrong packages that the tests notice. */
  readonly breaks: readonly (readonly [file: string, right: string, wrong: string])[];
}
