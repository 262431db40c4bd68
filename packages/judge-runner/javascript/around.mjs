/* What a test has changed around itself, done in the artifact's box as well, and what the artifact changes there. */

import { intrinsicAt } from './intrinsics.mjs';
import { watchLeft } from './left-files.mjs';
import { watchOpened } from './opened.mjs';
import {
  absent,
  held,
  isComputed,
  nameOfClass,
  ownerOf as ownerOfLanguage,
  put,
  putBack,
  shapeOf,
} from './owners.mjs';
import { createProcessState } from './process-state.mjs';
import { watchWarnings } from './process-warnings.mjs';
import { watchState } from './read-state.mjs';
import { createSharedFiles, temporaryFolder } from './shared-files.mjs';

/**
 * @param arrive how a value of the test arrives
 * @param leave how a value of ours leaves
 * @param classOf a class of ours by its number
 */
export function createAround({ arrive, leave, classOf }) {
  const ownerOf = (name) => {
    const [kind, number] = name.split(' ');
    return kind === 'class' ? classOf(Number(number)).prototype : ownerOfLanguage(name);
  };
  /** What the tester wants to know of; null until it has said so. */
  let watch = null;
  let files = null;
  let processState = createProcessState([]);
  /** How the artifact had what the test has replaced. */
  const originals = new Map();
  /** Functions and values of which the tester is told, by the names of their objects and their own. */
  const places = new Map();
  /** Takes the files of the suite that were opened since. */
  let takeOpened = () => [];
  let takeWarnings = () => [];
  let takeLeft = () => null;
  let takeState = () => [];
  const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis));

  const note = (owner, name, original) =>
    places.set(`${owner} ${name}`, { owner, name, original, known: original });
  const begin = (told) => {
    watch = told;
    processState = createProcessState(watch.state);
    if (watch.files) files = createSharedFiles(temporaryFolder);
    if (watch.opened) takeOpened = watchOpened();
    if (watch.warnings) takeWarnings = watchWarnings();
    if (watch.left) takeLeft = watchLeft();
    for (const [owner, name] of watch.places)
      note(owner, name, intrinsicAt(`${owner} .${name}`) ?? held(ownerOf(owner), name));
    takeState = watchState(watch.paths);
  };
  /** Globals that the artifact has made since. */
  const noteGlobals = () => {
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!globalsBefore.has(name)) {
        globalsBefore.add(name);
        const path = `globalThis ${name}`;
        if (!originals.has(path) && !places.has(path)) note('globalThis', name, absent);
      }
  };
  const replace = ([owner, name, ...value]) => {
    const object = ownerOf(owner);
    const path = `${owner} ${name}`;
    if (!originals.has(path)) originals.set(path, shapeOf(object, name));
    const [part, isGetter = false] = value;
    if (value.length === 0) putBack(object, name, originals.get(path));
    else put(object, name, part === null ? absent : arrive(part), isGetter);
    if (places.has(path)) places.get(path).known = held(object, name);
  };
  const changedPlaces = () =>
    [...places.values()].flatMap((place) => {
      const { owner, name, original } = place;
      const object = ownerOf(owner);
      const now = held(object, name);
      if (now === place.known) return [];
      place.known = now;
      if (now === original) return [[owner, name]];
      return [[owner, name, ...(now === absent ? [null] : [leave(now), isComputed(object, name)])]];
    });

  return {
    /** True where the test looks at the code with which the process ends. */
    sharesExitCode: () => watch?.state.includes('exitCode') === true,
    /** A method of a class as the artifact has written it, whatever the test has put in its place; with a part, what gets or sets a property. */
    methodOf(number, key, part = 'value') {
      const path = `${nameOfClass(number)} ${String(key)}`;
      if (originals.has(path)) return originals.get(path)?.[part];
      const { prototype } = classOf(number);
      return part === 'value' ? prototype[key] : shapeOf(prototype, key)?.[part];
    },
    /** Does what the test has done since the last question. */
    take({ around: told = {}, files: changed = [] }) {
      if (told.watch !== undefined) begin(told.watch);
      try {
        files?.arrive(changed);
      } catch {
        // A program that holds a file in the place of a folder finds it there.
      }
      processState.arrive(told);
      for (const each of told.replaced ?? []) replace(each);
    },
    /** What the artifact has done since, for an answer. */
    changed() {
      if (watch === null) return {};
      const told = processState.changed();
      const changed = files?.changed() ?? [];
      const opened = takeOpened();
      if (opened.length > 0) told.opened = opened;
      const warnings = takeWarnings();
      if (warnings.length > 0) told.warnings = warnings;
      const left = takeLeft();
      if (left !== null) told.left = left;
      const state = takeState();
      if (state.length > 0) told.state = state;
      if (watch.globals) noteGlobals();
      const replaced = changedPlaces();
      if (replaced.length > 0) told.replaced = replaced;
      return {
        ...(Object.keys(told).length === 0 ? {} : { around: told }),
        ...(changed.length === 0 ? {} : { files: changed }),
      };
    },
  };
}
