/* Modules of the artifact, with what they export: a test is told it when it imports one, and when a variable of one has another value. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { entersContexts, usesContexts } from './contexts.mjs';

const require = createRequire(import.meta.url);

/**
 * @param link the connection, as `objects.mjs` makes it
 * @param folder of the artifact's files
 * @param files its modules
 */
export function createExportedModules(link, folder, files) {
  const loaded = new Map();
  const namespaces = new WeakSet();
  /** Modules that were told, with the values of their variables. */
  const exported = new Map();
  const pathOf = (name) => `${folder}/${files.find((file) => file.replace(/\.[cm]?js$/, '') === name)}`;
  const told = (value) => link.lent.lendingExport(value, { value: link.encoding.encode(value) });
  /** What a module exports, as `[name, value, names of the whole in it, its number]`. */
  const exportsOf = (own, whole) => {
    // `module.exports.default = module.exports`: what it exports is told without itself.
    const isWhole = (value) => typeof whole === 'object' && whole !== null && value === whole;
    // A getter may need an object that inherits it: none is called to look for that.
    const selves = Object.entries(Object.getOwnPropertyDescriptors(isWhole(whole) ? whole : {})).flatMap(
      ([key, { value, enumerable }]) => (enumerable && isWhole(value) ? [key] : []),
    );
    const others = () => Object.fromEntries(Object.entries(whole).filter(([, value]) => !isWhole(value)));
    return Object.keys(own).map((key) => {
      if (isWhole(own[key]) && selves.length > 0) return [key, link.encoding.encode(others()), selves];
      const { value, lent } = told(own[key]);
      return [key, value, [], ...(lent === undefined ? [] : [lent])];
    });
  };

  /** True for what the text of one of the files shows. */
  const isShown = (shows) =>
    files.some((file) => {
      try {
        return shows(readFileSync(`${folder}/${file}`, 'utf8'));
      } catch {
        // It is not there.
        return false;
      }
    });
  const isUsingContexts = isShown(usesContexts);
  const isEnteringContexts = isUsingContexts && isShown(entersContexts);

  return {
    /** True where the program makes asynchronous contexts. */
    usesContexts: () => isUsingContexts,
    /** True where it changes the context of what calls it. */
    entersContexts: () => isEnteringContexts,
    isNamespace: (part) => namespaces.has(part),
    async load(name) {
      if (!loaded.has(name)) {
        const module = await import(pathOf(name));
        namespaces.add(module);
        loaded.set(name, module);
      }
      const module = loaded.get(name);
      // A module of the older kind is what it exports.
      const isOlder = require.cache[pathOf(name)] !== undefined;
      const own = { ...(isOlder && typeof module.default === 'object' ? module.default : {}), ...module };
      const exports = exportsOf(own, module.default);
      if (!isOlder) exported.set(name, { module, values: new Map(Object.entries(module)) });
      return { value: { $handle: { id: link.numbers.numberOf(module), kind: 'module', name, exports } } };
    },
    /** Variables of modules that have other values now: `[module, name, value, its number]`. */
    takeChanged() {
      const changed = [];
      for (const [name, { module, values }] of exported)
        for (const [key, before] of values) {
          const now = module[key];
          if (Object.is(now, before)) continue;
          values.set(key, now);
          let encoded;
          try {
            encoded = { value: link.encoding.encode(now) };
          } catch {
            // It cannot cross: the test keeps what it was told.
            continue;
          }
          const { value, lent } = link.lent.lendingExport(now, encoded);
          changed.push([name, key, value, ...(lent === undefined ? [] : [lent])]);
        }
      return changed.length === 0 ? {} : { exported: changed };
    },
  };
}
