/*
 * What a test changes around itself, so that the artifact's box has it as well, and what the artifact changes there: environment, arguments,
 * folder, temporary files, and functions and values of the language and of Node that a test puts others in the place of.
 */
import { existsSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { absent, differences, held, ownerOf, put } from './owners.mjs';
import { createSharedFiles, temporaryFolder } from './shared-files.mjs';

/** What tests replace, by the name of its object. Whatever else they replace is their own. */
const replaceable = {
  Math: ['random'],
  Date: ['now'],
  performance: ['now'],
  crypto: ['getRandomValues', 'randomUUID'],
  process: [
    ...['exit', 'kill', 'uptime', 'hrtime', 'memoryUsage', 'emitWarning'],
    ...['platform', 'arch', 'version', 'versions', 'pid', 'ppid', 'title'],
  ],
  'process.stdin': ['isTTY'],
  'process.stdout': ['write', 'isTTY', 'columns', 'rows', 'hasColors', 'getColorDepth'],
  'process.stderr': ['write', 'isTTY', 'columns', 'rows', 'hasColors', 'getColorDepth'],
};
/** True for what an artifact may replace for its test: nothing that assertions are made of. */
const isOfArtifact = ({ owner, name, original }) =>
  owner === 'console' ||
  (name === 'write' && owner.startsWith('process.std')) ||
  (owner === 'globalThis' && (name === 'fetch' || original === absent));
/** Timers and dates, while the test has mocked them by `mock.timers`: the artifact's are mocked the same way. */
const timers = new Set(
  ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'].concat(
    'Date',
    'AbortSignal',
  ),
);
/** Modules whose functions are not replaced across two boxes: `mock.timers` does it by itself, and tests are ours. */
const ownModules = new Set(['test', 'timers', 'timers/promises', 'assert', 'assert/strict', 'vm', 'module']);
/** What stays as it is in each box. */
const isOwnVariable = (name) => /^(?:JUDGE|LD_)/.test(name);
/** Globals of the language itself, apart from dates. */
const ofLanguage = () =>
  new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)').filter((name) => name !== 'Date'));

/** True for the shared folder and what is in it. */
const isShared = (path) => `${path}/`.startsWith(`${temporaryFolder}/`);
const environment = () => ({ ...process.env });

/**
 * @param texts of the suite's files
 * @param builtins modules of Node's that these import, by name
 * @param lie ends the run, as the artifact says what no box says
 */
export function createSurroundings({ texts, builtins, lie }) {
  const whole = texts.join('\n');
  const mentions = (name) => new RegExp(`\\b${name}\\b`).test(whole);
  const watch = {
    env: mentions('env'),
    exitCode: mentions('exitCode'),
    argv: mentions('argv'),
    folder: mentions('chdir') || mentions('cwd'),
    files: [...builtins.keys()].some((name) => name.startsWith('fs')) || mentions('tmpdir'),
  };
  const files = watch.files ? createSharedFiles(temporaryFolder) : null;
  /** Functions and values that may be replaced, as `[object, name]`, with what they were. */
  const places = [];
  const watched = (owner, names) => {
    for (const name of names) if (mentions(name)) places.push({ owner, name, object: ownerOf(owner) });
  };
  for (const [owner, names] of Object.entries(replaceable))
    if (owner.split('.').every(mentions)) watched(owner, names);
  if (mentions('console')) watched('console', Object.keys(console));
  for (const [name, module] of builtins) {
    if (ownModules.has(name)) continue;
    const functionsOf = (part) => Object.keys(part).filter((key) => typeof held(part, key) === 'function');
    watched(`node:${name}`, functionsOf(module));
    if (name === 'fs') watched('node:fs.promises', functionsOf(module.promises));
  }
  const isGlobal = mentions('globalThis') || mentions('global');
  const excluded = isGlobal ? ofLanguage() : new Set();
  const named = [...whole.matchAll(/\bglobal(?:This)?\s*\??\.\s*([\w$]+)/g)].map(([, name]) => name);
  if (isGlobal)
    watched(
      'globalThis',
      [...new Set([...Object.getOwnPropertyNames(globalThis), ...named])].filter(
        (name) => !excluded.has(name),
      ),
    );
  const namesBefore = new Set(Object.getOwnPropertyNames(globalThis));
  for (const place of places) place.original = held(place.object, place.name);
  /** What the artifact knows of each place. */
  for (const place of places) place.known = place.original;
  let isTold = false;
  /** What has mocked timers, by number. */
  const mocking = new Set();
  const home = process.cwd();
  const known = {
    env: environment(),
    exitCode: process.exitCode,
    argv: process.argv.join('\0'),
    folder: process.cwd(),
  };
  const isAnything = places.length > 0 || isGlobal || Object.values(watch).includes(true);

  /** Globals that the test has made since. */
  const noteGlobals = () => {
    if (!isGlobal) return;
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!namesBefore.has(name)) {
        namesBefore.add(name);
        if (named.includes(name)) continue;
        places.push({ owner: 'globalThis', name, object: globalThis, original: absent, known: absent });
      }
  };
  const takeReplaced = (leave) =>
    places.flatMap((place) => {
      const { owner, name, object, original } = place;
      if (mocking.size > 0 && owner === 'globalThis' && timers.has(name)) return [];
      const now = held(object, name);
      if (now === place.known) return [];
      place.known = now;
      if (now === original) return [[owner, name]];
      return [[owner, name, now === absent ? null : leave(object[name])]];
    });

  return {
    /** Notes whether the test has mocked its timers, by one of its trackers. */
    noteTimers(tracker, action) {
      if (action === 'reset') mocking.delete(tracker);
      else mocking.add(tracker);
    },
    /** Functions of a test mean nothing in the next one, unless they are told of again. */
    beginTest() {
      for (const place of places) if (place.known !== place.original) place.known = undefined;
    },
    /** What the test has changed since it was last asked, for a question. */
    take(leave) {
      if (!isAnything) return {};
      const told = {};
      if (!isTold)
        told.watch = {
          ...watch,
          places: places.filter(isOfArtifact).map(({ owner, name }) => [owner, name]),
        };
      isTold = true;
      if (watch.env) {
        const env = environment();
        const changed = differences(env, known.env).filter(([name]) => !isOwnVariable(name));
        known.env = env;
        if (changed.length > 0) told.env = changed;
      }
      if (watch.exitCode && process.exitCode !== known.exitCode) {
        known.exitCode = process.exitCode;
        told.exitCode = process.exitCode ?? null;
      }
      if (watch.argv && process.argv.join('\0') !== known.argv) {
        known.argv = process.argv.join('\0');
        told.argv = process.argv.map(String);
      }
      if (watch.folder && process.cwd() !== known.folder) {
        known.folder = process.cwd();
        told.folder = isShared(known.folder) ? known.folder : null;
      }
      const changed = files?.changed() ?? [];
      noteGlobals();
      const replaced = takeReplaced(leave);
      if (replaced.length > 0) told.replaced = replaced;
      return {
        ...(Object.keys(told).length === 0 ? {} : { around: told }),
        ...(changed.length === 0 ? {} : { files: changed }),
      };
    },
    /** What the artifact has changed around itself, done here as well. */
    arrive({ around: told = {}, files: changed }, arrive) {
      for (const [name, value] of watch.env ? (told.env ?? []) : []) {
        if (/[=\0]/.test(name) || isOwnVariable(name)) continue;
        if (value === null) delete process.env[name];
        else process.env[name] = value;
      }
      if (watch.env) known.env = environment();
      if (watch.exitCode && 'exitCode' in told) {
        process.exitCode = told.exitCode ?? undefined;
        known.exitCode = process.exitCode;
      }
      if (changed !== undefined) files?.arrive(changed);
      if (watch.folder && told.folder !== undefined) {
        const isThere = isShared(told.folder) && existsSync(told.folder);
        process.chdir(isThere ? told.folder : home);
        known.folder = process.cwd();
      }
      for (const [owner, name, ...value] of told.replaced ?? []) {
        const place = places.find((each) => each.owner === owner && each.name === name);
        if (place === undefined || !isOfArtifact(place))
          return lie('a function of the test that it does not know');
        put(place.object, name, value.length === 0 ? place.original : arrive(`${owner}.${name}`, value[0]));
        place.known = held(place.object, name);
      }
    },
  };
}
