/*
 * Runs a suite of `node:test` in a box without the artifact, and tells what came of each test. One line out, one line in:
 * `ask` is a question to the artifact, which lives in another box; `result` is a test's; `done` is the end.
 */
// Before anything else.

import { hash as ownHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { ownSource, watchCode } from './generated-code.mjs';
import { createGuard } from './guard.mjs';
import { parse, stringify } from './json.mjs';
import { answerText, readLine, textOf } from './lines.mjs';
import { matched, shortened } from './names.mjs';
import { watchNetwork } from './network.mjs';
import { createLink } from './proxy.mjs';
import { makersIn } from './suite-makers.mjs';
import {
  calledNames,
  importedBuiltins,
  importedNames,
  importsNoArtifact,
  importsOfArtifact,
  namedClasses,
  namesReadOffModules,
  unsupportedAnyway,
  unsupportedIn,
} from './suite-syntax.mjs';
import { describeThrown } from './thrown.mjs';
import { watchLanguage } from './unchanged.mjs';

const judgeFolder = new URL('.', import.meta.url).href;
const apiUrl = new URL('./suite-api.mjs', import.meta.url).href;
const exit = process.reallyExit.bind(process);
/** A test may replace them. */
const hash = ownHash;
const { setTimeout, setImmediate, performance } = globalThis;
const now = performance.now.bind(performance);
const activeResources = process.getActiveResourcesInfo.bind(process);
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** How long what a file has begun may go on after its last test, in ms. */
const maxLate = 100;
/** Timers that are set here, without our own. */
const timersOfTests = () => activeResources().filter((name) => name === 'Timeout').length - 1;
let test = null;

let guard = null;
let code = null;
/** What the judge gave this module alone: nothing that a test runs can write a line in its name. Null where no artifact is asked. */
let key = null;
let lines = 0;

/** Tells a message, and returns its text. */
function answer(message) {
  const text = textOf(message);
  if (key === null) return answerText(text);
  const mark = hash('sha256', `${key}${lines} ${text}${key}`);
  lines += 1;
  answerText(`${mark} ${text}`);
  return text;
}

function exchange(message) {
  const sent = answer(test === null ? message : { ...message, test });
  guard?.asked(sent, message);
  const line = readLine();
  if (line === null) exit(0);
  const reply = parse(line);
  guard?.answered(line, reply);
  if (message.ask !== undefined || message.back !== undefined) code?.answered(reply, message.ask?.do);
  return reply;
}

function end(kind, reason) {
  exchange({ [kind]: reason.slice(0, 500) });
  exit(0);
}

/**
 * Stands for anything of an artifact while tests are only being named, and for what it answers: files make objects for all their tests. What
 * decides how many tests there are, and their names, must be the suite's own.
 */
const stub = (name) =>
  new Proxy(function named() {}, {
    get(target, key) {
      if (key === Symbol.toPrimitive || key === Symbol.iterator)
        return (hint) => {
          // In the name of a test it says nothing of how many there are: see `names.mjs`.
          if (hint === 'string') return `<${name.slice(name.indexOf('.') + 1)}>`;
          throw new Error(`${name} is used while tests are collected; use it in a test or a hook`);
        };
      return typeof key === 'symbol' || key === 'then' || key === 'prototype'
        ? Reflect.get(target, key)
        : stub(`${name}.${key}`);
    },
    set: () => true,
    apply: () => stub(name),
    construct: () => stub(name),
  });

const withoutEnding = (path) => path.replace(/\.[cm]?js$/, '');

/** True for a package that the suite declares. */
const isDeclared = (specifier) => {
  const [scope, rest] = specifier.split('/');
  return existsSync(`/node_modules/${scope.startsWith('@') ? `${scope}/${rest}` : scope}`);
};

/** How variables that modules export are set, by module and name: they have other values later. */
const followed = new Map();
function setExports(name, pairs) {
  for (const [key, value] of pairs) {
    const setters = followed.get(name) ?? {};
    if (Object.hasOwn(setters, key)) setters[key](value);
  }
}

/**
 * Lets a suite import the artifact by its own names, and `node:test` from us.
 * @returns the module of the artifact that a specifier stands for, or null
 */
function hookImports({ suite, files, modules, main, anyModule, exportsOf, refuse }) {
  const folder = `file://${suite}/`;
  const known = new Set(modules.map(withoutEnding));
  const artifactModule = (specifier, parent) => {
    // Never in the place of the language's own modules.
    if (nodeModule.isBuiltin(specifier)) return null;
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
      // Nor in that of the packages that the suite declares.
      if (isDeclared(specifier)) return null;
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
      if (name === null) {
        const found = next(specifier, context);
        // Eval'd code stands for the file that runs it.
        const isOwn = context.parentURL === undefined || context.parentURL.startsWith(judgeFolder);
        if (found.url.startsWith(judgeFolder) && !isOwn) throw refuse('the test imports a file of the judge');
        if (code?.isKnownModule(found.url) === false)
          throw refuse('the test imports a file that the artifact may have written');
        return found;
      }
      return { url: `artifact:${encodeURIComponent(name)}`, shortCircuit: true };
    },
    load(url, context, next) {
      // Hooks of the suite come to this one last.
      if (code?.isKnownModule(url) === false)
        throw refuse('the test imports a file that the artifact may have written');
      if (!url.startsWith('artifact:')) return next(url, context);
      const name = decodeURIComponent(url.slice('artifact:'.length));
      const values = exportsOf(name);
      globalThis[Symbol.for('bonafide.judge')] ??= new Map();
      const follow = (setters) => followed.set(name, setters);
      globalThis[Symbol.for('bonafide.judge')].set(name, { values, follow });
      const named = [...values.keys()].map((key, index) => [key, `v${index}`]);
      const source = [
        `const { values, follow } = globalThis[Symbol.for('bonafide.judge')].get(${stringify(name)});`,
        ...named.flatMap(([key, own]) => [
          `let ${own} = values.get(${stringify(key)});`,
          `export { ${own} as ${stringify(key)} };`,
        ]),
        `follow({ ${named.map(([key, own]) => `[${stringify(key)}]: (value) => { ${own} = value; }`).join(', ')} });`,
      ].join('\n');
      return { format: 'module', source: ownSource(source), shortCircuit: true };
    },
  });
  return artifactModule;
}

/** Why a test fails that has changed a part of the language; null where it has changed none. */
const reasonOfChange = (path) =>
  path === null
    ? null
    : `the test has changed ${path}, which decides what tests come to: set no property whose name is an answer on what all values have`;

/** Why an artifact does not find a file whose path a test gives it. */
const lackingFile = (name) =>
  `the artifact's box has no ${name.slice(-100)}, which the test gives by its path: name it in \`shared\`, or add a reference`;

/** Answers an object without a prototype: of another, `then` would be asked. */
async function run(settings) {
  const { suite, modules, collect, main } = settings;
  mkdirSync(settings.folder, { recursive: true });
  process.chdir(settings.folder);
  mkdirSync(tmpdir(), { recursive: true });
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
  let fault = null;
  let refusal = null;
  const refuse = (reason) => {
    refusal ??= reason;
    return new Error(reason);
  };
  watchNetwork(texts, existsSync('/node_modules'), refuse);
  if (!collect) guard = createGuard(suite, files, refuse, (path) => link?.noteFile(path));
  const exportsOf = (name) => {
    if (link === null)
      return new Map(
        // What a file reads off a module must not be there in a module of an artifact that lacks it.
        [...imported, ...namesReadOffModules(texts), 'default', 'module.exports'].map((each) => [
          each,
          stub(`${name}.${each}`),
        ]),
      );
    const own = new Map(link.module(name));
    // Tests that end their box do so without any artifact as well, whose names need not be there for that.
    const isEmpty = ([key, value]) =>
      /^(?:default|module\.exports)$/.test(key) &&
      typeof value === 'object' &&
      Object.keys(value ?? {}).length === 0;
    if ([...own].every(isEmpty)) for (const each of imported) own.set(each, undefined);
    return own;
  };
  const anyModule = settings.any_module === true;
  const moduleOf = hookImports({ suite, files, modules, main, anyModule, exportsOf, refuse });
  const isArtifact = (specifier, parent) => moduleOf(specifier, parent) !== null;
  const made = makersIn(programs, texts, moduleOf);
  let isSharing = () => true;
  const link = collect
    ? null
    : createLink({
        isShared: () => isSharing(),
        ...{ exchange, end, refuse, builtins },
        onExport: setExports,
        onFault(reason) {
          fault ??= reason;
        },
        places: {
          suite,
          callees: made.callees,
          doubted: made.doubted,
          owners: made.owners,
          unused: made.unused,
          texts: new Map(programs.map((name, index) => [name, texts[index]])),
          shapes: settings.shapes ?? null,
          learn: settings.learn === true,
        },
        shown: {
          objects: settings.objects ?? [],
          classNames: namedClasses(texts, imported),
          ...made,
          called: calledNames(texts),
        },
      });
  if (link !== null)
    code = watchCode({
      suite,
      texts: new Map(programs.map((name, index) => [name, texts[index]])),
      refuse,
      sites: link.sites,
    });
  // Where the tests were named by the suite's author, nothing has read its files before.
  const isUnread = !collect && !settings.syntax && !settings.shapes && settings.learn !== true;
  const instead =
    collect || isUnread || settings.learn === true
      ? importsNoArtifact(programs, texts, isArtifact, isDeclared)
      : null;
  if (instead !== null)
    return {
      __proto__: null,
      ...{ collected: [], errors: [instead], code: 0, syntax: { modules: [], unsupported: [] } },
    };
  link?.watch();
  process.env.JUDGE_SEED = settings.seed ?? '0';
  const { readFile, inOrder, runTests, isFileDone, endFile, partsOfApi, ...api } = await import(apiUrl);
  isSharing = api.isSharing;
  if (link !== null) api.relayTimers(link.relayTimers);
  process.on('uncaughtException', (error) => {
    fault ??= `nothing caught an error that was thrown in a timer, an event or an end of a promise: ${describeThrown(error)}`;
  });
  /** Promises that were rejected and that nothing handles here, with the reasons: something in the artifact may. */
  const rejected = new Map();
  process.on('unhandledRejection', (error, promise) => rejected.set(promise, error));
  const takeRejected = () => {
    const reasons = new Map(rejected);
    rejected.clear();
    if (fault !== null || reasons.size === 0) return;
    try {
      const promise = link === null ? [...reasons.keys()][0] : link.firstUnhandled([...reasons.keys()]);
      if (promise !== undefined)
        fault = `nothing handles a promise that was rejected: ${describeThrown(reasons.get(promise))}`;
    } catch (error) {
      fault = describeThrown(error);
    }
  };
  // Keeps the process alive while a test or a file waits, and lets the artifact go on by itself meanwhile.
  const pump = setInterval(() => {
    if (link?.isBusy()) link.tick(5);
  }, 1);
  const errors = [];
  /** Files that could not be read to their end, with the reason: none of their tests counts as passed. */
  const unread = new Map();
  const hasPackages = existsSync('/node_modules');
  const watchAll = () => watchLanguage({ texts, own: partsOfApi, hasPackages });
  let changedLanguage = collect || hasPackages ? null : watchAll();
  const placeOfSyntaxError = async () => {
    const { syntaxErrorIn } = await import('./analysis.mjs');
    const found = texts.map(syntaxErrorIn);
    const at = found.findIndex((each) => each !== null);
    return at < 0 ? '' : ` at ${programs[at]}:${found[at]}`;
  };
  for (const name of tests) {
    fault = null;
    const note = (reason) => errors.push(`${name}: ${reason}`.slice(0, 2000));
    try {
      await readFile(name, suite, () => import(`file://${suite}/${name}`), note);
      await turn();
    } catch (error) {
      fault ??= describeThrown(error);
      // The language says of a module neither the file nor the line.
      if (error instanceof SyntaxError) fault += await placeOfSyntaxError().catch(() => '');
    }
    takeRejected();
    if (fault === null) continue;
    note(fault);
    unread.set(name, fault);
  }
  // A package may add to all objects where it is imported.
  if (!collect && hasPackages) changedLanguage = watchAll();
  const batches = inOrder();
  const inTurn = batches.flat();
  for (const each of inTurn) if (!settings.expected?.includes(each.id)) each.id = shortened(each.id);
  const names = matched(
    inTurn.map(({ id }) => id),
    settings.expected ?? [],
  );
  for (const each of inTurn) each.id = names.get(each.id) ?? each.id;
  const collected = inTurn.map(({ id, layer }) => ({ id, layer }));
  const placesOfTests = async () => {
    const { placesIn } = await import('./suite-places.mjs');
    const { everyTest } = await import('./suite-notes.mjs');
    const { places, assertions } = placesIn(programs, texts, isArtifact, made);
    const ofTests = (found) =>
      inTurn.flatMap(({ id, site }) =>
        found
          .filter(
            (each) => (each.site === site || each.site === everyTest) && id.startsWith(`${each.file}::`),
          )
          .map(({ site: _site, ...place }) => ({ ...place, test: id })),
      );
    return { __proto__: null, places: ofTests(places), assertions: ofTests(assertions) };
  };
  if (collect) {
    const unsupported = unsupportedIn(programs, texts, moduleOf, made.makers);
    return {
      __proto__: null,
      collected,
      errors,
      code: 0,
      syntax: {
        modules: [],
        imports: importsOfArtifact(programs, texts, isArtifact),
        unsupported,
        ...(await placesOfTests()),
      },
    };
  }
  const unsupported = settings.learn === true ? unsupportedAnyway(programs, texts, moduleOf) : [];
  const syntax =
    isUnread || unsupported.length > 0 ? { modules: [], unsupported, ...(await placesOfTests()) } : null;
  const { places = [], assertions = [] } = syntax ?? settings.syntax ?? {};
  // Tests that run at the same time are known by the name of the first.
  const firsts = new Map(batches.flatMap((batch) => batch.map(({ id }) => [id, batch[0].id])));
  const byFirst = (found) => found.map((each) => ({ ...each, test: firsts.get(each.test) }));
  link.noteConversions({
    answers: byFirst(places.filter((each) => each.last !== undefined)),
    assertions: byFirst(assertions),
  });
  /** Tells what came of a test. True when the judge wants no more. */
  const tell = (id, found, ms) => {
    const unshared = found === null ? undefined : settings.unshared?.find(guard.hasGiven);
    const ofObject = refusal === null ? link.hint() : '';
    const hint = unshared === undefined ? ofObject : ` (${lackingFile(unshared)})`;
    const reason = found === null ? null : `${found.slice(0, 500 - hint.length)}${hint}`;
    const refused = refusal !== null && found === refusal ? { refused: true } : {};
    return 'stop' in exchange({ result: { id, passed: found === null, ms, reason, ...refused } });
  };
  const attempt = (work) => {
    try {
      return work() ?? null;
    } catch (error) {
      return describeThrown(error);
    }
  };
  for (const batch of batches) {
    const [first] = batch;
    const whyUnread = unread.get(first.file);
    exchange({ begins: batch.map(({ id }) => id) });
    test = first.id;
    fault = null;
    rejected.clear();
    refusal = null;
    link.beginTest(test);
    guard.beginTest();
    const ended = new Map();
    if (whyUnread === undefined) await runTests(batch, ended);
    // Before anything else is done by what it may have changed.
    let changed = changedLanguage();
    let beside = attempt(link.letGo);
    await turn();
    if (isFileDone(first)) {
      const until = now() + maxLate;
      while (
        fault === null &&
        rejected.size === 0 &&
        refusal === null &&
        now() < until &&
        (link.isActive() || timersOfTests() > 0)
      )
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (isFileDone(first) || whyUnread !== undefined) beside ??= attempt(() => endFile(first));
    if (batch === batches.at(-1)) beside ??= attempt(link.exit);
    takeRejected();
    test = null;
    beside ??= attempt(link.endTest) ?? fault;
    // What it does late is found after the next test of its file.
    if (isFileDone(first)) changed ??= changedLanguage();
    for (const each of batch) {
      const { reason, ms } = ended.get(each) ?? { reason: `it was not run: ${whyUnread}`, ms: 0 };
      if (tell(each.id, refusal ?? reason ?? beside ?? reasonOfChange(changed), ms)) exit(0);
    }
  }
  clearInterval(pump);
  const found = { collected, errors, code: 0, shapes: link.learnt(), ...(syntax === null ? {} : { syntax }) };
  return { __proto__: null, ...found };
}

answer({ started: true });
/** Reads the settings, and keeps the key out of memory that a test may be given. */
function readSettings() {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  const line = readLine();
  Buffer.poolSize = poolSize;
  if (line === null) exit(0); // The artifact did not even load.
  const { key: own = null, ...settings } = parse(line);
  key = own;
  return settings;
}
const settings = readSettings();
let told;
try {
  told = { done: await run(settings) };
} catch (error) {
  told = { broken: describeThrown(error).slice(0, 500) };
}
answer(told);
exit(0);
