/* Which files of a suite a reference opens: others find them in their box as well. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where an artifact finds the files that a suite shares with it. */
export const suiteFolder = '/suite';
const openers = {
  fs: ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream', 'copyFile', 'copyFileSync'],
  promises: ['open', 'readFile', 'copyFile'],
};

/** Begins to note what is opened. Returns a function that takes the paths which were noted since, from the folder of the suite. */
export function watchOpened() {
  const opened = new Set();
  const note = (path) => {
    const text = path instanceof URL ? fileURLToPath(path) : path;
    if (typeof text !== 'string') return;
    const full = resolve(text);
    if (full.startsWith(`${suiteFolder}/`)) opened.add(relative(suiteFolder, full));
  };
  for (const [owner, names] of [
    [fs, openers.fs],
    [fs.promises, openers.promises],
  ])
    for (const name of names) {
      const original = owner[name];
      owner[name] = function noted(path, ...rest) {
        note(path);
        return Reflect.apply(original, this, [path, ...rest]);
      };
    }
  syncBuiltinESMExports();
  return () => {
    const paths = [...opened].slice(0, 1000);
    opened.clear();
    return paths;
  };
}
