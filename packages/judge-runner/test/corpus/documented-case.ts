/** The result of correct programs in a suite that has a construct. */
export type DocumentedResult = 'passes' | 'fails' | 'refused' | 'SUITE_UNSUPPORTED' | 'SUITE_INVALID';

/** A construct that a table of the documents names, with a correct program that is its own reference. */
export interface DocumentedCase {
  readonly construct: string;
  readonly program: string;
  readonly tests: string;
  /** Further files of the suite. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further fields of the suite. */
  readonly fields?: { readonly objects?: readonly string[]; readonly shared?: readonly string[] };
  /** Without a reference. */
  readonly without: DocumentedResult;
  readonly with: DocumentedResult;
}
