/*
 * Runs a suite of `node:test` in a box without the artifact, and tells what came of each test. One line out, one line in:
 * `ask` is a question to the artifact, which lives in another box; `result` is a test's; `done` is the end.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { answer, readLine } from './lines.mjs';
import { createLink } from './proxy.mjs';

const apiUrl = new URL('./suite-api.mjs', import.meta.url).href;
const exit = process.reallyExit.bind(process);
const { parse } = JSON;
let test = null;

function exchange(message) {
  answer(test === null ? message : { ...message, test });
  const line = readLine();
  if (line === null) exit(0);
  return parse(line);
}

function end(kind, reason) {
  exchange({ [kind]: reason.slice(0, 500) });
  exit(0);
}

/** Names that a suite imports from anywhere; a module of the artifact has at least these, if only as undefined. */
function importedNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, clause] of text.matchAll(/\bimport\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\b/g))
      for (const part of clause.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').split(',')) {
        const name = part.trim().split(/\s+as\s+/)[0];
        if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) names.add(name);
      }
  return names;
}

/** Stands for anything of an artifact while tests are only being named. */
const stub = (name) =>
  new Proxy(function named() {}, {
    get: (target, key) =>
      typeof key === 'symbol' || key === 'then' || key === 'prototype'
        ? Reflect.get(target, key)
        : stub(`${name}.${key}`),
    apply: () => {
      throw new Error(`${name} is called while tests are collected; call it in a test or a hook`);
    },
    construct: () => {
      throw new Error(`${name} is made while tests are collected; make it in a test or a hook`);
    },
  });

/** Built-in modules that the suite imports: what they hold is passed to the artifact by name. */
function importedBuiltins(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, name] of text.matchAll(/(?:from|import|require\()\s*['"]((?:node:)?[a-z_/]+)['"]/g))
      if (nodeModule.isBuiltin(name) && !name.endsWith('test')) names.add(name.replace(/^node:/, ''));
  return [...names];
}

/** Names that the suite uses as classes are used: imported, or read off something. */
function namedClasses(texts, imported) {
  const names = new Set([...imported].filter((name) => /^[A-Z]/.test(name)));
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\.([A-Z][\w$]*)/g)) names.add(name);
    for (const [, name] of text.matchAll(/\bimport\s+([A-Z][\w$]*)/g)) names.add(name);
    for (const [, clause] of text.matchAll(/\{([^{}]*)\}\s*=\s*(?:await\s+import|require)\b/g))
      for (const part of clause.split(',')) names.add(part.trim().split(':')[0]);
  }
  return names;
}

/** Names that the suite takes out of what a call answers: `const { open } = deferred()`. */
function destructuredNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, clause] of text.matchAll(/\{([^{}]*)\}\s*=\s*(?:await\s+)?[\w$.]+\(/g))
      for (const part of clause.split(',')) names.add(part.trim().split(/[:=\s]/)[0]);
  return names;
}

/** Methods that values of the language have. */
const valueMethods = new Set(
  [Array, String, Map, Set, Date, RegExp, Promise, Number, BigInt, Object, Function, Uint8Array, Error]
    .flatMap((kind) => Object.getOwnPropertyNames(kind.prototype))
    .concat(Object.getOwnPropertyNames(Object.getPrototypeOf(function* walk() {}.prototype)), [
      'next',
      'return',
      'throw',
    ]),
);
const makesObjects = /^(?:(?:create|make|build|init|open|use|configure|define|setup|new)(?:[A-Z]|$)|[A-Z])/;

/** Constructs that do not work across two boxes. */
function unsupportedIn(programs, texts, isArtifact) {
  const found = [];
  for (const [index, text] of texts.entries()) {
    const imported = new Set();
    const names = new Set();
    for (const [, clause, from] of text.matchAll(/\bimport\s+([^'";]*?)\s+from\s*['"]([^'"]+)['"]/g))
      if (isArtifact(from, `file:///suite/${programs[index]}`))
        for (const part of clause.replace(/[{}]/g, ',').split(',')) {
          const name = part
            .trim()
            .split(/\s+as\s+/)
            .at(-1);
          if (/^[A-Z]/.test(name)) imported.add(name);
          if (/^[a-z_$][\w$]*$/.test(name)) names.add(name.replaceAll('$', '\\$'));
        }
    const plain = [...names].filter((name) => !makesObjects.test(name));
    const at = (match) => text.slice(0, match.index).split('\n').length;
    for (const name of plain) {
      const results = [`\\b${name}\\((?:[^()]|\\([^()]*\\))*\\)`];
      for (const [, own] of text.matchAll(
        new RegExp(`(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*(?:await\\s+)?${results[0]}\\s*;`, 'g'),
      ))
        results.push(`\\b${own}`);
      for (const result of results)
        for (const match of text.matchAll(new RegExp(`(?<![.\\w$])${result}\\.([\\w$]+)\\(`, 'g')))
          if (!valueMethods.has(match[1]) && !match[0].startsWith('mock'))
            found.push({
              ...{ file: programs[index], line: at(match), class: name },
              construct: `calls the method ${match[1]}() of what ${name}() answers`,
            });
    }
    for (const match of text.matchAll(/\bclass\s+(?:[\w$]+\s+)?extends\s+([\w$]+)/g))
      if (imported.has(match[1])) {
        const line = text.slice(0, match.index).split('\n').length;
        found.push({
          file: programs[index],
          line,
          construct: `derives a class from ${match[1]} of the artifact`,
          class: null,
        });
      }
  }
  return found;
}

const withoutEnding = (path) => path.replace(/\.[cm]?js$/, '');

/** Lets a suite import the artifact by its own names, and `node:test` from us. */
function hookImports({ suite, files, modules, main, anyModule, exportsOf }) {
  const folder = `file://${suite}/`;
  const known = new Set(modules.map(withoutEnding));
  const artifactModule = (specifier, parent) => {
    // Never in the place of the language's own modules.
    if (nodeModule.isBuiltin(specifier)) return null;
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
      // Nor in that of the packages that the suite declares.
      const [scope, rest] = specifier.split('/');
      if (existsSync(`/node_modules/${scope.startsWith('@') ? `${scope}/${rest}` : scope}`)) return null;
      if (specifier === main?.name) return withoutEnding(main.file);
      return known.has(withoutEnding(specifier)) || anyModule ? withoutEnding(specifier) : null;
    }
    const { href } = new URL(specifier, parent);
    const path = href.startsWith(folder) ? href.slice(folder.length) : href.replace(/^file:\/\/\//, '');
    // The suite's own files go first.
    if (files.includes(path) || files.includes(`${path}.js`)) return null;
    const inside = path === '' || path.endsWith('/') ? path : `${path}/`;
    const candidates = [withoutEnding(path), `${inside}index`];
    if (inside === '/' || inside === '') candidates.unshift(withoutEnding(main?.file ?? 'index'));
    return candidates.find((each) => known.has(each)) ?? (anyModule ? candidates[0] : null);
  };
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'node:test' && context.parentURL?.startsWith(folder))
        return { url: apiUrl, shortCircuit: true };
      const name = context.parentURL?.startsWith(folder)
        ? artifactModule(specifier, context.parentURL)
        : null;
      if (name === null) return next(specifier, context);
      return { url: `artifact:${encodeURIComponent(name)}`, shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('artifact:')) return next(url, context);
      const name = decodeURIComponent(url.slice('artifact:'.length));
      const values = exportsOf(name);
      globalThis[Symbol.for('bonafide.judge')] ??= new Map();
      globalThis[Symbol.for('bonafide.judge')].set(name, values);
      const lines = [...values.keys()].map((key, index) =>
        key === 'default'
          ? `export default all.get('default');`
          : `const v${index} = all.get(${JSON.stringify(key)}); export { v${index} as ${JSON.stringify(key)} };`,
      );
      const source = `const all = globalThis[Symbol.for('bonafide.judge')].get(${JSON.stringify(name)});\n${lines.join('\n')}`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
  return (specifier, parent) => artifactModule(specifier, parent) !== null;
}

async function run(settings) {
  const { suite, modules, collect, main } = settings;
  process.chdir(suite);
  const files = readdirSync(suite, { recursive: true }).map(String).sort();
  const programs = files.filter((name) => /\.[cm]?js$/.test(name));
  const tests = programs.filter((name) =>
    /(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[._-]test)\.[cm]?js$/.test(name),
  );
  const texts = programs.map((name) => readFileSync(`${suite}/${name}`, 'utf8'));
  const imported = importedNames(texts);
  const builtins = new Map();
  if (!collect)
    for (const name of importedBuiltins(texts))
      builtins.set(name, nodeModule.createRequire(import.meta.url)(name));
  let refusal = null;
  const refuse = (reason) => {
    refusal ??= reason;
    return new Error(reason);
  };
  const link = collect
    ? null
    : createLink({
        ...{ exchange, end, refuse, builtins, suite, classNames: namedClasses(texts, imported) },
        taken: destructuredNames(texts),
        texts: new Map(programs.map((name, index) => [name, texts[index]])),
        ...{
          objects: settings.objects ?? [],
          shapes: settings.shapes ?? null,
          learn: settings.learn === true,
        },
      });
  const exportsOf = (name) => {
    const names = new Set([...imported, 'default']);
    if (link === null)
      return new Map([...names, 'module.exports'].map((each) => [each, stub(`${name}.${each}`)]));
    const own = new Map(link.module(name));
    for (const each of names) if (!own.has(each)) own.set(each, undefined);
    return own;
  };
  const anyModule = settings.any_module === true;
  const isArtifact = hookImports({ suite, files, modules, main, anyModule, exportsOf });
  process.env.JUDGE_SEED = settings.seed ?? '0';
  const { beginFile, inOrder, runTest } = await import(apiUrl);
  const errors = [];
  for (const name of tests) {
    beginFile(name);
    try {
      await import(`file://${suite}/${name}`);
    } catch (error) {
      errors.push(`${name}: ${error?.name}: ${error?.message}`.slice(0, 2000));
    }
  }
  const collected = inOrder().map(({ id, layer }) => ({ id, layer }));
  if (collect) {
    const unsupported = unsupportedIn(programs, texts, (specifier, parent) => isArtifact(specifier, parent));
    return { collected, errors, code: 0, syntax: { modules: [], unsupported } };
  }
  let fault = null;
  const onFault = (error) => {
    fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  // Keeps the process alive while a test waits, and lets the artifact go on by itself meanwhile.
  const pump = setInterval(() => {
    if (test !== null && link.isBusy()) link.tick(5);
  }, 1);
  for (const each of inOrder()) {
    test = each.id;
    fault = null;
    refusal = null;
    link.beginTest();
    const begun = performance.now();
    const reason = await runTest(each);
    await new Promise((resolve) => setImmediate(resolve));
    const ms = performance.now() - begun;
    test = null;
    const found = refusal ?? reason ?? (fault === null ? null : `beside it: ${fault}`);
    const reply = exchange({
      result: {
        id: each.id,
        passed: found === null,
        ms,
        reason: found === null ? null : found.slice(0, 500),
      },
    });
    if ('stop' in reply) exit(0);
  }
  clearInterval(pump);
  return { collected, errors, code: 0, shapes: link.learnt() };
}

answer({ started: true });
const first = readLine();
if (first === null) exit(0); // The artifact did not even load.
let told;
try {
  told = { done: await run(parse(first)) };
} catch (error) {
  told = { broken: `${error?.name}: ${error?.message}`.slice(0, 500) };
}
answer(told);
exit(0);
