/* The state of a process that a tester and an artifact each have for themselves, and every question and answer brings to the same. */

import { statSync } from 'node:fs';
import { stringify } from './json.mjs';
import { temporaryFolder } from './shared-files.mjs';

/** A test may replace these, and counts who calls them. */
const { chdir, cwd } = process;
const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
/** Folders that every system has. */
const everywhere = new Set(['/', '/usr', '/dev']);
const isInBoth = (path) => everywhere.has(path) || `${path}/`.startsWith(`${temporaryFolder}/`);
/** What stays as it is in each box, and what is no name. */
const isOwnVariable = (name) => /^(?:JUDGE|LD_)|[=\0]/.test(name);

const looks = {
  env: () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwnVariable(name))),
  exitCode: () => (process.exitCode === undefined ? null : Number(process.exitCode)),
  argv: () => process.argv.map(String),
  folder: () => cwd(),
};
/** Names of a record that differ from those of another, with their values now: null for those that are gone. */
const differences = (now, before) => [
  ...Object.entries(now).filter(([name, value]) => before[name] !== value),
  ...Object.keys(before)
    .filter((name) => !Object.hasOwn(now, name))
    .map((name) => [name, null]),
];
const isSame = (one, other) => stringify(one) === stringify(other);

/** @param names what is looked at: `env`, `exitCode`, `argv` and `folder`, of which the one in which it begins says nothing to the other side */
export function createProcessState(names) {
  const home = cwd();
  const known = new Map(names.map((name) => [name, looks[name]()]));
  const enter = {
    env(changed) {
      for (const [name, value] of changed)
        if (value === null && !isOwnVariable(name)) delete process.env[name];
        else if (!isOwnVariable(name)) process.env[name] = value;
    },
    exitCode(code) {
      process.exitCode = code ?? undefined;
    },
    argv(all) {
      process.argv = all;
    },
    folder(path) {
      chdir(path !== null && isInBoth(path) && isFolder(path) ? path : home);
    },
  };

  return {
    /** What is other than at the last look, as it is told. */
    changed() {
      const told = {};
      for (const [name, before] of known) {
        const now = looks[name]();
        if (isSame(now, before)) continue;
        known.set(name, now);
        told[name] =
          name === 'env' ? differences(now, before) : name === 'folder' && now === home ? null : now;
      }
      return told;
    },
    /** Makes it what the other side has. Returns a folder that is not there; undefined for none. */
    arrive(told) {
      for (const name of known.keys())
        if (told[name] !== undefined) {
          enter[name](told[name]);
          known.set(name, looks[name]());
        }
      const { folder } = told;
      return known.has('folder') && typeof folder === 'string' && known.get('folder') !== folder
        ? folder
        : undefined;
    },
  };
}
