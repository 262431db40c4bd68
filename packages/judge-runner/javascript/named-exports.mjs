/* Functions of the artifact by the names of its exports: what the suite shows of what they answer, and where else they have arrived. */
import { handles } from './handles.mjs';
import { isConstantName, lastOf, predicates, withCallback } from './method-names.mjs';
import { exportName, ofModule } from './suite-bindings.mjs';
import { isMaker } from './suite-syntax.mjs';
import { libraryOf } from './values.mjs';

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param shown what the suite shows: see `remote.mjs`
 * @param classes the artifact's, that have arrived
 */
export function createNamedExports(link, { objects: trustedNames, makers, changed, taken, passed }, classes) {
  const { sites } = link;
  /** Functions and classes that the suite reaches by the names of exports. */
  const reached = new WeakSet();
  /** Those that have arrived as answers as well: they may stand in the place of other values. */
  const answered = new WeakSet();
  /** Functions that something else has answered than what makes them, decorates one, or is one of them. */
  const strayed = new WeakSet();
  /** Exports by functions, whatever the artifact calls them: one function may be several. */
  const exportNames = new WeakMap();
  const nameExport = (part, name) => {
    if (typeof part !== 'function' || !handles.has(part)) return;
    exportNames.set(part, (exportNames.get(part) ?? new Set()).add(name));
  };
  const isShown = (name) => makers.has(name) || trustedNames.includes(lastOf(name));
  /**
   * Takes functions from an exported object that could answer for the methods of a list, set or text: with a reference those that its export
   * does not have, else those of constants.
   */
  const hold = (name, value) => {
    const parent = Object(value) === value ? Object.getPrototypeOf(value) : undefined;
    if (parent !== Object.prototype && parent !== null) return;
    if (!sites.isGuided && !isConstantName(name)) return;
    const { refusing } = link.remote;
    for (const key of Object.keys(value)) {
      // Only of a name that a list, set or text has as well is a getter called, which may need an object that inherits it.
      const isDoubtful = (predicates.has(key) || withCallback.has(key)) && typeof value[key] === 'function';
      if (isDoubtful && !sites.allowsInTest(`export ${name}.${key}`))
        if (!link.live.replace(value, key, refusing(key))) value[key] = refusing(key);
    }
  };
  /** What an exported object holds, by name: no getter is called, but in a frozen object, which shows its functions by getters of ours. */
  const partsIn = (value) => {
    if (typeof value !== 'object' || value === null || link.remote.isObject(value)) return [];
    const held = (name) => {
      try {
        return value[name];
      } catch {
        // It needs an object that inherits it.
        return undefined;
      }
    };
    return Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, shape]) => [
      name,
      Object.isFrozen(value) ? held(name) : shape.value,
    ]);
  };
  const functionsIn = (value) =>
    Array.isArray(value) ? [] : partsIn(value).filter(([, part]) => typeof part === 'function');

  return {
    /**
     * What is known of what a function answers, by the name under which the suite calls it now. Where it is called by no name of its own, as a
     * function that is passed to another, each of its names must show it.
     */
    knownOf(part) {
      const names = [...(exportNames.get(part) ?? [])];
      const called = sites.callee();
      const found = names.includes(called)
        ? [called]
        : names.some((name) => passed.has(name)) && !called
          ? names
          : [];
      if (found.length === 0) return {};
      const all = (test) => found.every(test);
      const own = { taken: new Set(found.length === 1 ? taken.get(found[0]) : []) };
      if (all((name) => isMaker(lastOf(name)) || isShown(name)))
        return {
          ...own,
          makes: true,
          isShown: all(isShown),
          isChanged: all((name) => changed.has(name)),
          isTrusted: all((name) => trustedNames.includes(lastOf(name))),
        };
      return all((name) => changed.has(name)) ? { ...own, isPart: true } : own;
    },
    /** Notes what a module exports, by the names that the suite knows. */
    note(exported, module) {
      for (const [key, value] of exported) {
        const isWhole = ofModule.has(key);
        if (!isWhole) hold(key, value);
        nameExport(value, exportName(module, [key]));
        if (libraryOf(value) !== null) sites.noteLibrary(key);
        // What stands for a value may be passed on under another name.
        if (reached.has(value) && isConstantName(key)) answered.add(value);
        for (const [inner, part] of functionsIn(value)) {
          nameExport(part, exportName(module, [key, inner]));
          if (!isWhole) answered.add(part);
        }
        classes.noteName(key === 'default' ? String(value?.name ?? '') : key, value);
        if (key === 'default') for (const [inner, part] of partsIn(value)) classes.noteName(inner, part);
      }
    },
    /** Notes a function or class that a module exports. */
    reach: (part) => void reached.add(part),
    isReached: (part) => reached.has(part),
    /** Notes a function or class that has arrived, and not as an export. */
    noteAnswered(part, { isExport, makes, decorates, isPart } = link.answering) {
      if (isExport) return;
      answered.add(part);
      if (!(makes || decorates || isPart)) strayed.add(part);
    },
    isAnswered: (part) => answered.has(part),
    isStrayed: (part) => strayed.has(part),
  };
}
