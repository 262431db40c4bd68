/* Names of tests: short enough to be written down with each question, and those that were expected. */
import { createHash } from 'node:crypto';

const maxName = 1000;

/** The name, or its beginning with what tells it apart. */
export const shortened = (name) =>
  name.length <= maxName
    ? name
    : `${name.slice(0, maxName - 9).toWellFormed()}…${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;

/** The groups that a test is in: everything before its own title. */
const groupOf = (name) => name.slice(0, Math.max(name.lastIndexOf(' > '), name.indexOf('::')));

/**
 * The expected names of tests whose own name was not expected, by their own. Values of the artifact in titles were not known before;
 * the order of the tests is the same.
 */
export function matched(names, expected) {
  const strange = names.filter((name) => !expected.includes(name));
  const missing = expected.filter((name) => !names.includes(name));
  const found = new Map();
  for (const group of new Set(strange.map(groupOf))) {
    const own = strange.filter((name) => groupOf(name) === group);
    const theirs = missing.filter((name) => groupOf(name) === group);
    if (own.length === theirs.length)
      for (const [index, name] of own.entries()) found.set(name, theirs[index]);
  }
  return found;
}
