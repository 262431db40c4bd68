/* Files that an artifact leaves in the folder in which it begins: a test that lists that folder sees the one of its own box. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { cwd } from 'node:process';
import { temporaryFolder } from './shared-files.mjs';

const maxNames = 100;
/** What lists the current folder in the text of a suite. */
const listing =
  /\b(?:readdir|opendir|glob)(?:Sync)?\(\s*(?:['"`](?:\.['"`/]|[^/'"`{]*[*?])|process\.cwd\(\)|cwd\(\))|\bcwd\(\)/;

/** True for a suite that may list the folder in which it begins. */
export const listsFolder = (text) => listing.test(text);

const namesIn = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Looks at the folder of this process. Returns a function that answers the names which are new there, or null where these are as they were last. */
export function watchLeft() {
  const home = cwd();
  // The judge makes the folder of temporary files.
  const before = new Set([...namesIn(home), basename(temporaryFolder)]);
  let known = [];
  return () => {
    const now = namesIn(home)
      .filter((name) => !before.has(name))
      .sort()
      .slice(0, maxNames);
    if (now.join('/') === known.join('/')) return null;
    known = now;
    return now;
  };
}

/** What a tester knows of that folder. */
export function createLeft() {
  let now = [];
  let before = [];
  return {
    arrive(names) {
      now = names;
    },
    beginTest() {
      before = now;
    },
    /** Why a test fails during which files have been left there; null where none have. */
    reason() {
      const found = now.filter((name) => !before.includes(name));
      return found.length === 0
        ? null
        : `left files in its current folder, which the test may look at in its own box: ${found.join(', ').slice(0, 100)}`;
    },
  };
}
