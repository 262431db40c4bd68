/* Keeps a tester from taking the content of the suite's own files for that of a file which an answer names. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { normalize, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const maxText = 4096;
const readers = {
  fs: [
    'open',
    'openSync',
    'readFile',
    'readFileSync',
    'createReadStream',
    'cp',
    'cpSync',
    'copyFile',
    'copyFileSync',
  ],
  promises: ['open', 'readFile', 'cp', 'copyFile'],
};

/** Every text in a JSON document. */
function* textsIn(part) {
  if (typeof part === 'string') {
    if (part.length <= maxText) yield part;
  } else if (typeof part === 'object' && part !== null)
    for (const [key, value] of Object.entries(part)) {
      yield key;
      yield* textsIn(value);
    }
}

/**
 * Watches what this process reads while a test waits for answers.
 * @param suite folder of the suite
 * @param files its files, relative
 * @param refuse fails the running test, whatever it catches
 * @param giving is told the files and folders of the suite whose paths a test gives the artifact
 */
export function createGuard(suite, files, refuse, giving) {
  let given = new Set();
  let named = new Set();
  const { existsSync, statSync } = fs;
  const leadsIn = (text) => {
    if (text.startsWith('/proc')) return true;
    const path = normalize(resolve(suite, text.replace(/^file:\/\//, '')));
    return path === suite || (path.startsWith(`${suite}/`) && (text.startsWith('/') || existsSync(path)));
  };
  const placeOf = (text) => relative(suite, normalize(resolve(suite, text.replace(/^file:\/\//, ''))));
  /** A word may be the name of a folder as well, which is given by its whole path. */
  const isPath = (text) =>
    !text.startsWith('/proc') && (/^(?:file:\/\/)?\//.test(text) || statSync(resolve(suite, text)).isFile());
  const note = (line, message, found) => {
    if (!line.includes(suite) && !line.includes('/proc') && !files.some((name) => line.includes(`"${name}"`)))
      return;
    for (const text of textsIn(message)) if (leadsIn(text)) found.add(text);
  };
  const check = (path) => {
    if (named.size === 0) return;
    const text = path instanceof URL ? fileURLToPath(path) : typeof path === 'string' ? path : null;
    if (text === null) return;
    const full = resolve(text);
    for (const each of named) {
      if (given.has(each)) continue;
      const own = normalize(resolve(suite, each.replace(/^file:\/\//, '')));
      if (
        full === own ||
        (full.startsWith(`${own}/`) && (full.startsWith(`${suite}/`) || own.startsWith('/proc')))
      )
        throw refuse('answered the path of a file of the suite');
    }
  };
  for (const [owner, names] of [
    [fs, readers.fs],
    [fs.promises, readers.promises],
  ])
    for (const name of names) {
      const original = owner[name];
      owner[name] = function guarded(path, ...rest) {
        check(path);
        return Reflect.apply(original, this, [path, ...rest]);
      };
    }
  syncBuiltinESMExports();
  return {
    asked(line, message) {
      const before = given.size;
      note(line, message, given);
      if (given.size === before) return;
      // What a call is given, and what a function of the test answers; the whole suite is no input.
      const inputs = [message.ask?.args, message.ask?.value, message.back?.returns].filter(Boolean);
      for (const text of textsIn(inputs))
        if (given.has(text) && isPath(text) && placeOf(text) !== '') giving(placeOf(text));
    },
    /** True where the running test has given the artifact the path of this file of the suite, or of a folder of it. */
    hasGiven: (name) =>
      [...given]
        .filter(isPath)
        .map(placeOf)
        .some((place) => `${name}/`.startsWith(`${place}/`)),
    answered(line, message) {
      // What a reference has opened is no answer.
      const { opened: _opened, ...around } = message.around ?? {};
      note(line, { ...message, around }, named);
    },
    beginTest() {
      given = new Set();
      named = new Set();
    },
  };
}
