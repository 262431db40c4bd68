import type { Artifact, Suite, Verdict } from '../src/index.ts';

const limits = { wallMs: 240_000 };

/** An artifact of one text. */
export const python = (source: string): Artifact => ({ language: 'python', source });
export const javascript = (source: string): Artifact => ({ language: 'javascript', source });

/** A suite of pytest in split mode, with its tests in one file. */
export const pytest = (tests: string, reference?: string): Suite =>
  ({
    ...{ id: 'pytest', language: 'python', mode: 'split', files: { 'test_it.py': tests }, limits },
    ...(reference === undefined ? {} : { reference: python(reference) }),
  }) as Suite;

/** A suite of node:test in split mode, with its tests in one file. */
export const nodeTest = (tests: string, reference?: string): Suite =>
  ({
    ...{ id: 'node', language: 'javascript', mode: 'split', files: { 'it.test.mjs': tests }, limits },
    ...(reference === undefined ? {} : { reference: javascript(reference) }),
  }) as Suite;

/** The tests that did not pass, each as the last part of its name and its reason. */
export const failures = ({ tests }: Verdict): string[] =>
  tests.flatMap(({ id, status, reason }) =>
    status === 'passed' ? [] : [`${id.slice(id.lastIndexOf(':') + 1)}: ${reason}`],
  );
