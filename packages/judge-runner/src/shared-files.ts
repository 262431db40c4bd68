import { suiteFolder } from './languages/python.ts';
import type { NodeTestSuite, PytestSuite } from './suite.ts';
import type { SuiteFiles } from './suite-files.ts';

type TestFiles = PytestSuite | NodeTestSuite;

/** Tests, and what prepares them: never an input. */
const isTest = (name: string) =>
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[._-]test)\.[cm]?js$/.test(
    name,
  );
const isIn = (name: string, place: string) => {
  const path = place.replace(/\/+$/, '');
  return path === '' || path === '.' || name === path || name.startsWith(`${path}/`);
};
/** What a tester notes when a test gives the reference the path of a file or a folder of the suite. */
const noted = 'file ';

/** Folders in which both boxes begin: their files are those of the other box as well, as all temporary files are. */
const currentFolders = { python: '/box/pytest/current', javascript: '/box/tmp/current' };
/** What the text of a test has that starts programs: what the artifact has written would be code of these, where they begin. */
const startsPrograms =
  /\bsubprocess|\bos\s*\.\s*(?:system|popen|spawn|exec|posix_spawn)|\bfrom os import\b[^\n]*\b(?:system|popen|spawn|exec)|\bpty\b/;

/** Returns the files of a suite that may be inputs. Pure. */
const inputsOf = (suite: Pick<TestFiles, 'files'>): string[] =>
  Object.keys(suite.files).filter((name) => !isTest(name));

/**
 * Returns the files of a suite that the artifact's box has as well, at the same paths: those that its author shares, and those whose paths its tests gave
 * the reference. Pure.
 * @param shapes - What the reference's run has noted; null without a reference.
 * @param learn - True for the reference itself, whose box has all.
 */
export function sharedFiles(suite: TestFiles, shapes: readonly string[] | null, learn = false): SuiteFiles {
  const given = (shapes ?? []).flatMap((each) => (each.startsWith(noted) ? [each.slice(noted.length)] : []));
  const places = [...(suite.shared ?? []), ...given];
  const isShared = (name: string) => learn || places.some((place) => isIn(name, place));
  return Object.fromEntries(
    inputsOf(suite)
      .filter(isShared)
      .map((name) => [name, suite.files[name] ?? '']),
  );
}

/** Returns the files that the artifact's box lacks, of those that may be inputs. Pure. */
export function unsharedFiles(suite: TestFiles, shapes: readonly string[] | null, learn: boolean): string[] {
  const shared = sharedFiles(suite, shapes, learn);
  return inputsOf(suite).filter((name) => !Object.hasOwn(shared, name));
}

/**
 * Returns the folder in which tests begin. A suite of nothing but tests has no file to find there, so that it is one that the artifact has as well: paths
 * which both make absolute are equal, and what one writes there the other reads, unless tests start programs there. Pure.
 */
export function currentFolder(suite: Pick<TestFiles, 'files' | 'language'>): string {
  const isStarting = Object.values(suite.files).some(
    (file) => suite.language === 'python' && typeof file === 'string' && startsPrograms.test(file),
  );
  return isStarting || inputsOf(suite).length > 0 ? suiteFolder : currentFolders[suite.language];
}

/** Returns what is wrong with the files that a suite shares; null for nothing. Pure. */
export function wrongShared(suite: Pick<TestFiles, 'files' | 'shared'>): string | null {
  const wrong = (suite.shared ?? []).find((place) => !inputsOf(suite).some((name) => isIn(name, place)));
  return wrong === undefined
    ? null
    : `'${wrong}' is no file of the suite, or a test, and no folder of other files`;
}
