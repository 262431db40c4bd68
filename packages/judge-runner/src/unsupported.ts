import { JudgeError } from './errors.ts';
import type { SuiteSyntax } from './split-lines.ts';
import type { NodeTestSuite, PytestSuite } from './suite.ts';

/** A construct that does not work across two boxes. */
export interface UnsupportedConstruct {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly construct: string;
}

/** Places that a refusal names. */
const maxPlaces = 20;

/** Returns the constructs of a suite that do not work across two boxes, given what its author trusts. Pure. */
export function unsupportedIn(
  suite: PytestSuite | NodeTestSuite,
  syntax: SuiteSyntax | null,
  withReference: boolean,
): readonly UnsupportedConstruct[] {
  return (syntax?.unsupported ?? [])
    .filter((each) => each.class === null || !(withReference || (suite.objects ?? []).includes(each.class)))
    .map(({ file, line, construct }) => ({ file, line, construct }));
}

/** True for a suite of which a construct that does not work hides tests: it is refused with its place. Pure. */
export const hidesTests = (suite: PytestSuite | NodeTestSuite, syntax: SuiteSyntax | null): boolean =>
  unsupportedIn(suite, syntax, false).some(({ construct }) =>
    /^(?:derives a class of tests|leaves it to the artifact)/.test(construct),
  );

const sameProcess = 'run the suite in the mode same-process';
/** Remedies by the words with which a construct begins. What has none here says its remedy itself. */
const remedies: readonly (readonly [construct: RegExp, remedy: string])[] = [
  [
    /^calls the method/,
    'Name the function in `objects`, or add a reference, which shows where it answers objects',
  ],
  [
    /^(?:starts|gives) by/,
    'Call the functions of the artifact instead of starting it, or judge it by a suite of the mode program',
  ],
  [
    /^measures by/,
    `Set the artifact's \`limits\`, judge it by a suite of the mode program, or ${sameProcess}`,
  ],
  [/^runs by/, 'Compare the answer instead of running it'],
  [
    /^(?:asks for the source|reads where the artifact)/,
    `Test what the artifact does instead of its text, or ${sameProcess}`,
  ],
  [/^derives a class of tests/, 'Write the tests into the suite, and use the class of the artifact in them'],
  [/^leaves it to the artifact/, 'Call the decorator inside of the test, or remove it'],
  [/^reloads/, `Test the module as it is after its import, or ${sameProcess}`],
];

/** The problem of a suite whose constructs do not work, and of one which needs packages that it does not declare. */
export const problems = {
  unsupported: 'The suite cannot be run in two boxes',
  undeclared: 'The suite needs what it does not declare',
} as const;

/**
 * Refuses a suite that does what does not work, before anything runs.
 * @throws JudgeError `SUITE_UNSUPPORTED` unless `found` is empty.
 */
export function refuse(
  problem: string,
  found: readonly UnsupportedConstruct[],
  { language }: PytestSuite | NodeTestSuite,
): void {
  if (found.length === 0) return;
  const places = found
    .slice(0, maxPlaces)
    .map(({ file, line, construct }) => `${file}:${line}: ${construct}`);
  const helpful = remedies
    .filter(([words]) => found.some(({ construct }) => words.test(construct)))
    .map(([, remedy]) => (language === 'javascript' ? remedy.replace(`, or ${sameProcess}`, '') : remedy));
  throw new JudgeError('SUITE_UNSUPPORTED', `${problem}:\n${places.join('\n')}`, {
    remedy: helpful.length > 0 ? helpful.join('. ') : null,
  });
}
