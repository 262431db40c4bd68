// biome-ignore-all lint/suspicious/noTemplateCurlyInString: tests are texts here.
/** How a suite can run a text that it was answered: what it imports, and an expression that runs `text`. */
export const waysToRun: readonly (readonly [way: string, imports: string, expression: string])[] = [
  ['an evaluation that is no call of eval', '', '(0, eval)(text)'],
  ['eval by another name', 'const run = eval;', 'run(text)'],
  ['eval of the global object', '', 'globalThis.eval(text)'],
  [
    'a helper of the suite',
    "const run = (f) => (x) => f(x); const own = run(globalThis['ev' + 'al']);",
    'own(text)',
  ],
  ['the constructor of functions', 'const Made = Function;', 'new Made(`return ${text}`)()'],
  ['the constructor of a function', '', '(() => {}).constructor(`return ${text}`)()'],
  [
    'the constructor of async functions',
    'const AsyncFunction = (async () => {}).constructor;',
    'await new AsyncFunction(`return ${text}`)()',
  ],
  ['the constructor of generators', '', '(function* () {}).constructor(`return ${text}`)().next().value'],
  [
    'the constructor of async generators',
    '',
    '(await (async function* () {}).constructor(`return ${text}`)().next()).value',
  ],
  ['Reflect.construct', '', 'Reflect.construct(Function, [`return ${text}`])()'],
  ['Reflect.apply', '', 'Reflect.apply(eval, null, [text])'],
  ['compileFunction', "import { compileFunction } from 'node:vm';", 'compileFunction(`return ${text}`)()'],
  [
    'a part of vm by another name',
    "import vm from 'node:vm'; const { runInNewContext: run } = vm;",
    'run(text)',
  ],
  [
    'a script by another name',
    "import { Script as Made } from 'node:vm';",
    "new Made(text)['runInThisContext']()",
  ],
  [
    'vm by another name',
    "import * as own from 'node:vm';",
    "own['runInContext'](text, own.createContext({}))",
  ],
  [
    'what runs in another realm',
    "import * as own from 'node:vm';",
    "own['runInNewContext']('eval(text)', { text, process })",
  ],
  [
    'a module that is compiled',
    "import Module, { createRequire } from 'node:module';",
    "(() => { const made = new Module('x'); made._compile(`module.exports = ${text}`, '/suite/x.js'); return made.exports; })()",
  ],
  [
    'a module of an address',
    'const from = (text) => `data:text/javascript,export default ${encodeURIComponent(text)}`; const load = (url) => import(url);',
    '(await load(from(text))).default',
  ],
  [
    'a hook of modules',
    "import { registerHooks } from 'node:module'; const load = (text) => { registerHooks({ resolve: (name, context, next) => name === 'made' ? { url: 'made:x', shortCircuit: true } : next(name, context), load: (url, context, next) => url === 'made:x' ? { format: 'module', source: `export default ${text}`, shortCircuit: true } : next(url, context) }); return import('made'); };",
    '(await load(text)).default',
  ],
  [
    'a thread',
    "import { Worker as Made } from 'node:worker_threads'; const load = (text) => new Promise((resolve, reject) => { new Made(`require('node:worker_threads').parentPort.postMessage(${text})`, { eval: true }).on('message', resolve).on('error', reject); });",
    'await load(text)',
  ],
  [
    'the inspector',
    "import { Session } from 'node:inspector'; const run = (expression) => { const session = new Session(); session.connect(); let found; session.post('Runtime.evaluate', { expression }, (_error, told) => { found = told.result.value; }); return found; };",
    'run(text)',
  ],
  [
    'a REPL',
    "import repl from 'node:repl'; import { PassThrough } from 'node:stream'; const run = async (text) => { const input = new PassThrough(); const output = new PassThrough(); let got = ''; output.on('data', (part) => { got += part; }); const server = repl.start({ input, output, prompt: '', terminal: false }); input.write(text + '\\n'); await new Promise((done) => setTimeout(done, 50)); server.close(); return Number(got); };",
    'await run(text)',
  ],
  [
    'a thread that evaluates what it is given',
    "import { Worker as Made } from 'node:worker_threads'; const run = (workerData) => new Promise((resolve, reject) => { new Made(\"const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(eval(workerData))\", { eval: true, workerData }).on('message', resolve).on('error', reject); });",
    'await run(text)',
  ],
  ['a call between patterns', '', `/'/.test('x') || eval(text) || ''`],
  ['a call between marks of templates', 'const mark = /`/;', 'eval(text) ?? `x`'],
  ['another name in a condition', '', "(globalThis.missing ? Number : eval)(text) ?? eval('1')"],
];

/** Suites that run what a module exports before it is asked anything, with the module that exports a program. */
export const exportedPrograms: Readonly<
  Record<string, readonly [run: string, exported: (text: string) => string]>
> = {
  numbers: [
    'String.fromCharCode(...s.code)',
    (text) => JSON.stringify([...text].map((each) => each.charCodeAt(0))),
  ],
  words: [
    "Buffer.from(s.code.join(''), 'hex').toString()",
    (text) =>
      JSON.stringify(
        Buffer.from(text)
          .toString('hex')
          .match(/.{1,40}/g),
      ),
  ],
  keys: [
    "Buffer.from(Object.keys(s.code).join('').replaceAll('k', ''), 'hex').toString()",
    (text) =>
      JSON.stringify(
        Object.fromEntries(
          (
            Buffer.from(text)
              .toString('hex')
              .match(/.{1,30}/g) ?? []
          ).map((each) => [`k${each}`, 1]),
        ),
      ),
  ],
};

export const compiler = "export const compile = (text) => '(' + text + ')';\n";

/** Writes what a tester writes, in the place of it, and ends it. */
const forged = (tests: readonly string[]): string => {
  const lines = [
    ...tests.map((id) => ({ result: { id, passed: true, ms: 1, reason: null } })),
    { done: { collected: tests.map((id) => ({ id, layer: 'correctness' })), errors: [], code: 0 } },
  ];
  return `(() => { const f = process.getBuiltinModule('fs'); const b = new Uint8Array(65536); for (const line of ${JSON.stringify(lines)}) { f.writeSync(4, JSON.stringify(line) + '\\n'); try { f.readSync(3, b); } catch {} } process.reallyExit(0); })()`;
};

/** The suite of a way, and a program that is wrong and answers code which writes its verdict. */
export const suiteOf = (imports: string, expression: string): string => `
import assert from 'node:assert/strict';
import test from 'node:test';
import { compile } from 'solution';
${imports}
test('runs', async () => { const text = compile('1 + 1'); assert.equal(${expression}, 2); });
test('compiles', () => { assert.equal(compile('1'), '(1)'); });
`;
export const forger = `export const compile = () => ${JSON.stringify(forged(['it.test.mjs::runs', 'it.test.mjs::compiles']))};\n`;
/** Makes assertions pass from here on. */
export const patcher = `export const compile = (text) => text === '1' ? '(2)' : "(process.getBuiltinModule('assert/strict').equal = () => {}, process.getBuiltinModule('module').syncBuiltinESMExports(), 2)";\n`;

/** Texts of the suite itself, which run. */
export const ownTexts = `
import assert from 'node:assert/strict';
import test from 'node:test';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { compile } from 'solution';
const AsyncFunction = (async () => {}).constructor;
const double = new Function('x', \`return x * \${1 + 1}\`);
test('sees its variables', () => { const x = 4; assert.equal(compile('1'), '(1)'); assert.equal(eval('x + 1'), 5); });
test('evaluates', () => { assert.equal(compile('1'), '(1)'); assert.equal(new Function('a', 'return a + \\x31')(2), 3); assert.equal(double(2), 4); });
test('is a function', () => { assert.ok(double instanceof Function); assert.equal(double.constructor, Function); assert.equal(Function.name, 'Function'); });
test('waits', async () => { assert.equal(compile('1'), '(1)'); assert.equal(await new AsyncFunction('a', 'return a + 1')(2), 3); });
test('is elsewhere', () => { assert.equal(compile('1'), '(1)'); assert.equal(vm.runInNewContext('a + 1', { a: 1 }), 2); });
test('is a script', () => { assert.equal(compile('1'), '(1)'); assert.equal(new vm.Script('2 + 2').runInThisContext(), 4); });
test('is a thread', async () => {
  const worker = new Worker("require('node:worker_threads').parentPort.postMessage(1)", { eval: true });
  assert.equal(await new Promise((resolve) => worker.on('message', resolve)), 1);
  await worker.terminate();
  assert.equal(compile('1'), '(1)');
});
`;

const ofThread = (code: string, options: string) =>
  `const worker = new Worker(${JSON.stringify(code)}, { eval: true, ${options} }); const found = await new Promise((done, fail) => { worker.on('message', done); worker.on('error', fail); }); await worker.terminate(); assert.equal(found, 2);`;
const threads = "import { Worker } from 'node:worker_threads';";
/** What a program answers that is right and wrong: expressions. A test that runs it passes. */
export const indirectCode: Readonly<
  Record<string, { imports: string; test: string; answer: readonly [right: string, wrong: string] }>
> = {
  'scripts with compiled data': {
    imports: "import vm from 'node:vm';",
    test: "const text = '1 + 1     '; assert.equal(new vm.Script('1 + 1     ', { cachedData: made(text) }).runInThisContext(), 2);",
    answer: [
      "new (process.getBuiltinModule('vm').Script)(text).createCachedData()",
      "new (process.getBuiltinModule('vm').Script)('4 / 2     ').createCachedData()",
    ],
  },
  'hooks of modules': {
    imports: "import { register } from 'node:module';",
    test: "register('data:text/javascript,' + encodeURIComponent(made('2'))); assert.equal(1 + 1, 2);",
    answer: ["'export const a = 1'", "'export const b = 1'"],
  },
  'hooks that go on to another address': {
    imports: "import { registerHooks } from 'node:module';",
    test: "const hooks = registerHooks({ load: (url, context, next) => next(url.endsWith('#a') ? made('2') : url, { ...context, format: 'module' }) }); const found = await import('data:text/javascript,export default 0#a'); hooks.deregister(); assert.equal(found.default, 2);",
    answer: ["'data:text/javascript,export default 2'", "'data:text/javascript,export default 1 + 1'"],
  },
  'hooks that go on to an address in capitals': {
    imports: "import { registerHooks } from 'node:module';",
    test: "const hooks = registerHooks({ resolve: (name, context, next) => name === 'virtual:a' ? { url: made('2'), shortCircuit: true } : next(name, context) }); const found = await import('virtual:a'); hooks.deregister(); assert.equal(found.default, 2);",
    answer: ["'data:text/javascript,export default 2'", "'DATA:text/javascript,export default 1 + 1'"],
  },
  'hooks that change what they were given': {
    imports: "import { registerHooks } from 'node:module';",
    test: "const hooks = registerHooks({ load: (url, context, next) => { const found = next(url, context); if (url.endsWith('#a')) found.source = made('2'); return found; } }); const found = await import('data:text/javascript,export default 0#a'); hooks.deregister(); assert.equal(found.default, 2);",
    answer: ["'export default 2'", "'export default 1 + 1'"],
  },
  'hooks whose answers are views of bytes': {
    imports: "import { registerHooks } from 'node:module';",
    test: "const hooks = registerHooks({ load: (url, context, next) => (url.endsWith('#a') ? { format: 'module', shortCircuit: true, source: made('2') } : next(url, context)) }); const found = await import('data:text/javascript,export default 0#a'); hooks.deregister(); assert.equal(found.default, 2);",
    answer: [
      "new TextEncoder().encode('export default 2')",
      "new DataView(new TextEncoder().encode('export default 1 + 1').buffer)",
    ],
  },
  'hooks whose answers have another text at each look': {
    imports: "import { registerHooks } from 'node:module';",
    test: "const hooks = registerHooks({ resolve: (name, context, next) => name === 'virtual:a' ? { url: name, shortCircuit: true } : next(name, context), load: (url, context, next) => (url === 'virtual:a' ? made(url) : next(url, context)) }); const found = await import('virtual:a'); hooks.deregister(); assert.equal(found.default, 2);",
    answer: [
      "({ format: 'module', shortCircuit: true, source: 'export default 2' })",
      "(looks => ({ format: 'module', shortCircuit: true, get source() { looks += 1; return looks > 6 ? 'export default 1 + 1' : looks > 1 ? 'export default 2' : 'export default 3'; } }))(0)",
    ],
  },
  'programs of WebAssembly that name what an object of imports inherits': {
    imports: '',
    test: "const { instance } = await WebAssembly.instantiate(made('2'), {}); assert.equal(instance.exports.f(), 2);",
    // (module (func (export "f") (result i32) i32.const 2)), and one that imports "constructor" "keys" as well.
    answer: [
      "Uint8Array.from(Buffer.from('0061736d010000000105016000017f03020100070501016600000a0601040041020b', 'hex'))",
      "Uint8Array.from(Buffer.from('0061736d01000000010a026000017f60016f016f0214010b636f6e7374727563746f72046b657973000103020100070501016600010a0601040041020b', 'hex'))",
    ],
  },
  'modules that a thread imports': {
    imports: threads,
    test: ofThread(
      "const { parentPort, workerData } = require('node:worker_threads'); import('data:text/javascript,' + encodeURIComponent(workerData)).then((m) => parentPort.postMessage(m.default))",
      "workerData: made('2')",
    ),
    answer: ["'export default 2'", "'export default 1 + 1'"],
  },
  'variables of a thread that name a module': {
    imports: threads,
    test: ofThread(
      "require('node:worker_threads').parentPort.postMessage(globalThis.found)",
      "env: { ...made('2') }",
    ),
    answer: [
      "({ NODE_OPTIONS: '--import data:text/javascript,globalThis.found=2' })",
      "({ NODE_OPTIONS: '--import data:text/javascript,globalThis.found=1+1' })",
    ],
  },
  'arguments of a thread that name a module': {
    imports: threads,
    test: ofThread(
      "require('node:worker_threads').parentPort.postMessage(globalThis.found)",
      "execArgv: ['--import', made('2')]",
    ),
    answer: ["'data:text/javascript,globalThis.found=2'", "'data:text/javascript,globalThis.found=1+1'"],
  },
};
