/*
 * What a test changes around itself, so that the artifact's box has it as well, and what the artifact changes there: environment, arguments,
 * folder, temporary files, and functions and values of the language and of Node that a test puts others in the place of.
 */
import { basename } from 'node:path';
import { runInNewContext } from 'node:vm';
import { createLeft, listsFolder } from './left-files.mjs';
import { absent, held, isComputed, nameOfClass, ownerOf, put, putBack, shapeOf } from './owners.mjs';
import { createProcessState } from './process-state.mjs';
import { listensToWarnings, repeatWarning } from './process-warnings.mjs';
import { pathsReadIn } from './read-paths.mjs';
import { createReadState } from './read-state.mjs';
import { createSharedFiles, temporaryFolder } from './shared-files.mjs';

/** What tests replace, by the name of its object. Whatever else they replace is their own. */
const replaceable = {
  JSON: ['parse', 'stringify'],
  Math: ['random', 'floor', 'round', 'trunc'],
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
/** What a test computes by itself: an artifact replaces none of it. */
const isOfTest = ({ owner, name }) => owner === 'JSON' || (owner === 'Math' && name !== 'random');
/** True for what an artifact may replace for its test: nothing that assertions are made of. */
const isOfArtifact = ({ owner, name, original }) =>
  owner === 'console' ||
  (owner in replaceable && !isOfTest({ owner, name }) && !owner.startsWith('process')) ||
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
/** What ends a timer takes the artifact's, which means nothing in a test's process. */
const ends = ['clearTimeout', 'clearInterval', 'clearImmediate'];
/** Globals that are not replaced: those of the language itself, apart from dates, and what ends a timer. */
const ofLanguage = () =>
  new Set(
    runInNewContext('Object.getOwnPropertyNames(globalThis)')
      .filter((name) => name !== 'Date')
      .concat(ends),
  );

/**
 * @param texts of the suite's files
 * @param builtins modules of Node's that these import, by name
 * @param lie ends the run, as the artifact says what no box says
 * @param refuse fails the running test, whatever it catches
 * @param noteFile notes a file of the suite that the reference opens; null without one that is learnt from
 * @param noteChange notes that what is around has changed: what an object computes may depend on it
 */
export function createSurroundings({ texts, builtins, lie, refuse, noteChange, noteFile }) {
  const whole = texts.join('\n');
  const mentions = (name) => new RegExp(`\\b${name}\\b`).test(whole);
  /** What the artifact is to look at as well. */
  const state = ['env', 'exitCode', 'argv'].filter(mentions);
  if (mentions('chdir') || mentions('cwd')) state.push('folder');
  const hasFiles = [...builtins.keys()].some((name) => name.startsWith('fs')) || mentions('tmpdir');
  const isApart = !process.cwd().startsWith(`${temporaryFolder}/`);
  const looks = { warnings: listensToWarnings(whole), left: isApart && listsFolder(whole) };
  const left = createLeft();
  const paths = pathsReadIn(texts);
  const readState = createReadState(paths);
  const files = hasFiles ? createSharedFiles(temporaryFolder) : null;
  /** Functions and values that may be replaced, as `[object, name]`, with what they were. */
  const places = [];
  const watched = (owner, names) => {
    const object = ownerOf(owner);
    // One object may have two names: `fs/promises` and `promises` of `fs`.
    const isNew = (name) => !places.some((each) => each.object === object && each.name === name);
    for (const name of names) if (mentions(name) && isNew(name)) places.push({ owner, name, object });
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
  for (const place of places)
    Object.assign(place, {
      original: held(place.object, place.name),
      shape: shapeOf(place.object, place.name),
    });
  /** What the artifact knows of each place. */
  for (const place of places) place.known = place.original;
  let isTold = false;
  /** What has mocked timers, by number. */
  const mocking = new Set();
  const processState = createProcessState(state);
  /** Prototypes of classes of the artifact whose methods the test may replace, by number. */
  const classes = new Map();
  const isAnything =
    noteFile !== null ||
    places.length + state.length + paths.length > 0 ||
    [isGlobal, hasFiles, looks.warnings, looks.left].includes(true);

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
  /** Methods that the test has given such a prototype since. */
  const noteMethods = () => {
    for (const [number, object] of classes)
      for (const name of Object.getOwnPropertyNames(object)) {
        const owner = nameOfClass(number);
        if (name === 'constructor' || places.some((each) => each.object === object && each.name === name))
          continue;
        places.push({ owner, name, object, original: absent, known: absent });
      }
  };
  /** A place that the artifact names: one that is watched, or a global that was not there. */
  const placeOf = (owner, name) => {
    const known = places.find((each) => each.owner === owner && each.name === name);
    if (known !== undefined || !isGlobal || owner !== 'globalThis' || name in globalThis) return known;
    namesBefore.add(name);
    places.push({ owner, name, object: globalThis, original: absent, known: absent });
    return places.at(-1);
  };
  const takeReplaced = (leave) =>
    places.flatMap((place) => {
      const { owner, name, object, original } = place;
      if (mocking.size > 0 && owner === 'globalThis' && timers.has(name)) return [];
      const now = held(object, name);
      if (now === place.known) return [];
      place.known = now;
      readState.noteReplaced(owner, name);
      if (now === original) return [[owner, name]];
      return [[owner, name, ...(now === absent ? [null] : [leave(now), isComputed(object, name)])]];
    });

  return {
    /** True where the suite may replace methods of classes: of their prototypes, or of one object, by a mock that looks for them there. */
    replacesMethods: /\bmock\s*\.\s*(?:method|getter|setter)\b|\.prototype\b/.test(whole),
    /** Notes the prototype of a class of the artifact, with its methods. */
    watchClass(number, object) {
      classes.set(number, object);
      const owner = nameOfClass(number);
      for (const name of Object.getOwnPropertyNames(object)) {
        if (name === 'constructor') continue;
        const original = held(object, name);
        places.push({ ...{ owner, name, object, original, known: original }, shape: shapeOf(object, name) });
      }
    },
    /** Notes whether the test has mocked its timers, by one of its trackers. */
    noteTimers(tracker, action) {
      if (action === 'reset') mocking.delete(tracker);
      else mocking.add(tracker);
    },
    /** Functions of a test mean nothing in the next one, unless they are told of again. */
    beginTest() {
      left.beginTest();
      readState.beginTest();
      for (const place of places) if (place.known !== place.original) place.known = undefined;
    },
    /** Why the running test fails, whatever it came to; null where it may pass. */
    endTest: () => left.reason(),
    /** What the artifact has changed of its process, of which the suite reads its own, as pairs of a name and the value in words. */
    changedState: () => readState.changed(),
    /** What the test has changed since it was last asked, for a question. */
    take(leave) {
      if (!isAnything && classes.size === 0) return {};
      const told = processState.changed();
      if (!isTold)
        told.watch = {
          ...{ state, files: hasFiles, globals: isGlobal, opened: noteFile !== null, ...looks, paths },
          places: places
            .filter((each) => isOfArtifact(each) || isOfTest(each))
            .map(({ owner, name }) => [owner, name]),
        };
      isTold = true;
      const changed = files?.changed() ?? [];
      noteGlobals();
      noteMethods();
      const replaced = takeReplaced(leave);
      if (replaced.length > 0) told.replaced = replaced;
      if (Object.keys(told).length + changed.length > 0) noteChange();
      return {
        ...(Object.keys(told).length === 0 ? {} : { around: told }),
        ...(changed.length === 0 ? {} : { files: changed }),
      };
    },
    /** What the artifact has changed around itself, done here as well. */
    arrive({ around: told = {}, files: changed = [], callback }, arrive) {
      if (Object.keys(told).length + changed.length > 0) noteChange();
      for (const path of told.opened ?? []) noteFile?.(path);
      for (const each of told.warnings ?? []) repeatWarning(each);
      if (told.left !== undefined) left.arrive(told.left);
      readState.arrive(told.state ?? [], callback === undefined);
      let untold;
      try {
        untold = files?.arrive(changed);
      } catch (error) {
        return lie(`files that no folder has (${error.code})`);
      }
      if (untold !== undefined)
        throw refuse(
          `made what cannot be shared among temporary files, a link or a large file: ${basename(untold)}`,
        );
      const elsewhere = processState.arrive(told);
      if (elsewhere !== undefined) throw refuse(`goes to a folder that the test does not have: ${elsewhere}`);
      for (const [owner, name, ...value] of told.replaced ?? []) {
        const place = placeOf(owner, name);
        if (place !== undefined && isOfTest(place))
          throw refuse(`replaces ${owner}.${name}, which the test has by itself`);
        if (place === undefined || !isOfArtifact(place))
          return lie('a function of the test that it does not know');
        const [part, isGetter = false] = value;
        if (value.length === 0) putBack(place.object, name, place.shape);
        else put(place.object, name, part === null ? absent : arrive(`${owner}.${name}`, part), isGetter);
        place.known = held(place.object, name);
      }
    },
  };
}
