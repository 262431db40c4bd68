/* Paths by which the programs of a suite read the state of their own process: `process.title`, `EventEmitter.defaultMaxListeners`. */
import { builtinModules } from 'node:module';
import { listedNames, ownNames } from './read-state.mjs';
import { namesSetIn, namesSetOn } from './set-names.mjs';
import { withoutLiterals } from './suite-text.mjs';

const maxPaths = 200;
/** Globals of which a path is followed. */
const roots = [
  ...['process', 'performance', 'crypto', 'Buffer', 'URL', 'AbortSignal', 'EventTarget', 'Event', 'Object'],
  ...['Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date', 'Promise', 'Error'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'JSON', 'Math', 'Reflect', 'Intl'],
];
/** What is the same in both boxes, or what each has for itself. */
const isShared =
  /^(?:process\.(?:env|argv|execArgv|exitCode|cwd|chdir|std|nextTick|on|once|off|emit|p?pid|exit|kill|hrtime|uptime|memoryUsage)|Math\.random|Date\.now|performance\.now|crypto\.(?:randomUUID|getRandomValues)|AbortSignal\.timeout)/;
/** Modules of which nothing is followed: those that tests are made of. */
const ownModules = /^(?:test|timers|assert|vm|module|worker_threads|process$)/;
/** What a literal is an object of, by its first character. */
const kinds = { '[': 'Array', '{': 'Object', "'": 'String', '"': 'String', '`': 'String' };

/** Names that a file gives to modules of Node and what it imports of them, as pairs of a name and a path. */
function* importedIn(text) {
  const clauses =
    /\b(?:import\s+([^'";]+?)\s+from\s*|(?:const|let|var)\s+([^=;]+?)\s*=\s*require\s*\(\s*)['"](?:node:)?([\w/]+)['"]/g;
  for (const [, imported, required, module] of text.matchAll(clauses)) {
    if (!builtinModules.includes(module) || ownModules.test(module)) continue;
    const [whole, listed = ''] = (imported ?? required).split('{');
    const name = whole
      .replace(/\*\s*as\s+/, '')
      .replace(',', '')
      .trim();
    if (name !== '') yield [name, [`node:${module}`]];
    for (const part of listed.replace('}', '').split(',')) {
      const [of, local = of] = part.trim().split(/\s+as\s+|\s*:\s*/);
      if (/^[\w$]+$/.test(of)) yield [local, [`node:${module}`, of]];
    }
  }
}

/** Paths that a file reads, each with the text of what it reads its last part of. */
function* readIn(text, code) {
  const names = new Map(roots.map((name) => [name, ['globalThis', name]]));
  for (const [name, path] of importedIn(text)) names.set(name, path);
  const follow = function* (root, keys) {
    const path = names.get(root);
    if (path === undefined) return;
    for (const [index, key] of keys.entries()) {
      const owner = [root, ...keys.slice(0, index)].join('.');
      if (!isShared.test(`${owner}.${key}`)) yield [owner, [...path, ...keys.slice(0, index + 1)]];
    }
    // A prototype as a whole: `Object.getOwnPropertyNames(Array.prototype)`.
    if (keys.at(-1) === 'prototype') yield [[root, ...keys].join('.'), [...path, ...keys, ownNames]];
  };
  const keysIn = (rest) => rest.split(/\s*\??\.\s*/).slice(1);
  for (const [, root, rest] of code.matchAll(/(?<![.\w$])([\w$]+)((?:\s*\??\.\s*[\w$]+)+)/g))
    yield* follow(root, keysIn(rest));
  for (const [, root, rest, name] of text.matchAll(
    /(?<![.\w$])([\w$]+)((?:\.[\w$]+)*)\[\s*['"`]([\w$]+)['"`]\s*\]/g,
  ))
    yield* follow(root, [...keysIn(rest), name]);
  // `const { title } = process`.
  for (const [, listed, root, rest] of code.matchAll(/\{([^{}]*)\}\s*=\s*([\w$]+)((?:\.[\w$]+)*)\s*[;,\n]/g))
    for (const [, name] of listed.matchAll(/(?:^|,)\s*([\w$]+)/g))
      yield* follow(root, [...keysIn(rest), name]);
  if (/\b(?:__proto__|prototype)\b/.test(text))
    yield ['Object.prototype', ['globalThis', 'Object', 'prototype', ownNames]];
}

const inherited = (kind, name) => ['globalThis', kind, 'prototype', name];
/** Paths of what a file reads off literals, off what `new` makes of a global, and in loops, which all objects of a kind inherit. */
function* readOffLiterals(code) {
  // `[].last`, `({}).polluted` and `''.shout`.
  for (const [, list, object, text, name] of code.matchAll(
    /(?<![\w$)\]])\(?(?:(\[)[^[\]]*\]|(\{)[^{}]*\}|(['"`]))\)?\s*\??\.\s*([\w$]+)/g,
  ))
    yield inherited(kinds[list ?? object ?? text], name);
  for (const [, kind, name] of code.matchAll(/\bnew\s+(\w+)\s*\([^()]*\)\s*\??\.\s*([\w$]+)/g))
    if (roots.includes(kind)) yield inherited(kind, name);
  for (const [, name] of code.matchAll(/(?<![\w$])\(\s*[\d.]+\s*\)\s*\.\s*([\w$]+)/g))
    yield inherited('Number', name);
  // `const list = [1]; list.last`.
  const named = new Map(
    [...code.matchAll(/\b(?:const|let|var)\s+([\w$]+)\s*=\s*([[{'"`])/g)].map(([, name, first]) => [
      name,
      kinds[first],
    ]),
  );
  for (const [, part] of code.matchAll(
    /\bfor\s*\(\s*(?:(?:const|let|var)\s+)?[\w$.]+\s+in\b\s*\(?\s*([\w$]+|.)/g,
  ))
    for (const kind of new Set(['Object', kinds[part] ?? named.get(part) ?? 'Array']))
      yield inherited(kind, listedNames);
  for (const [, name, key] of code.matchAll(/(?<![.\w$])([\w$]+)\s*\??\.\s*([\w$]+)/g))
    if (named.has(name)) yield inherited(named.get(name), key);
}

/** Paths of globals and of modules of Node that the programs of a suite read, without those that they set themselves. */
export function pathsReadIn(texts) {
  const whole = texts.join('\n');
  let all = null;
  const anywhere = () => {
    all ??= namesSetIn(whole);
    return all;
  };
  const setByOwner = new Map();
  const setOn = (owner) => {
    if (!setByOwner.has(owner)) setByOwner.set(owner, namesSetOn(whole, owner) ?? anywhere());
    return setByOwner.get(owner);
  };
  const found = new Map();
  const add = (path) => found.size < maxPaths && found.set(path.join(' '), path);
  const codes = texts.map(withoutLiterals);
  for (const [at, code] of codes.entries())
    for (const [owner, path] of readIn(texts[at], code)) if (!setOn(owner).has(path.at(-1))) add(path);
  for (const code of codes) for (const path of readOffLiterals(code)) add(path);
  return [...found.values()];
}
