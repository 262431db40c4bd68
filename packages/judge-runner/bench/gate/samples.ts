import type { Artifact, Suite, SuiteFiles } from '../../src/index.ts';

/** A program and the suite that judges it. */
export interface Sample {
  readonly id: string;
  readonly artifact: Artifact;
  readonly suite: Suite;
  /** Outcomes that are right; any other of an attack is an escape. */
  readonly expect?: readonly string[];
  /** Last parts of the names of tests that fail and are named before, and of those that fail without it. */
  readonly leaning?: readonly string[];
  readonly lacking?: readonly string[];
  /** Names of the tests that the program fails in one process, where it passes some there as well. */
  readonly failing?: () => Promise<readonly string[]>;
}

export interface Corpus {
  readonly name: string;
  readonly honest: boolean;
  readonly samples: readonly Sample[];
  /** The same for plain pytest, where it can run them. */
  readonly plain?: readonly Sample[];
  /** True where a sample is many wrong modules with tests of their own, so that each test that passes was fooled. */
  readonly byTest?: boolean;
  /** Ids of honest programs that the profile refuses by design: they must fail, and are not counted. */
  readonly refused?: readonly string[];
}

type Text = string | Readonly<Record<string, string>>;
const artifact = (language: 'python' | 'javascript', text: Text): Artifact =>
  typeof text === 'string' ? { language, source: text } : { language, files: text };

export const python = (text: Text): Artifact => artifact('python', text);
export const javascript = (text: Text): Artifact => artifact('javascript', text);

export const limits = { wallMs: 20_000, cpuHardMs: 2000, memoryHardBytes: 256 * 1024 * 1024 };

export const pytest = (
  id: string,
  tests: string | SuiteFiles,
  mode: 'split' | 'same-process' = 'split',
): Suite => ({
  ...{ id, language: 'python', mode, profile: 'EXTENDED' },
  files: typeof tests === 'string' ? { 'test_it.py': tests } : tests,
});

export const nodeTest = (id: string, tests: string | SuiteFiles): Suite => ({
  ...{ id, language: 'javascript', mode: 'split' },
  files: typeof tests === 'string' ? { 'test/it.test.mjs': tests } : tests,
});

export const withReference = ({ suite, ...rest }: Sample, reference: Artifact = rest.artifact): Sample => ({
  ...rest,
  suite: { ...suite, reference } as Suite,
});

/** The same samples as plain pytest runs them: artifact and tests in one process. */
export const plainly = (samples: readonly Sample[], more: Partial<Suite> = {}): Sample[] =>
  samples.flatMap(({ id, artifact, suite }) =>
    suite.mode === 'split' && suite.language === 'python'
      ? [{ ...{ id, artifact }, suite: { ...pytest(id, suite.files, 'same-process'), ...more } as Suite }]
      : [],
  );
