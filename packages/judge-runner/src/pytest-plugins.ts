import type { NodeTestSuite, PytestSuite } from './suite.ts';

/** Packages with a plugin of pytest whose names do not begin with `pytest-`. */
const others: ReadonlySet<string> = new Set(['anyio', 'faker', 'requests-mock', 'syrupy', 'time-machine']);

/** Name of a package in the form that Python compares, of a requirement, `debian:python3-…` or a file of a wheel. Pure. */
function nameOf(declared: string): string {
  const file = declared.slice(declared.lastIndexOf('/') + 1).replace(/^(?:debian:)?(?:python3-)?/, '');
  const name = file.endsWith('.whl') ? file.split('-')[0] : /^[\w.-]*/.exec(file)?.[0];
  return (name ?? '').replaceAll(/[-_.]+/g, '-').toLowerCase();
}

/**
 * Returns the packages that a suite declares as plugins of pytest. What comes along with others is never one: a dependency that
 * the author of the suite has not chosen must not decide results of tests. Pure.
 */
export function pytestPlugins(suite: PytestSuite | NodeTestSuite): readonly string[] {
  if (suite.language !== 'python') return [];
  return (suite.python?.packages ?? [])
    .map(nameOf)
    .filter((name) => name.startsWith('pytest-') || others.has(name));
}
