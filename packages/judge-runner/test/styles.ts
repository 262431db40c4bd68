/** One program in several styles, with the same tests, and wrong programs: in one style, what stands in the place of a part, and the test that fails. */
export interface Styles {
  readonly id: string;
  readonly tests: string;
  readonly styles: Readonly<Record<string, string>>;
  readonly wrong: readonly (readonly [style: string, right: string, wrong: string, test: string])[];
  /** Tests that fail for correct programs of a style without a reference, or with one of another style (`fields for operators`). */
  readonly lacking?: Readonly<Record<string, readonly string[]>>;
  /** Styles that are no reference for the others. */
  readonly noReference?: readonly string[];
}
