/*
 * Watches every way in which a tester's process can run a text: the evaluation of strings, constructors of functions, `vm`, modules that are no files,
 * threads, the inspector. What an artifact has answered never runs here: it would decide what the tests come to.
 *
 * Loaded before anything else, as other modules note the functions of the language.
 */
import { hash as ownHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import workers from 'node:worker_threads';

const { URL } = globalThis;
const judgeFolder = new URL('.', import.meta.url).pathname;
const { apply, construct } = Reflect;
const readText = readFileSync;
const realPath = realpathSync;
// Imported functions are replaced where a test replaces those of the module.
const hash = ownHash;
const sourceOf = (text) => hash('sha256', text, 'base64url').slice(0, 22);
/** Characters of values of a module, of which no code is made; its functions, and names that the suite has, are none. */
const maxOpening = 12;
/** Numbers and operators: what they come to is the same whoever wrote them. */
const arithmetic = /^[\d\s.+\-*/%()<>=!&|^~?:,]+$/;
const reasonOf = (what) =>
  `runs by ${what} a text that the artifact may have answered; the judge runs texts of the suite's files, and those that a reference leads to`;

/** Decides about a text; null until the suite is known, when nothing of an artifact is here. */
let decide = null;
/** Refuses anything else; returns the error to throw. */
let refusing = (reason) => new Error(reason);
const check = (what, texts) => {
  if (decide === null) return;
  for (const text of texts) if (!decide(text)) throw refusing(reasonOf(what));
};

/** The stack from here on, whatever a test has set. */
function framesHere() {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = undefined;
  try {
    return String(new Error().stack)
      .split('\n')
      .slice(1)
      .filter((line) => !line.includes(judgeFolder));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}
const placeIn = /(?:file:\/\/)?(\/[^():]*):(\d+):(\d+)\)?$/;
/** The file that runs a text, with the line and the column. */
function callerOf() {
  for (const line of framesHere()) {
    const found = line.match(placeIn);
    if (found !== null)
      return { file: decodeURI(found[1]), line: Number(found[2]), column: Number(found[3]) };
  }
  return null;
}
const fileTexts = new Map();
const textOfFile = (file) => {
  if (!fileTexts.has(file))
    try {
      fileTexts.set(file, readText(file, 'utf8'));
    } catch {
      fileTexts.set(file, '');
    }
  return fileTexts.get(file);
};

const literal =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|('(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)/g;
const escapes = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' };
const cooked = (text) =>
  text
    .slice(1, -1)
    .replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, (_, a, b, c, one) => {
      const code = a ?? b ?? c;
      return code === undefined ? (escapes[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16));
    });
const literalsOf = new Map();
/** True for a text that stands in a file: as it is, or as a literal of it. */
function standsIn(file, source, text) {
  if (source.includes(text)) return true;
  if (!literalsOf.has(file))
    literalsOf.set(
      file,
      new Set([...source.matchAll(literal)].flatMap(([, each]) => (each ? [cooked(each)] : []))),
    );
  return literalsOf.get(file).has(text);
}

// biome-ignore lint/security/noGlobalEval: it is watched here.
const ownEval = globalThis.eval;
/** Evaluates as a function: the text sees no variables of the place. */
const evalWatched = {
  eval(text) {
    if (typeof text === 'string') check('eval()', [text]);
    return apply(ownEval, undefined, [text]);
  },
}.eval;
const literalCall =
  /(?<![.\w$])eval\s*\(\s*(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\$])*`)\s*,?\s*\)/g;
const onlyLiterals = new Map();
/** Lines from the place that the engine notes to that of the name, in one statement. */
const maxLines = 4;
/** True where a file calls `eval('…')` with a literal, and does nothing else with it: such a text sees the variables of the place. */
function isOfLiteral() {
  const place = callerOf();
  if (place === null) return false;
  const text = textOfFile(place.file);
  if (!onlyLiterals.has(place.file)) {
    // Wherever the word stands: what is a text and what an expression between texts takes a parser to tell.
    onlyLiterals.set(
      place.file,
      !/\beval\b(?!\s*:\s*(?:true|false)\b)|\\u/.test(text.replace(literalCall, '')),
    );
  }
  if (!onlyLiterals.get(place.file)) return false;
  const rest = text
    .split('\n')
    .slice(place.line - 1, place.line - 1 + maxLines)
    .join('\n')
    .slice(place.column - 1);
  return rest.search(literalCall) >= 0;
}
let evalNow = evalWatched;
Object.defineProperty(globalThis, 'eval', {
  get: () => (evalNow === evalWatched && isOfLiteral() ? ownEval : evalNow),
  set(value) {
    evalNow = value;
  },
  ...{ enumerable: false, configurable: true },
});

/** A function in the place of another one, which looks at the arguments first. */
const watched = (original, look) =>
  new Proxy(original, {
    apply: (target, self, args) => apply(target, self, look(args)),
    construct: (target, args, kind) =>
      construct(target, look(args), kind === made.get(target) ? target : kind),
  });
/** Proxies by what they stand for. */
const made = new Map();
const watch = (original, look) => {
  made.set(original, watched(original, look));
  return made.get(original);
};

const ofTexts = (args) => {
  const texts = args.map(String);
  check('a constructor of functions', texts);
  return texts;
};
const [ownFunction, ...otherFunctions] = [
  () => {},
  async () => {},
  function* () {},
  async function* () {},
].map((each) => Object.getPrototypeOf(each).constructor);
globalThis.Function = watch(ownFunction, ofTexts);
for (const each of [ownFunction, ...otherFunctions])
  Object.defineProperty(each.prototype, 'constructor', { value: made.get(each) ?? watch(each, ofTexts) });
for (const each of otherFunctions) Object.setPrototypeOf(each, globalThis.Function);

/** Options of a script, of which those are looked at that hold what the engine has compiled before: it runs, whatever the text is. */
const ofCompiled = (what) => (options) => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return options;
  const { cachedData, ...others } = options;
  if (cachedData === undefined) return options;
  check(what, [bytesOf(cachedData).toString('base64')]);
  return { ...others, cachedData };
};
const ofCode = (what) => (args) => {
  const [code, ...rest] = args;
  const text = String(code);
  check(what, [text]);
  return [text, ...rest.map(ofCompiled(what))];
};
/** What runs in another realm makes no code of texts there. */
const closed = { strings: false };
const withOption = (options, name) =>
  typeof options === 'object' && options !== null ? { ...options, [name]: closed } : { [name]: closed };
for (const name of ['compileFunction', 'runInContext', 'runInThisContext', 'Script', 'SourceTextModule'])
  if (typeof vm[name] === 'function') vm[name] = watch(vm[name], ofCode(`vm.${name}()`));
vm.runInNewContext = watch(vm.runInNewContext, (args) => {
  const [text, sandbox, options] = ofCode('vm.runInNewContext()')(args);
  const named = typeof options === 'string' ? { filename: options } : options;
  return [text, sandbox, withOption(named, 'contextCodeGeneration')];
});
vm.createContext = watch(vm.createContext, ([sandbox, options]) => [
  sandbox,
  withOption(options, 'codeGeneration'),
]);

/** Texts of modules that the judge has made. */
const ownSources = new Set();
/** Lets a module that stands for one of the artifact's run, also where a file requires it. */
export function ownSource(text) {
  ownSources.add(text);
  return text;
}

const { Module } = nodeModule;
/** True in a thread that has run nothing of its own. */
let isBeginning = !workers.isMainThread;
const ownCompile = Module.prototype._compile;
Module.prototype._compile = function compile(content, file, ...rest) {
  // Node's own text around that of a thread, which was looked at where the thread was started.
  const isBegun = isBeginning && file === '[worker eval]-wrapper';
  isBeginning = false;
  if (isBegun) return apply(ownCompile, this, [content, file, ...rest]);
  const text = String(content);
  // A file of the suite, or of a package, as it is.
  if (decide !== null && !ownSources.has(text) && !(isKnownFile(file) && textOfFile(file) === text))
    check('module._compile()', [text]);
  return apply(ownCompile, this, [text, file, ...rest]);
};
/** What a hook has answered, read once: an object of the artifact can have another text for each look. */
const onlyValues = (found) => ({ ...found });
/** The text of a module as a hook has it; empty for none. */
const textOfSource = (source) => {
  if (typeof source === 'string') return source;
  return source === undefined || source === null ? '' : bytesOf(source).toString('utf8');
};
/** Bytes of a buffer or of a view of one. */
const bytesOf = (source) =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
const ownHooks = nodeModule.registerHooks;
if (typeof ownHooks === 'function')
  nodeModule.registerHooks = function registerHooks(hooks) {
    if (decide === null) return apply(ownHooks, this, [hooks]);
    const load = (url, context, next) => {
      // As it is now: a hook can change what it was given.
      const given = [];
      const found = onlyValues(
        hooks.load(url, context, (...args) => {
          const last = next(...args);
          given.push(textOfSource(last?.source));
          return last;
        }),
      );
      const text = textOfSource(found.source);
      if (!given.includes(text)) check('a hook of modules', [text]);
      return found;
    };
    const resolve = (name, context, next) => {
      const found = onlyValues(hooks.resolve(name, context, next));
      if (found.url !== undefined) found.url = String(found.url);
      if (!isKnownModule(found.url ?? '')) throw refusing(reasonOf('a hook of modules'));
      return found;
    };
    return apply(ownHooks, this, [
      {
        ...hooks,
        ...(typeof hooks?.load === 'function' ? { load } : {}),
        ...(typeof hooks?.resolve === 'function' ? { resolve } : {}),
      },
    ]);
  };

const ownRegister = nodeModule.register;
nodeModule.register = function register(file, ...rest) {
  // Such hooks give modules other texts, in a thread of their own.
  const text = String(file);
  if (decide !== null && !decide(text)) throw refusing(reasonOf('module.register()'));
  return apply(ownRegister, this, [text, ...rest]);
};
// What was compiled before stands in a folder that an artifact may write to.
if (typeof nodeModule.enableCompileCache === 'function')
  nodeModule.enableCompileCache = () => ({ status: nodeModule.constants.compileCacheStatus.DISABLED });

let knownFolders = [];
/** True for a file that no artifact has written. */
function isKnownFile(file) {
  try {
    const path = realPath(file);
    return knownFolders.some((folder) => path.startsWith(folder));
  } catch {
    return false;
  }
}
/** What threads know of the suite, by this name. */
export const dataOfThreads = 'judge';
const guardOfThreads = fileURLToPath(new URL('./thread.cjs', import.meta.url));
/** What is said to the engine holds for threads as well. */
const ownArguments = process.execArgv.filter((each) => !each.startsWith('--max-old-space-size'));
/** True for the address of a module that no artifact can have written: a file of the suite or a package, or a text that stands in the suite. */
function isKnownModule(url) {
  // As an engine reads it: `DATA:` is `data:`.
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'file:') return isKnownFile(fileURLToPath(url));
  return protocol === 'node:' || protocol === 'artifact:' || decide(url);
}
const ofThread = (args) => {
  const [file, ownOptions] = args;
  const [text, options] = [String(file), onlyValues(ownOptions)];
  if (options.eval === true || text.startsWith('data:')) check('a thread', [text]);
  else if (decide !== null && !isKnownFile(text.startsWith('file:') ? fileURLToPath(text) : text))
    throw refusing(reasonOf('a thread'));
  if (decide === null) return args;
  const { env = process.env, execArgv, ...others } = options;
  // Both could name a module that runs there first, and before Node has hooks for that a thread may import what it is given.
  const given = execArgv === undefined ? ownArguments : Array.from(execArgv, String);
  if (execArgv !== undefined) check('a thread', given);
  if (typeof ownHooks !== 'function' || (env === workers.SHARE_ENV && process.env.NODE_OPTIONS !== undefined))
    throw refusing(reasonOf('a thread'));
  const own = env === workers.SHARE_ENV ? env : { ...env };
  if (env !== workers.SHARE_ENV) delete own.NODE_OPTIONS;
  const address = file instanceof URL ? new URL(text) : text;
  return [address, { ...others, env: own, execArgv: [...given, '--require', guardOfThreads] }];
};
workers.Worker = watch(workers.Worker, ofThread);

const ownLoad = process.dlopen;
process.dlopen = function dlopen(module, file, ...rest) {
  if (decide !== null && !isKnownFile(file)) throw refusing(reasonOf('process.dlopen()'));
  return apply(ownLoad, this, [module, file, ...rest]);
};
// What is changed in one of Node's inner parts would see what the judge writes.
for (const name of ['binding', '_linkedBinding']) {
  const own = process[name];
  process[name] = (...args) => ({ ...apply(own, process, args) });
}

const inspector = process.getBuiltinModule('node:inspector');
const evaluating =
  /^(?:Runtime\.(?:evaluate|callFunctionOn|compileScript|runScript)|Debugger\.|HeapProfiler\.)/;
for (const owner of [inspector?.Session, process.getBuiltinModule('node:inspector/promises')?.Session]) {
  if (owner === undefined || !Object.hasOwn(owner.prototype, 'post')) continue;
  const post = owner.prototype.post;
  owner.prototype.post = function watchedPost(method, params, ...rest) {
    const [name, given] = [
      String(method),
      typeof params === 'object' && params !== null ? { ...params } : params,
    ];
    if (evaluating.test(name))
      check('the inspector', [String(given?.expression ?? given?.functionDeclaration ?? '\0')]);
    return apply(post, this, [name, given, ...rest]);
  };
}

/** What a program is given, without what its objects inherit: it could name `constructor`, and so reach the language. */
const ofImports = (given, depth = 2) =>
  depth > 0 && (typeof given === 'object' || typeof given === 'function') && given !== null
    ? Object.assign(
        Object.create(null),
        Object.fromEntries(
          Object.getOwnPropertyNames(given).map((name) => [name, ofImports(given[name], depth - 1)]),
        ),
      )
    : given;
const { WebAssembly } = globalThis;
const ofInstance = ([program, imports, ...rest]) => [program, ofImports(imports), ...rest];
for (const name of ['Instance', 'instantiate', 'instantiateStreaming'])
  if (typeof WebAssembly[name] === 'function') WebAssembly[name] = watch(WebAssembly[name], ofInstance);
syncBuiltinESMExports();

const starters = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];
/** A program that is started here would end the process: the box of tests forbids it. */
function refuseStarting(refuse) {
  const processes = process.getBuiltinModule('node:child_process');
  for (const name of starters)
    processes[name] = () => {
      throw refuse(`starts a program by ${name}(), which the box of the tests forbids`);
    };
  syncBuiltinESMExports();
}

/** Looks at what is typed into a REPL, which runs in the realm of the tests. Its module takes 30 ms to load. */
function watchRepl() {
  const repl = process.getBuiltinModule('node:repl');
  const own = repl.REPLServer;
  repl.REPLServer = function REPLServer(...args) {
    const server = construct(own, args, new.target ?? own);
    const evaluate = server.eval;
    server.eval = function watchedEval(text, ...rest) {
      check('a REPL', [String(text).replace(/\n$/, '')]);
      return apply(evaluate, this, [text, ...rest]);
    };
    return server;
  };
  repl.REPLServer.prototype = own.prototype;
  repl.start = (...args) => new repl.REPLServer(...args);
  syncBuiltinESMExports();
}

/** Extensions of a database are programs of the machine. */
function watchExtensions() {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? {};
  const own = DatabaseSync?.prototype.loadExtension;
  if (typeof own !== 'function') return;
  DatabaseSync.prototype.loadExtension = function loadExtension(file, ...rest) {
    if (!isKnownFile(file)) throw refusing(reasonOf('loadExtension()'));
    return apply(own, this, [file, ...rest]);
  };
}

/** Questions that answer no more than names, unless a text shows otherwise: code may be made of the suite's own values after them. */
const opening = new Set(['watch', 'module', 'tick', 'methods', 'accessors', 'inherits']);

/** Characters of the values in what a question of `opening` was told, without names that stand in the suite. */
function lengthOf(part, isOfSuite) {
  if (typeof part === 'string') return isOfSuite(part) ? 0 : part.length;
  if (typeof part === 'number') return String(part).length;
  if (typeof part !== 'object' || part === null) return 0;
  if (Array.isArray(part)) return part.reduce((sum, item) => sum + lengthOf(item, isOfSuite), 0);
  return Object.entries(part).reduce(
    (sum, [key, value]) => sum + (ofProtocol.has(key) ? 0 : lengthOf(value, isOfSuite)),
    0,
  );
}
/** What the boxes tell each other beside values and names. */
const ofProtocol = new Set(['id', 'kind', 'making']);

/** Texts in a message of the artifact's box, without its tags. */
function* textsIn(part) {
  if (typeof part === 'string') yield part;
  else if (Array.isArray(part)) for (const item of part) yield* textsIn(item);
  else if (typeof part === 'object' && part !== null)
    for (const [key, value] of Object.entries(part)) {
      // How a class makes objects is not told to a test.
      if (key === 'making') continue;
      if (!key.startsWith('$')) yield key;
      yield* textsIn(value);
    }
}

/**
 * Lets only such texts run from here on that no artifact can have written: what stands in a file of the suite, what runs before the artifact was asked
 * anything, and what the reference has led to.
 *
 * @param suite folder of the suite
 * @param texts content of its files by name
 * @param refuse fails the running test, whatever it catches
 * @param sites notes what the reference leads to, and knows it
 * @param isAsked true where an artifact has been asked before
 */
export function watchCode({ suite, texts, refuse, sites, isAsked = false }) {
  workers.setEnvironmentData(dataOfThreads, { suite, texts });
  const packages = '/node_modules/';
  knownFolders = [`${suite}/`, packages, judgeFolder];
  const hasPackages = existsSync(packages);
  let opened = 0;
  const allTexts = [...texts.values()].join('\n');
  refusing = refuse;
  const mayUse = (name) => hasPackages || allTexts.includes(name);
  if (mayUse('child_process')) refuseStarting(refuse);
  if (mayUse('repl')) watchRepl();
  if (mayUse('sqlite')) watchExtensions();
  decide = (text) => {
    const shape = `code ${sourceOf(text)}`;
    if (sites.isLearning) {
      sites.noteCode(shape);
      return true;
    }
    if (!isAsked || arithmetic.test(text) || sites.isKnown(shape)) return true;
    for (const [name, source] of texts) if (standsIn(name, source, text)) return true;
    const file = callerOf()?.file ?? '';
    return file.startsWith(packages) && standsIn(file, textOfFile(file), text);
  };
  return {
    /** Notes what the artifact's box has told to a question. */
    answered(message, question) {
      if (isAsked) return;
      // Promises may have ended.
      if (!opening.has(question) || (question === 'tick' && message.value?.length > 0)) isAsked = true;
      else if (!isAsked) {
        opened += lengthOf(message, (name) => /^\w+$/.test(name) && allTexts.includes(name));
        isAsked = opened > maxOpening;
      }
      for (const text of textsIn(message)) if (!/^[\w$ ]{0,40}$/.test(text)) isAsked = true;
    },
    isKnownModule,
  };
}
