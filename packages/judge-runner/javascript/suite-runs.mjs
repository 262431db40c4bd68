/*
 * Tests as they run, with what is around them: groups, hooks, limits and sub-tests, each as Node has it.
 */
import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { describeThrown } from './thrown.mjs';

export const Tracker = createRequire(import.meta.url)('node:test').mock.constructor;
/** A test may mock them. */
const { setTimeout, clearTimeout, performance } = globalThis;
const now = performance.now.bind(performance);
const before = 'what comes before it failed: ';

class Unpassed extends Error {}

const noHooks = () => ({ before: [], after: [], beforeEach: [], afterEach: [] });

let tellTimers = null;
let trackers = 0;
/** Tells the artifact's box what a test does to timers and dates: `tell` is given a number, the name of the method and its arguments. */
export function relayTimers(tell) {
  tellTimers = tell;
}

/** What mocks functions and timers, for one test or one file. */
export function createTracker() {
  const tracker = new Tracker();
  trackers += 1;
  const number = trackers;
  let isEnabled = false;
  const { timers } = tracker;
  for (const name of ['enable', 'tick', 'runAll', 'setTime', 'reset']) {
    const own = timers[name].bind(timers);
    timers[name] = (...args) => {
      own(...args);
      if (name === 'enable') isEnabled = true;
      if (isEnabled) tellTimers?.(number, name, args);
      if (name === 'reset') isEnabled = false;
    };
  }
  return tracker;
}

const countOf = ({ concurrency }) => (concurrency === true ? Infinity : Number(concurrency) || 1);

/** Lets so many run at once, and each other one when one of them has ended. */
function createSlots(count) {
  let free = count;
  const waiting = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      if (waiting.length > 0) waiting.shift()();
      else free += 1;
    }
  };
}

/** The options of a test or a group, some of which it has from what is around it. */
export const optionsWithin = (outer, own) => ({
  ...own,
  timeout: own.timeout === Infinity ? outer.timeout : (own.timeout ?? outer.timeout),
  concurrency: own.concurrency ?? outer.concurrency,
  skip: own.skip || outer.skip,
  todo: own.todo || outer.todo,
});

/** What ends work from outside: `stopped` rejects when the time is up or the signal aborts, until `end` is called. */
function limitOf({ timeout, signal }) {
  const { promise: stopped, reject } = Promise.withResolvers();
  stopped.catch(() => {});
  const timer =
    timeout === undefined || timeout === Infinity
      ? undefined
      : setTimeout(reject, timeout, new Error(`it took more than ${timeout} ms`));
  const abort = () => reject(signal.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { stopped, end };
}

/** Calls a function of a test or a hook, which may return a promise or take a `done`. */
async function call(run, context) {
  if (run.length !== 2) return Reflect.apply(run, context, [context]);
  const { promise, resolve, reject } = Promise.withResolvers();
  promise.catch(() => {});
  let count = 0;
  const found = Reflect.apply(run, context, [
    context,
    (error) => {
      count += 1;
      // Thrown where it is called, also after the end: what nobody catches there fails the test that runs.
      if (count === 2) throw new Error('callback invoked multiple times');
      if (error) reject(error);
      else resolve();
    },
  ]);
  if (types.isPromise(found)) throw new Error('passed a callback but also returned a Promise');
  return promise;
}

async function callHooks(hooks, context) {
  for (const { run, options } of hooks) {
    options.signal?.throwIfAborted();
    const limit = limitOf(options);
    try {
      await Promise.race([call(run, context), limit.stopped]);
    } finally {
      limit.end();
    }
  }
}

/** How many groups are being prepared. */
let preparing = 0;
/** True while a hook runs that prepares several tests. */
export const isSharing = () => preparing > 0;

/** A group of tests; a file is one without a name. */
export class Group {
  hooks = noHooks();
  /** Tests within it that have not ended. */
  left = 0;
  /** Why it could not be read to its end, if so. */
  fault = null;
  #beginning = null;
  #stopping = Promise.withResolvers();
  #own = null;
  #running = 0;
  #since = 0;
  #spent = 0;
  #limit = null;

  constructor(name, parent, options, layer) {
    Object.assign(this, { name, parent, options, layer });
    this.path = [...(parent?.path ?? []), this];
    this.slots = createSlots(countOf(options));
    this.#stopping.promise.catch(() => {});
  }

  get isConcurrent() {
    return countOf(this.options) > 1;
  }

  get names() {
    return this.path.slice(1).map(({ name }) => name);
  }

  /** Reads what it declares. Why that could not be done, or null. */
  async read(declare) {
    try {
      await declare();
      return null;
    } catch (error) {
      this.fault = { error };
      return describeThrown(error);
    }
  }

  /** Its own context, for what comes before and after all of its tests. */
  get #run() {
    this.#own ??= new Run(this.name, this.path.slice(0, -1), this.options);
    return this.#own;
  }

  async #begin() {
    preparing += 1;
    try {
      if (this.fault !== null) throw this.fault.error;
      await callHooks(this.hooks.before, this.#run.context);
    } finally {
      preparing -= 1;
    }
  }

  /** Runs what comes before its tests, once: where that fails, all of them do. */
  begin() {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  /** Counts a test that runs: its time is the group's as well, which has one limit for all. */
  enter() {
    this.#running += 1;
    if (this.#running > 1) return;
    this.#since = now();
    const { timeout, signal } = this.options;
    const rest = timeout === undefined ? undefined : Math.max(0, timeout - this.#spent);
    this.#limit = limitOf({ timeout: rest, signal });
    const stop = () => this.#stopping.reject(new Error('its group was stopped, by its time or its signal'));
    if (signal?.aborted) stop();
    this.#limit.stopped.catch(stop);
  }

  /** Rejects when the group is stopped. */
  get stopped() {
    return this.#stopping.promise;
  }

  leave() {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#spent += now() - this.#since;
    this.#limit.end();
  }

  /** Runs what comes after its tests, if any has run. */
  async end() {
    if (this.#beginning === null) return;
    await callHooks(this.hooks.after, this.#run.context);
    this.#run.forget();
  }
}

/** One test that runs, or a test within it. */
export class Run {
  hooks = noHooks();
  /** Why it has failed, or null. */
  reason = null;
  planned = null;
  /** Whether it waits for what it has planned, or how long, in ms. */
  waits = false;
  asserted = 0;
  isEnded = false;
  aborting = new AbortController();
  #subtests = new Set();
  /** Hooks that prepare the tests within it, where there are any. */
  beginning = null;
  #tracker = null;

  /** @param levels groups and tests around it, outermost first */
  constructor(name, levels, options) {
    Object.assign(this, { name, levels, options });
    this.slots = createSlots(countOf(options));
    this.planned = options.plan ?? null;
    this.context = new Context(this);
  }

  get mock() {
    this.#tracker ??= createTracker();
    return this.#tracker;
  }

  /** Undoes what its own context has mocked. */
  forget() {
    this.#tracker?.reset();
  }

  fail(error, prefix = '') {
    this.reason ??= error instanceof Unpassed ? error.message : `${prefix}${describeThrown(error)}`;
  }

  /** True when it came to its end. */
  async attempt(work, prefix) {
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error, prefix);
      return false;
    }
  }

  /** Runs a hook for the tests within at once, as this one has begun. */
  begin(hook) {
    const begun = callHooks([hook], this.context);
    begun.catch((error) => this.fail(error));
    this.beginning = Promise.all([this.beginning, begun]);
    this.beginning.catch(() => {});
  }

  /** A test within the test: when it fails, the whole does, which goes on. */
  subtest(name, options, run) {
    if (this.isEnded) return Promise.reject(new Error(`the test ${name} is begun after the end of its own`));
    this.asserted += 1;
    const inner = new Run(name, [...this.levels, this], optionsWithin(this.options, options));
    const ended = this.slots(async () => {
      await inside.run(inner, () => inner.perform(run));
      this.reason ??= inner.reason;
    });
    this.#subtests.add(ended);
    ended.then(() => this.#subtests.delete(ended));
    return ended;
  }

  async #endOfSubtests() {
    while (this.#subtests.size > 0) await Promise.all(this.#subtests);
    await this.beginning;
    const until = this.waits === true ? Infinity : now() + Number(this.waits);
    while (this.asserted < this.planned && now() < until)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }

  #check() {
    if (this.planned !== null && this.planned !== this.asserted)
      throw new Error(`it planned ${this.planned} assertions and made ${this.asserted}`);
    if (this.notPassed !== undefined) throw new Unpassed(this.notPassed);
  }

  async #prepare() {
    for (const { beginning } of this.levels) await beginning;
    for (const { hooks } of this.levels) await callHooks(hooks.beforeEach, this.context);
  }

  /** Runs it with the hooks around it. */
  async perform(run) {
    const { options, levels, context } = this;
    if (options.skip) context.skip();
    else if (options.todo) context.todo();
    if (this.notPassed !== undefined) return this.attempt(() => this.#check());
    if (run === null) return this.fail(new Error('it has no function'));
    const isPrepared = levels.some(({ beginning, hooks }) => beginning || hooks.beforeEach.length > 0);
    // Without hooks it begins at once, where it is declared.
    if (!isPrepared || (await this.attempt(() => this.#prepare(), before))) {
      const limit = limitOf(options);
      await this.attempt(async () => {
        options.signal?.throwIfAborted();
        await Promise.race([call(run, context), limit.stopped]);
        await Promise.race([this.#endOfSubtests(), limit.stopped]);
        this.#check();
      });
      limit.end();
    }
    for (const { hooks } of levels.toReversed())
      await this.attempt(() => callHooks(hooks.afterEach, context));
    await this.attempt(() => callHooks(this.hooks.after, context));
    this.isEnded = true;
    this.aborting.abort();
    await this.attempt(() => this.forget());
  }

  /** Runs it as a test of a file, with the groups around it. */
  async performInGroups(run) {
    const groups = this.levels;
    const isLeftOut = this.options.skip || this.options.todo;
    const beginAll = async () => {
      for (const each of groups) await each.begin();
    };
    if (isLeftOut) await this.perform(run);
    else if (await this.attempt(beginAll, before)) {
      for (const each of groups) each.enter();
      await this.attempt(() => Promise.race([...groups.map(({ stopped }) => stopped), this.perform(run)]));
      for (const each of groups) each.leave();
      this.aborting.abort();
    }
    for (const each of groups.toReversed()) {
      each.left -= 1;
      if (each.left === 0) await this.attempt(() => each.end());
    }
  }
}

/** The test that is running, for hooks and tests that are declared inside of it, or the group that is being read. */
export const inside = new AsyncLocalStorage();

/** What a test's function and its hooks are given. */
export class Context {
  #run;

  constructor(run) {
    this.#run = run;
    this.name = run.name;
    this.fullName = [...run.levels.map(({ name }) => name), run.name]
      .filter((name) => name !== '')
      .join(' > ');
    this.signal = run.aborting.signal;
    const counted =
      (check) =>
      (...args) => {
        run.asserted += 1;
        return check(...args);
      };
    const snapshots = run.levels[0]?.snapshots;
    const checks = {
      ...assert,
      snapshot: (value, options) => snapshots.check(this.fullName, value, options),
      fileSnapshot: (value, path, options) => snapshots.checkFile(value, path, options),
    };
    this.assert = Object.fromEntries(
      Object.entries(checks).flatMap(([key, check]) =>
        typeof check === 'function' ? [[key, counted(check)]] : [],
      ),
    );
    for (const kind of ['after', 'beforeEach', 'afterEach'])
      this[kind] = (work, options = {}) => void run.hooks[kind].push({ run: work, options });
    this.before = (work, options = {}) => void run.begin({ run: work, options });
    this.diagnostic = () => {};
  }

  get mock() {
    return this.#run.mock;
  }

  plan(count, { wait = false } = {}) {
    Object.assign(this.#run, { planned: count, waits: wait });
  }

  skip() {
    this.#run.notPassed = 'it was skipped, which is no pass';
  }

  todo() {
    this.#run.notPassed = 'it is still to be done, which is no pass';
  }

  /** Asks again and again, until nothing is thrown. */
  async waitFor(condition, { interval = 50, timeout = 1000 } = {}) {
    for (const until = now() + timeout; ; )
      try {
        return await condition();
      } catch (cause) {
        if (now() >= until) throw new Error('waitFor() timed out', { cause });
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
  }

  test(first, second, third) {
    const { name, options, run } = read(first, second, third);
    return this.#run.subtest(name, options, run);
  }
}

/** The arguments with which a test or a group is declared. */
export const read = (first, second, third) => {
  const name = typeof first === 'string' ? first : typeof first === 'function' ? first.name : '';
  const options = [first, second].find((part) => typeof part === 'object' && part !== null) ?? {};
  const run = [first, second, third].find((part) => typeof part === 'function') ?? null;
  return { name: name || '<anonymous>', options, run };
};
