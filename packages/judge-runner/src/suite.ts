import type { Limits } from './limits.ts';
import type { StaticRule } from './static-rules.ts';
import type { SuiteFiles } from './suite-files.ts';
import type { TaggedJson } from './value.ts';

/** Test layers in the order in which they run. A failure in `smoke` ends the run. */
export const layers = ['smoke', 'correctness', 'edge', 'performance', 'security'] as const;

/** One of {@link layers}. */
export type Layer = (typeof layers)[number];

/** Languages that a suite can be written for. */
export type Language = 'python' | 'javascript';

/**
 * System call profile of the artifact: `STRICT`, the default, computes, reads its own files, writes into
 * its work folder, uses threads, event loops, temporary files and SQLite, and prints; `EXTENDED` adds timers and links; `PROCESSES` adds
 * processes and local sockets, and needs a kernel that reports forbidden calls of child processes.
 */
export type Profile = 'STRICT' | 'EXTENDED' | 'PROCESSES';

/** Static findings that count as violations. */
export interface StaticThresholds {
  /** Rules that are violations in this suite, beside the unmistakable ones. */
  readonly forbid?: readonly StaticRule[];
  /** More other findings than this are a violation. Default: any number are warnings. */
  readonly maxWarnings?: number;
}

/**
 * Comparison of an answer with the expected value:
 * - `equal` (default): Python's `==`, so `1 == 1.0 == True`; an expected NaN is met by NaN;
 * - `same`: equal and of the same type at every level, as `is True` means it;
 * - `truth`: `expect` is `true` or `false` and is met by an answer of that truth value.
 */
export type Match = 'equal' | 'same' | 'truth';

/** A builtin that is applied to the answer before it leaves the box, as in `assert sorted(solve(x)) == …`. */
export type Conversion = 'list' | 'tuple' | 'set' | 'sorted' | 'len';

/** Largest accepted distance of a number: at most `absolute`, or at most `relative` × the larger of both. */
export interface Tolerance {
  readonly absolute?: number;
  readonly relative?: number;
}

/** One call with what must come of it: exactly one of `expect` and `raises`. */
export interface VectorCase {
  /** Unique in the suite. */
  readonly id: string;
  readonly layer: Layer;
  /** The function, dotted for a method of a class; default the suite's `entryPoint`. */
  readonly fn?: string;
  readonly args: readonly TaggedJson[];
  /** The expected value; `null` is Python's None. */
  readonly expect?: TaggedJson;
  /** Name of an exception class; met by it and its subclasses. */
  readonly raises?: string;
  readonly match?: Match;
  readonly as?: Conversion;
  /** A number is an absolute tolerance. Applies to every number inside the value. */
  readonly tolerance?: number | Tolerance;
  /** `any`: the elements of the outermost list or tuple may come in any order. Default `exact`. */
  readonly order?: 'exact' | 'any';
}

/** A whole number: a safe one, or its decimal text. */
export type Whole = number | string;
/** From `min` to `max`, both included. */
export type WholeRange = readonly [min: Whole, max: Whole];
/** A length: exact, or from `min` to `max`, both included. */
export type LengthRange = number | readonly [min: number, max: number];

/** Specification of a random input. Plain JSON; every draw is uniform over the allowed values. */
export type ValueSpec =
  /** Always this. */
  | { readonly const: TaggedJson }
  /** One of these. */
  | { readonly choice: readonly TaggedJson[] }
  /** As one of these says. */
  | { readonly oneOf: readonly ValueSpec[] }
  | { readonly bool: true }
  | { readonly int: WholeRange }
  | { readonly float: readonly [min: number, max: number] }
  /** A text of these characters. */
  | { readonly string: string; readonly length: LengthRange }
  | { readonly bytes: LengthRange }
  /** `unique`: no two alike; `sorted`: ascending, for whole numbers, floats or texts. */
  | {
      readonly list: ValueSpec;
      readonly length: LengthRange;
      readonly unique?: boolean;
      readonly sorted?: boolean;
    }
  | { readonly tuple: readonly ValueSpec[] }
  | { readonly set: ValueSpec; readonly length: LengthRange }
  | { readonly dict: readonly [key: ValueSpec, value: ValueSpec]; readonly length: LengthRange };

/**
 * Draws new cases for every run, so that none can be memorized. The suite's oracle gives the expected
 * results.
 */
export interface CaseGenerator {
  /** Unique in the suite, among cases as well. Its cases are called `id#0`, `id#1`, … */
  readonly id: string;
  readonly layer: Layer;
  /** As in a case. */
  readonly fn?: string;
  /** One spec per argument; or the oracle's function that, given a whole number, returns the list of arguments. */
  readonly args: readonly ValueSpec[] | { readonly from: string };
  /** Cases per run, unless the run overrides it. Default 10. */
  readonly count?: number;
  /** True when inputs may be drawn for which the oracle raises: the artifact must then raise the same. */
  readonly raises?: boolean;
  readonly match?: Match;
  readonly as?: Conversion;
  readonly tolerance?: number | Tolerance;
  readonly order?: 'exact' | 'any';
}

/** Packages of Python that tests and artifacts may import. */
export interface PythonPackages {
  /**
   * Requirements as pip takes them (`numpy==1.24.2`), packages of Debian (`debian:python3-numpy`), or files of wheels. Where pip has no
   * access to an index, Debian's package of that name and version is taken.
   */
  readonly packages: readonly string[];
}

/** Packages of npm that tests and artifacts may import. */
export interface NodePackages {
  /** Name → version or range, as in `dependencies`. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Packages that a suite declares. They are built beforehand, by `buildEnvironment` or `bonafide judge env build`. */
interface Packages {
  readonly python?: PythonPackages;
  readonly node?: NodePackages;
}

/** Fields of suites of test files. */
interface SharedFiles {
  /**
   * In the mode `split`: files other than tests, or folders of such, that the artifact's box has as well, read-only and at the same paths, for tests that give the
   * artifact a path. With a reference these are found by its run. They are no secret to the artifact.
   */
  readonly shared?: readonly string[];
}

/** Fields of every suite. */
interface SuiteBase {
  readonly id: string;
  readonly language: Language;
  /** Default `STRICT`. */
  readonly profile?: Profile;
  /** Default: only what is unmistakable is a violation. */
  readonly static?: StaticThresholds;
  /** Overrides of the judge's limits. */
  readonly limits?: Partial<Limits>;
  /**
   * A correct program. It never enters the artifact's box. In the mode `split` objects that act are then accepted where
   * it answered some, and nowhere else.
   */
  readonly reference?: Artifact;
}

/** Questions with their answers: inputs go into the artifact's box, answers are compared outside. Plain JSON. */
export interface VectorSuite extends SuiteBase, Packages {
  readonly mode: 'vectors';
  /** The function under test where a case names none. */
  readonly entryPoint?: string;
  /** May be empty where there are generators. */
  readonly cases: readonly VectorCase[];
  readonly generators?: readonly CaseGenerator[];
  /**
   * The reference that answers drawn inputs: a program with the functions under test, in either language. It
   * runs in a separate box that no artifact shares.
   */
  readonly oracle?: Artifact;
}

/** One test of a suite of test files. */
export interface ExpectedTest {
  /** As pytest names it, `test_a.py::test_b[1]`; in JavaScript `a.test.mjs::outer > inner > name`. */
  readonly id: string;
  readonly layer: Layer;
}

/** Files for pytest. Plain JSON. */
export interface PytestSuite extends SuiteBase, SharedFiles, Pick<Packages, 'python'> {
  readonly language: 'python';
  /**
   * `split`: pytest runs in one box, the artifact in another, and calls go between them. `same-process`: both
   * in one box, for tests that reach into the artifact; the artifact can forge the result of such a run.
   */
  readonly mode: 'split' | 'same-process';
  /** Relative path → content; `test_….py`, `conftest.py`, data. The artifact is imported by its own names. */
  readonly files: SuiteFiles;
  /** Every test that must pass, fixed beforehand. Default: what pytest finds in a box without the artifact. */
  readonly tests?: readonly ExpectedTest[];
  /**
   * In the mode `split`: two objects of the artifact are compared by its own `==` and `<`, for suites that test these.
   * Its word is taken for that, so it can lie about it. Default false: compared by identity. What a test itself holds is
   * never compared by the artifact.
   */
  readonly remoteEq?: boolean;
  /**
   * In the mode `split`: classes of the artifact whose objects may be answered anywhere and act: their arithmetic with
   * values of the test is relayed where the test made them. All other answers are plain values, except objects of
   * classes that the files import by name.
   */
  readonly objects?: readonly string[];
}

/**
 * Files for `node:test`. Plain JSON. They run in one box, the artifact in another, and calls go between them.
 */
export interface NodeTestSuite extends SuiteBase, SharedFiles, Pick<Packages, 'node'> {
  readonly language: 'javascript';
  readonly mode: 'split';
  /** Relative path → content; `….test.mjs` and what they import. The artifact is imported by its own names. */
  readonly files: SuiteFiles;
  /** Every test that must pass, fixed beforehand. Default: those that are declared in a box without the artifact. */
  readonly tests?: readonly ExpectedTest[];
  /** Classes of the artifact whose objects may be answered anywhere. */
  readonly objects?: readonly string[];
}

/** Comparison of a program's output; a function receives the output and the expected text. */
export type OutputMatch =
  | 'exact'
  | 'lines'
  | 'tokens'
  | 'json'
  | 'pattern'
  | ((answer: string, expected: string) => boolean);

/** One run of a program. */
export interface ProgramCase {
  /** Unique in the suite. */
  readonly id: string;
  readonly layer: Layer;
  /** Arguments after those of the suite's `run`. */
  readonly argv?: readonly string[];
  readonly stdin?: string;
  /** Files in the folder in which it is run: relative path → content. */
  readonly files?: Readonly<Record<string, string>>;
  /** The expected result. `exitCode` is 0 unless given. */
  readonly expect: {
    readonly stdout?: string;
    readonly exitCode?: number;
    /** Files that it must have written: relative path → content. */
    readonly files?: Readonly<Record<string, string>>;
  };
  /** Default `lines`: spaces at the ends of lines and line ends at the end do not count. */
  readonly match?: OutputMatch;
  /** For `tokens` and `json`: largest accepted distance of a number. */
  readonly tolerance?: number | Tolerance;
}

/**
 * A program of any language whose toolchain is installed: built in a separate box, then run once per case. Inputs go
 * into the box, outputs are compared outside. Plain JSON unless a `match` is a function.
 */
export interface ProgramSuite extends Omit<SuiteBase, 'language' | 'profile' | 'static'>, Packages {
  readonly mode: 'program';
  /** Language of the program, such as `c` or `rust`. Names the file of an artifact that is one text. */
  readonly language?: string;
  /** Command that builds it in its folder. Default: it needs no building. */
  readonly build?: readonly string[];
  /** Command that starts it in its folder. */
  readonly run: readonly string[];
  readonly cases: readonly ProgramCase[];
}

/** Tests that the artifact never sees. */
export type Suite = VectorSuite | PytestSuite | NodeTestSuite | ProgramSuite;

/**
 * Untrusted code: one text, or files by relative path. Vectors call functions of the file `entry`, by default
 * `solution.py`, `solution.js`, `.mjs` or `.cjs`; test files import what they name. Without a `language`, the suite's.
 */
export type Artifact =
  | { readonly language?: Language | (string & {}); readonly source: string }
  | {
      readonly language?: Language | (string & {});
      readonly files: Readonly<Record<string, string | Uint8Array>>;
      /** The file that is loaded for vectors. */
      readonly entry?: string;
    };

/** An artifact whose functions are called or imported: its language is known. */
export type CodeArtifact = Artifact & { readonly language: Language };
