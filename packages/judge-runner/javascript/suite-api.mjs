/*
 * What a suite imports as `node:test`: the same words, with tests that can be named before any artifact is there, put in
 * the order of their layers, and told one by one.
 */
import assert from 'node:assert';
import { createRequire } from 'node:module';
import { describeThrown } from './thrown.mjs';

const node = createRequire(import.meta.url)('node:test');
const layers = ['smoke', 'correctness', 'edge', 'performance', 'security'];
const noHooks = () => ({ before: [], after: [], beforeEach: [], afterEach: [] });
const root = { name: '', parent: null, hooks: noHooks(), layer: 'correctness', left: 0, begun: false };
let file = '';
let current = root;
/** The context of the test that is running, for hooks and tests that are declared inside of it. */
let inside = null;
const tests = [];
const ids = new Set();

/** True while a hook runs that prepares several tests. */
let sharing = false;
export const isSharing = () => sharing;

/** From here on, tests are those of this file. */
export function beginFile(name) {
  file = name;
  current = root;
}

const read = (first, second, third) => {
  const name = typeof first === 'string' ? first : typeof first === 'function' ? first.name : '';
  const options = [first, second].find((part) => typeof part === 'object' && part !== null) ?? {};
  const run = [first, second, third].find((part) => typeof part === 'function') ?? null;
  return { name: name || '<anonymous>', options, run };
};

/** The place in the file at which a test is declared, as `line:column`. */
const siteOf = () =>
  new Error().stack
    .split('\n')
    .find((line) => line.includes(`/${file}:`))
    ?.match(/:(\d+:\d+)\)?$/)?.[1] ?? null;

const namesOf = (suite) => (suite.parent === null ? [] : [...namesOf(suite.parent), suite.name]);

function declare(first, second, third, forced = {}) {
  const { name, options, run } = read(first, second, third);
  const all = { ...options, ...forced };
  if (inside !== null) return inside.test(name, all, run);
  const plain = `${file}::${[...namesOf(current), name].join(' > ')}`;
  let id = plain;
  for (let number = 2; ids.has(id); number += 1) id = `${plain} #${number}`;
  ids.add(id);
  for (let suite = current; suite !== null; suite = suite.parent) suite.left += 1;
  const layer = layers.includes(all.layer) ? all.layer : current.layer;
  tests.push({
    id,
    name,
    site: siteOf(),
    suite: current,
    layer,
    options: { ...current.options, ...all },
    run,
  });
  return Promise.resolve();
}

function group(first, second, third, forced = {}) {
  const { name, options, run } = read(first, second, third);
  const all = { ...current.options, ...options, ...forced };
  const parent = current;
  const layer = layers.includes(all.layer) ? all.layer : parent.layer;
  current = { name, parent, hooks: noHooks(), layer, options: all, left: 0, begun: false };
  try {
    run?.({ name, signal: new AbortController().signal });
  } finally {
    current = parent;
  }
  return Promise.resolve();
}

const withModes = (make) =>
  Object.assign((...args) => make(args[0], args[1], args[2]), {
    skip: (...args) => make(args[0], args[1], args[2], { skip: true }),
    todo: (...args) => make(args[0], args[1], args[2], { todo: true }),
    only: (...args) => make(args[0], args[1], args[2]),
  });
const hook = (kind) => (run) => void (inside ?? current).hooks[kind].push(run);

export const test = withModes(declare);
export const it = withModes(declare);
export const describe = withModes(group);
export const suite = withModes(group);
export const before = hook('before');
export const after = hook('after');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
export const { mock } = node;
/** Tells the artifact's box what a test does to timers and dates: `tell` is given the name of the method and its arguments. */
export function relayTimers(tell) {
  let isEnabled = false;
  const { timers } = mock;
  for (const name of ['enable', 'tick', 'runAll', 'setTime', 'reset']) {
    const own = timers[name].bind(timers);
    timers[name] = (...args) => {
      own(...args);
      if (name === 'enable') isEnabled = true;
      if (isEnabled) tell(name, args);
      if (name === 'reset') isEnabled = false;
    };
  }
}
const api = Object.assign(test, { test, it, describe, suite, before, after, beforeEach, afterEach, mock });
export default api;
// For suites that require it.
export { api as 'module.exports' };

/** Tests in the order of their layers, within a layer as they were declared. */
export const inOrder = () => layers.flatMap((layer) => tests.filter((each) => each.layer === layer));

class Passed extends Error {}

/** Calls a function that may return a promise or take a `done`, with a time limit. */
async function finish(run, context, timeout) {
  const work =
    run.length > 1
      ? new Promise((resolve, reject) => {
          run(context, (error) => (error ? reject(error) : resolve()));
        })
      : run(context);
  if (timeout === undefined || timeout === Infinity) return work;
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(reject, timeout, new Error(`it took more than ${timeout} ms`));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class Context {
  constructor(name, signal) {
    Object.assign(this, { name, fullName: name, signal, hooks: noHooks(), mock, planned: null, asserted: 0 });
    const counted =
      (check) =>
      (...args) => {
        this.asserted += 1;
        return check(...args);
      };
    this.assert = Object.fromEntries(
      Object.entries(assert).flatMap(([key, check]) =>
        typeof check === 'function' ? [[key, counted(check)]] : [],
      ),
    );
    for (const kind of Object.keys(this.hooks)) this[kind] = (run) => void this.hooks[kind].push(run);
    this.diagnostic = () => {};
  }

  plan(count) {
    this.planned = count;
  }

  skip() {
    this.notPassed = 'it was skipped, which is no pass';
  }

  todo() {
    this.notPassed = 'it is still to be done, which is no pass';
  }

  /** A test within the test: when it fails, the whole does. */
  async test(first, second, third) {
    const { name, options, run } = read(first, second, third);
    this.asserted += 1;
    const inner = new Context(`${this.name} > ${name}`, this.signal);
    for (const each of this.hooks.beforeEach) await each(inner);
    await runInside(inner, options, run);
    for (const each of this.hooks.afterEach) await each(inner);
  }
}

async function runInside(context, options, run) {
  const outer = inside;
  inside = context;
  try {
    if (options.skip) context.skip();
    else if (options.todo) context.todo();
    else if (run === null) throw new Error('it has no function');
    else {
      context.planned = options.plan ?? null;
      await finish(run, context, options.timeout);
      for (const each of context.hooks.afterEach) if (outer === null) await each(context);
      for (const each of context.hooks.after) await each(context);
    }
  } finally {
    inside = outer;
  }
  if (context.planned !== null && context.planned !== context.asserted)
    throw new Error(`it planned ${context.planned} assertions and made ${context.asserted}`);
  if (context.notPassed) throw new Passed(context.notPassed);
}

/** Runs one test with the hooks around it. Null when it passed, else the reason. */
export async function runTest({ name, suite: own, options, run }) {
  const path = [];
  for (let each = own; each !== null; each = each.parent) path.unshift(each);
  const aborting = new AbortController();
  const context = new Context([...namesOf(own), name].join(' > '), aborting.signal);
  let reason = null;
  const attempt = async (work) => {
    try {
      await work();
    } catch (error) {
      reason ??= describeThrown(error);
      if (error instanceof Passed) reason = error.message;
    }
  };
  if (!options.skip && !options.todo)
    await attempt(async () => {
      for (const each of path) {
        sharing = true;
        try {
          if (!each.begun) for (const begin of each.hooks.before) await finish(begin, context);
        } finally {
          sharing = false;
        }
        each.begun = true;
      }
      for (const each of path) for (const begin of each.hooks.beforeEach) await finish(begin, context);
    });
  if (reason !== null) reason = `what comes before it failed: ${reason}`;
  else await attempt(() => runInside(context, options, run));
  aborting.abort();
  for (const each of path.toReversed()) {
    each.left -= 1;
    await attempt(async () => {
      for (const end of each.hooks.afterEach) await finish(end, context);
      if (each.left === 0) for (const end of each.hooks.after) await finish(end, context);
    });
  }
  mock.reset();
  return reason;
}
