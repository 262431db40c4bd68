import type { FidelityPackage } from './fidelity-case.ts';

/** Correct packages with ordinary tests, written without a look at the judge: emitters, queues, retries, middleware, streams, timers and clients. */
export const fidelityJavascriptWaiting: readonly FidelityPackage[] = [
  {
    id: 'registry-emitter',
    breaks: [
      [
        'src/emitter.mjs',
        `const list = [...(this.#listeners.get(event) ?? [])];`,
        `const list = this.#listeners.get(event) ?? [];`,
      ],
    ],
    artifact: {
      'src/emitter.mjs': `const ANY = Symbol('any');

export class ListenerError extends Error {
  constructor(event, cause) {
    super(\`listener of "\${String(event)}" failed\`, { cause });
    this.name = 'ListenerError';
    this.event = event;
  }
}

export class Emitter {
  #listeners = new Map();
  #maxListeners;

  constructor({ maxListeners = 10, onWarning } = {}) {
    this.#maxListeners = maxListeners;
    this.onWarning = onWarning;
  }

  static get any() {
    return ANY;
  }

  #list(event) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, []);
    return this.#listeners.get(event);
  }

  on(event, listener) {
    if (typeof listener !== 'function') {
      throw new TypeError('listener must be a function');
    }
    const list = this.#list(event);
    list.push({ listener, once: false });
    if (list.length > this.#maxListeners) this.onWarning?.(event, list.length);
    return () => this.off(event, listener);
  }

  once(event, listener) {
    if (typeof listener !== 'function') {
      return new Promise((resolve, reject) => {
        const onError = (error) => reject(error);
        this.once('error', onError);
        this.once(event, (...args) => {
          this.off('error', onError);
          resolve(args);
        });
      });
    }
    this.#list(event).push({ listener, once: true });
    return this;
  }

  prepend(event, listener) {
    this.#list(event).unshift({ listener, once: false });
    return this;
  }

  off(event, listener) {
    if (listener === undefined) {
      this.#listeners.delete(event);
      return this;
    }
    const list = this.#list(event);
    const at = list.findLastIndex((entry) => entry.listener === listener);
    if (at >= 0) list.splice(at, 1);
    if (list.length === 0) this.#listeners.delete(event);
    return this;
  }

  emit(event, ...args) {
    const list = [...(this.#listeners.get(event) ?? [])];
    const any = [...(this.#listeners.get(ANY) ?? [])];
    if (event === 'error' && list.length === 0) {
      throw args[0] instanceof Error ? args[0] : new Error(\`unhandled error: \${args[0]}\`);
    }
    for (const entry of list) {
      if (entry.once) this.off(event, entry.listener);
      try {
        entry.listener.call(this, ...args);
      } catch (error) {
        throw new ListenerError(event, error);
      }
    }
    for (const entry of any) entry.listener.call(this, event, ...args);
    return list.length > 0 || any.length > 0;
  }

  listenerCount(event) {
    return this.#listeners.get(event)?.length ?? 0;
  }

  eventNames() {
    return [...this.#listeners.keys()].filter((name) => name !== ANY);
  }

  async *events(event, { limit = Infinity } = {}) {
    const queue = [];
    let wake;
    const stop = this.on(event, (...args) => {
      queue.push(args);
      wake?.();
    });
    try {
      for (let seen = 0; seen < limit; seen++) {
        while (queue.length === 0) {
          await new Promise((resolve) => {
            wake = resolve;
          });
        }
        yield queue.shift();
      }
    } finally {
      stop();
    }
  }
}

export default Emitter;
`,
    },
    tests: {
      'test/emitter.test.mjs': `import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import Emitter, { ListenerError } from '../src/emitter.mjs';

describe('Emitter', () => {
  let emitter;

  beforeEach(() => {
    emitter = new Emitter();
  });

  describe('on()', () => {
    it('calls listeners in the order they were added', () => {
      const calls = [];
      emitter.on('tick', () => calls.push('first'));
      emitter.on('tick', () => calls.push('second'));
      emitter.emit('tick');
      assert.deepEqual(calls, ['first', 'second']);
    });

    it('passes all arguments', (t) => {
      const listener = t.mock.fn();
      emitter.on('data', listener);
      emitter.emit('data', 1, 'two', { three: 3 });
      assert.equal(listener.mock.callCount(), 1);
      assert.deepEqual(listener.mock.calls[0].arguments, [1, 'two', { three: 3 }]);
    });

    it('binds this to the emitter', () => {
      let self;
      emitter.on('x', function () {
        self = this;
      });
      emitter.emit('x');
      assert.equal(self, emitter);
    });

    it('returns an unsubscribe function', (t) => {
      const listener = t.mock.fn();
      const unsubscribe = emitter.on('data', listener);
      emitter.emit('data');
      unsubscribe();
      emitter.emit('data');
      assert.equal(listener.mock.callCount(), 1);
    });

    it('rejects listeners that are not functions', () => {
      assert.throws(() => emitter.on('x', 'nope'), { name: 'TypeError', message: /must be a function/ });
    });

    it('warns about too many listeners', (t) => {
      const onWarning = t.mock.fn();
      const small = new Emitter({ maxListeners: 2, onWarning });
      for (let i = 0; i < 4; i++) small.on('x', () => {});
      assert.deepEqual(
        onWarning.mock.calls.map((call) => call.arguments),
        [['x', 3], ['x', 4]],
      );
    });
  });

  describe('once()', () => {
    it('calls a listener a single time', (t) => {
      const listener = t.mock.fn();
      assert.equal(emitter.once('x', listener), emitter);
      assert.equal(emitter.emit('x'), true);
      assert.equal(emitter.emit('x'), false);
      assert.equal(listener.mock.callCount(), 1);
    });

    it('resolves with the arguments of the next event', async () => {
      const pending = emitter.once('ready');
      emitter.emit('ready', 'a', 1);
      assert.deepEqual(await pending, ['a', 1]);
      assert.equal(emitter.listenerCount('error'), 0);
    });

    it('rejects when an error comes first', async () => {
      const pending = emitter.once('ready');
      emitter.emit('error', new RangeError('too late'));
      await assert.rejects(pending, RangeError);
    });
  });

  describe('off()', () => {
    it('removes only the given listener', () => {
      const calls = [];
      const a = () => calls.push('a');
      const b = () => calls.push('b');
      emitter.on('x', a);
      emitter.on('x', b);
      emitter.off('x', a).emit('x');
      assert.deepEqual(calls, ['b']);
    });

    it('removes every listener of an event', () => {
      emitter.on('x', () => assert.fail('removed'));
      emitter.on('y', () => {});
      emitter.off('x');
      assert.deepEqual(emitter.eventNames(), ['y']);
      assert.ok(!emitter.emit('x'));
    });

    it('does not disturb a running emit', () => {
      const calls = [];
      const second = () => calls.push('second');
      emitter.on('x', () => {
        calls.push('first');
        emitter.off('x', second);
      });
      emitter.on('x', second);
      emitter.emit('x');
      emitter.emit('x');
      assert.deepEqual(calls, ['first', 'second', 'first']);
    });
  });

  describe('errors', () => {
    it('throws unhandled errors', () => {
      const error = new Error('boom');
      assert.throws(() => emitter.emit('error', error), (thrown) => thrown === error);
      assert.throws(() => emitter.emit('error', 42), /unhandled error: 42/);
    });

    it('wraps what a listener throws', () => {
      const cause = new SyntaxError('bad');
      emitter.on('parse', () => {
        throw cause;
      });
      assert.throws(
        () => emitter.emit('parse'),
        (error) => {
          assert.ok(error instanceof ListenerError);
          assert.equal(error.cause, cause);
          assert.equal(error.event, 'parse');
          assert.equal(error.message, 'listener of "parse" failed');
          return true;
        },
      );
    });
  });

  it('supports symbols and the any event', (t) => {
    const any = t.mock.fn();
    const topic = Symbol('topic');
    emitter.on(Emitter.any, any);
    emitter.on(topic, () => {});
    emitter.emit(topic, 1);
    emitter.emit('other');
    assert.deepEqual(any.mock.calls[0].arguments, [topic, 1]);
    assert.deepEqual(any.mock.calls[1].arguments, ['other']);
    assert.deepEqual(emitter.eventNames(), [topic]);
  });

  it('can be extended', () => {
    class Counter extends Emitter {
      count = 0;
      increment(by = 1) {
        this.count += by;
        this.emit('change', this.count);
        return this;
      }
    }
    const counter = new Counter();
    const seen = [];
    counter.on('change', (n) => seen.push(n));
    counter.increment().increment(5);
    assert.deepEqual(seen, [1, 6]);
    assert.equal(counter.count, 6);
    assert.ok(counter instanceof Emitter);
  });

  it('iterates over events', async () => {
    const seen = [];
    const loop = (async () => {
      for await (const [value] of emitter.events('n', { limit: 3 })) seen.push(value);
    })();
    await Promise.resolve();
    for (const n of [1, 2, 3, 4]) emitter.emit('n', n);
    await loop;
    assert.deepEqual(seen, [1, 2, 3]);
    assert.equal(emitter.listenerCount('n'), 0);
  });

  it('keeps prepended listeners in front', () => {
    const log = [];
    emitter.on('x', () => log.push(1));
    emitter.prepend('x', () => log.push(0));
    emitter.emit('x');
    assert.deepStrictEqual(log, [0, 1]);
  });
});
`,
    },
  },
  {
    id: 'registry-concurrency',
    breaks: [
      ['src/queue.mjs', `other.priority < priority`, `other.priority <= priority`],
      ['src/retry.mjs', `delay * factor ** (attempt - 1)`, `delay * factor`],
    ],
    artifact: {
      'src/index.mjs': `export { pLimit } from './limit.mjs';
export { retry, AbortError } from './retry.mjs';
export { PQueue } from './queue.mjs';
`,
      'src/limit.mjs': `export function pLimit(concurrency) {
  if (!((Number.isInteger(concurrency) || concurrency === Infinity) && concurrency > 0)) {
    throw new TypeError('Expected \`concurrency\` to be a number from 1 and up');
  }
  const queue = [];
  let active = 0;

  const next = () => {
    active--;
    queue.shift()?.();
  };

  const run = async (fn, resolve, args) => {
    active++;
    const result = (async () => fn(...args))();
    resolve(result);
    try {
      await result;
    } catch {}
    next();
  };

  const limit = (fn, ...args) =>
    new Promise((resolve) => {
      const start = () => run(fn, resolve, args);
      if (active < concurrency) start();
      else queue.push(start);
    });

  Object.defineProperties(limit, {
    activeCount: { get: () => active },
    pendingCount: { get: () => queue.length },
    clearQueue: { value: () => { queue.length = 0; } },
    map: { value: (items, fn) => Promise.all(Array.from(items, (item, i) => limit(fn, item, i))) },
  });
  return limit;
}
`,
      'src/queue.mjs': `import { EventEmitter } from 'node:events';

export class PQueue extends EventEmitter {
  #tasks = [];
  #active = 0;
  #paused;

  constructor({ concurrency = Infinity, autoStart = true } = {}) {
    super();
    this.concurrency = concurrency;
    this.#paused = !autoStart;
  }

  get size() { return this.#tasks.length; }
  get pending() { return this.#active; }
  get isPaused() { return this.#paused; }

  add(fn, { priority = 0 } = {}) {
    return new Promise((resolve, reject) => {
      const task = { priority, run: async () => {
        this.#active++;
        try {
          const value = await fn();
          resolve(value);
          this.emit('completed', value);
        } catch (error) {
          reject(error);
          this.emit('failed', error);
        }
        this.#active--;
        this.emit('next');
        this.#pump();
        if (this.#active === 0 && this.#tasks.length === 0) this.emit('idle');
      } };
      const at = this.#tasks.findIndex((other) => other.priority < priority);
      if (at < 0) this.#tasks.push(task);
      else this.#tasks.splice(at, 0, task);
      this.emit('add');
      this.#pump();
    });
  }

  addAll(fns, options) {
    return Promise.all(fns.map((fn) => this.add(fn, options)));
  }

  #pump() {
    while (!this.#paused && this.#active < this.concurrency && this.#tasks.length > 0) {
      this.#tasks.shift().run();
    }
  }

  start() {
    this.#paused = false;
    this.#pump();
    return this;
  }

  pause() {
    this.#paused = true;
  }

  clear() {
    this.#tasks = [];
  }

  async onIdle() {
    if (this.#active === 0 && this.#tasks.length === 0) return;
    await new Promise((resolve) => this.once('idle', resolve));
  }
}
`,
      'src/retry.mjs': `export class AbortError extends Error {
  constructor(message) {
    super();
    if (message instanceof Error) {
      this.originalError = message;
      ({ message } = message);
    } else {
      this.originalError = new Error(message);
    }
    this.name = 'AbortError';
    this.message = message;
  }
}

export async function retry(input, { retries = 3, delay = 0, factor = 2, onFailedAttempt = () => {}, shouldRetry = () => true, signal } = {}) {
  const errors = [];
  for (let attempt = 1; attempt <= retries + 1; attempt++) {
    signal?.throwIfAborted();
    try {
      return await input(attempt);
    } catch (error) {
      if (!(error instanceof Error)) {
        throw new TypeError(\`Non-error was thrown: "\${error}". You should only throw errors.\`);
      }
      if (error instanceof AbortError) throw error.originalError;
      errors.push(error);
      error.attemptNumber = attempt;
      error.retriesLeft = retries + 1 - attempt;
      await onFailedAttempt(error);
      if (error.retriesLeft === 0 || !(await shouldRetry(error))) {
        if (errors.length === 1) throw error;
        throw new AggregateError(errors, \`gave up after \${attempt} attempts\`);
      }
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay * factor ** (attempt - 1)));
    }
  }
}
`,
    },
    tests: {
      'test/limit.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { pLimit } from '../src/index.mjs';

test('runs tasks one at a time', async () => {
  const limit = pLimit(1);
  const order = [];
  const task = (name, ms) => async () => {
    order.push(\`\${name} start\`);
    await sleep(ms);
    order.push(\`\${name} end\`);
    return name;
  };
  const results = await Promise.all([limit(task('a', 20)), limit(task('b', 1)), limit(task('c', 1))]);
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(order, ['a start', 'a end', 'b start', 'b end', 'c start', 'c end']);
});

test('never runs more than the limit', async () => {
  const limit = pLimit(3);
  let running = 0;
  let peak = 0;
  const input = Array.from({ length: 12 }, () =>
    limit(async () => {
      running++;
      peak = Math.max(peak, running);
      await turn();
      running--;
    }),
  );
  await Promise.all(input);
  assert.equal(peak, 3);
});

test('non-promise returning functions and arguments', async () => {
  const limit = pLimit(2);
  assert.equal(await limit(() => null), null);
  const symbol = Symbol('test');
  assert.equal(await limit((value) => value, symbol), symbol);
});

test('continues after a rejection', async () => {
  const limit = pLimit(1);
  const error = new Error('unicorn');
  const results = await Promise.allSettled([
    limit(() => 1),
    limit(async () => { throw error; }),
    limit(() => { throw new TypeError('sync'); }),
    limit(() => 4),
  ]);
  assert.deepEqual(results.map((r) => r.status), ['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  assert.strictEqual(results[1].reason, error);
  assert.match(results[2].reason.message, /sync/);
});

test('activeCount and pendingCount', async () => {
  const limit = pLimit(2);
  assert.equal(limit.activeCount, 0);
  const gate = Promise.withResolvers();
  const running = [1, 2, 3].map(() => limit(() => gate.promise));
  assert.equal(limit.activeCount, 2);
  assert.equal(limit.pendingCount, 1);
  gate.resolve();
  await Promise.all(running);
  await turn();
  assert.equal(limit.activeCount, 0);
  assert.equal(limit.pendingCount, 0);
});

test('clearQueue', async () => {
  const limit = pLimit(1);
  const ran = [];
  const first = limit(() => turn());
  limit(() => ran.push('x'));
  limit(() => ran.push('y'));
  assert.equal(limit.pendingCount, 2);
  limit.clearQueue();
  await first;
  await turn();
  assert.deepEqual(ran, []);
});

test('map', async () => {
  const limit = pLimit(2);
  assert.deepEqual(await limit.map([1, 2, 3], (n, i) => n * 10 + i), [10, 21, 32]);
  assert.deepEqual(await limit.map(new Set(['a', 'b']), async (s) => s + s), ['aa', 'bb']);
});

test('throws on invalid concurrency', () => {
  for (const value of [0, -1, 1.2, undefined, true]) {
    assert.throws(() => pLimit(value), { name: 'TypeError', message: 'Expected \`concurrency\` to be a number from 1 and up' });
  }
  assert.doesNotThrow(() => pLimit(Number.POSITIVE_INFINITY));
});
`,
      'test/queue.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { once } from 'node:events';
import { PQueue } from '../src/index.mjs';

test('.add() resolves with the value', async () => {
  const queue = new PQueue();
  const promise = queue.add(async () => 'unicorn');
  assert.equal(queue.size, 0);
  assert.equal(queue.pending, 1);
  assert.equal(await promise, 'unicorn');
});

test('.add() - limited concurrency', async () => {
  const queue = new PQueue({ concurrency: 2 });
  const jobs = ['a', 'b', 'c'].map((name) => queue.add(async () => { await turn(); return name; }));
  assert.equal(queue.size, 1);
  assert.equal(queue.pending, 2);
  assert.deepEqual(await Promise.all(jobs), ['a', 'b', 'c']);
});

test('.add() - priority', async () => {
  const result = [];
  const queue = new PQueue({ concurrency: 1, autoStart: false });
  queue.add(async () => result.push(0), { priority: 0 });
  queue.add(async () => result.push(2), { priority: 2 });
  queue.add(async () => result.push(1), { priority: 1 });
  queue.add(async () => result.push('1b'), { priority: 1 });
  queue.start();
  await queue.onIdle();
  assert.deepEqual(result, [2, 1, '1b', 0]);
});

test('pause and start', async () => {
  const queue = new PQueue({ concurrency: 1 });
  queue.pause();
  assert.ok(queue.isPaused);
  const job = queue.add(() => 1);
  await turn();
  assert.equal(queue.size, 1);
  assert.equal(queue.start(), queue);
  assert.equal(await job, 1);
});

test('events', async (t) => {
  const queue = new PQueue({ concurrency: 1 });
  const completed = t.mock.fn();
  const failed = t.mock.fn();
  queue.on('completed', completed);
  queue.on('failed', failed);
  const error = new Error('broken');
  const results = await Promise.allSettled([queue.add(() => 'ok'), queue.add(() => { throw error; })]);
  assert.equal(results[1].reason, error);
  await queue.onIdle();
  assert.deepEqual(completed.mock.calls[0].arguments, ['ok']);
  assert.strictEqual(failed.mock.calls[0].arguments[0], error);
});

test('idle event with events.once', async () => {
  const queue = new PQueue();
  const idle = once(queue, 'idle');
  queue.addAll([() => turn(), () => turn()]);
  await idle;
  assert.equal(queue.pending, 0);
});

test('.clear()', async () => {
  const queue = new PQueue({ concurrency: 1, autoStart: false });
  queue.add(() => assert.fail());
  queue.clear();
  queue.start();
  await queue.onIdle();
  assert.equal(queue.size, 0);
});
`,
      'test/retry.test.mjs': `import { describe, it, mock } from 'node:test';
import assert from 'node:assert/strict';
import { retry, AbortError } from '../src/index.mjs';

const fixture = Symbol('fixture');
const fixtureError = new Error('fixture');

describe('retry', () => {
  it('retries until it works', async () => {
    let i = 0;
    const value = await retry(async (attempt) => {
      i++;
      return attempt === 3 ? fixture : Promise.reject(fixtureError);
    });
    assert.equal(value, fixture);
    assert.equal(i, 3);
  });

  it('aborts with the original error', async () => {
    const original = new RangeError('stop');
    let i = 0;
    await assert.rejects(
      retry(async () => {
        i++;
        throw new AbortError(original);
      }),
      (error) => error === original,
    );
    assert.equal(i, 1);
    assert.equal(new AbortError('text').originalError.message, 'text');
  });

  it('refuses what is not an error', async () => {
    await assert.rejects(retry(() => { throw 'foo'; }), { name: 'TypeError', message: /Non-error was thrown: "foo"/ });
  });

  it('collects all errors', async () => {
    const error = await retry((n) => { throw new Error(\`attempt \${n}\`); }, { retries: 2 }).catch((e) => e);
    assert.ok(error instanceof AggregateError);
    assert.equal(error.message, 'gave up after 3 attempts');
    assert.deepEqual(error.errors.map((e) => e.message), ['attempt 1', 'attempt 2', 'attempt 3']);
  });

  it('tells about failed attempts', async () => {
    const left = [];
    await assert.rejects(retry(() => { throw fixtureError; }, {
      retries: 2,
      onFailedAttempt: (error) => {
        assert.strictEqual(error, fixtureError);
        left.push([error.attemptNumber, error.retriesLeft]);
      },
    }));
    assert.deepEqual(left, [[1, 2], [2, 1], [3, 0]]);
  });

  it('asks shouldRetry', async () => {
    const task = mock.fn(async () => { throw new Error('no'); });
    await assert.rejects(retry(task, { retries: 5, shouldRetry: (e) => e.attemptNumber < 1 }), /^Error: no$/);
    assert.equal(task.mock.callCount(), 1);
  });

  it('waits longer each time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const task = t.mock.fn(() => Promise.reject(new Error('x')));
    const done = retry(task, { retries: 2, delay: 100 }).catch((e) => e);
    const settle = async () => { for (let i = 0; i < 20; i++) await Promise.resolve(); };
    await settle();
    assert.equal(task.mock.callCount(), 1);
    t.mock.timers.tick(100);
    await settle();
    assert.equal(task.mock.callCount(), 2);
    t.mock.timers.tick(199);
    await settle();
    assert.equal(task.mock.callCount(), 2);
    t.mock.timers.tick(1);
    const error = await done;
    assert.equal(error.errors.length, 3);
  });

  it('honours a signal', async () => {
    const controller = new AbortController();
    const task = async (n) => {
      if (n === 2) controller.abort(new Error('stopped'));
      throw new Error('again');
    };
    await assert.rejects(retry(task, { retries: 10, signal: controller.signal }), { message: 'stopped' });
  });
});
`,
    },
  },
  {
    id: 'registry-router',
    breaks: [
      ['lib/compose.js', `if (i <= index) return`, `if (i < index) return`],
      ['lib/router.js', `decodeURIComponent(found[i + 1])`, `found[i + 1]`],
    ],
    artifact: {
      'lib/compose.js': `'use strict';

module.exports = function compose(middleware) {
  if (!Array.isArray(middleware)) throw new TypeError('Middleware stack must be an array!');
  for (const fn of middleware) {
    if (typeof fn !== 'function') throw new TypeError('Middleware must be composed of functions!');
  }
  return function composed(context, next) {
    let index = -1;
    const dispatch = (i) => {
      if (i <= index) return Promise.reject(new Error('next() called multiple times'));
      index = i;
      const fn = i === middleware.length ? next : middleware[i];
      if (!fn) return Promise.resolve();
      try {
        return Promise.resolve(fn(context, dispatch.bind(null, i + 1)));
      } catch (error) {
        return Promise.reject(error);
      }
    };
    return dispatch(0);
  };
};
`,
      'lib/router.js': `'use strict';
const compose = require('./compose');

class HttpError extends Error {
  constructor(status, message, properties) {
    super(message);
    this.name = this.constructor.name;
    this.status = status;
    this.expose = status < 500;
    Object.assign(this, properties);
  }
}

class NotFound extends HttpError {
  constructor(path) {
    super(404, \`no route for \${path}\`, { path });
  }
}

function compile(pattern) {
  const keys = [];
  const source = pattern
    .replace(/[.+^\${}()|[\\]\\\\]/g, '\\\\$&')
    .replace(/\\/:(\\w+)(\\?)?/g, (_, name, optional) => {
      keys.push(name);
      return optional ? '(?:/([^/]+))?' : '/([^/]+)';
    })
    .replace(/\\*/g, '(.*)');
  return { keys, regexp: new RegExp(\`^\${source}/?$\`) };
}

class Route {
  constructor(method, pattern, handlers) {
    this.method = method;
    this.pattern = pattern;
    this.handlers = handlers;
    Object.assign(this, compile(pattern));
  }

  match(method, path) {
    if (method !== this.method) return null;
    const found = this.regexp.exec(path);
    if (!found) return null;
    const params = {};
    this.keys.forEach((key, i) => {
      if (found[i + 1] !== undefined) params[key] = decodeURIComponent(found[i + 1]);
    });
    return params;
  }
}

class Router {
  constructor({ prefix = '' } = {}) {
    this.prefix = prefix;
    this.routes = [];
    this.stack = [];
  }

  use(...args) {
    const [first] = args;
    if (first instanceof Router) {
      for (const route of first.routes) {
        this.add(route.method, route.pattern, ...first.stack, ...route.handlers);
      }
    } else {
      this.stack.push(...args);
    }
    return this;
  }

  add(method, pattern, ...handlers) {
    this.routes.push(new Route(method, this.prefix + pattern, handlers));
    return this;
  }

  match(method, path) {
    for (const route of this.routes) {
      const params = route.match(method, path);
      if (params) return { route, params };
    }
    return null;
  }

  url(pattern, params) {
    return this.prefix + pattern.replace(/:(\\w+)/g, (_, name) => {
      if (!(name in params)) throw new TypeError(\`Expected "\${name}" to be a string\`);
      return encodeURIComponent(params[name]);
    });
  }

  async handle(request) {
    const [path, search = ''] = request.url.split('?');
    const context = { request, path, query: Object.fromEntries(new URLSearchParams(search)), status: 404, headers: {}, state: {} };
    const found = this.match(request.method ?? 'GET', path);
    const tail = found ? found.route.handlers : [() => { throw new NotFound(path); }];
    context.params = found ? found.params : {};
    const result = await compose([...this.stack, ...tail])(context);
    if (result !== undefined) context.body = result;
    if (context.status === 404 && context.body !== undefined) context.status = 200;
    return context;
  }
}

for (const method of ['get', 'post', 'put', 'delete']) {
  Router.prototype[method] = function (pattern, ...handlers) {
    return this.add(method.toUpperCase(), pattern, ...handlers);
  };
}

module.exports = { Router, Route, HttpError, NotFound, compose };
`,
    },
    tests: {
      'test/compose.test.js': `'use strict';
const { describe, it } = require('node:test');
const assert = require('node:assert');
const compose = require('../lib/compose');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms || 1));

describe('compose', () => {
  it('should work', async () => {
    const arr = [];
    const stack = [];
    stack.push(async (context, next) => {
      arr.push(1);
      await wait(1);
      await next();
      await wait(1);
      arr.push(6);
    });
    stack.push(async (context, next) => {
      arr.push(2);
      await next();
      arr.push(5);
    });
    stack.push(async (context, next) => {
      arr.push(3);
      await next();
      arr.push(4);
    });
    await compose(stack)({});
    assert.deepStrictEqual(arr, [1, 2, 3, 4, 5, 6]);
  });

  it('should only accept an array', () => {
    assert.throws(() => compose(), TypeError);
  });

  it('should only accept middleware as functions', () => {
    assert.throws(() => compose([{}]), TypeError);
  });

  it('should work with 0 middleware', () => compose([])({}));

  it('should keep the context', async () => {
    const ctx = {};
    const stack = [
      async (ctx2, next) => { await next(); assert.strictEqual(ctx2, ctx); },
      async (ctx2, next) => { ctx2.touched = true; await next(); },
    ];
    await compose(stack)(ctx);
    assert.strictEqual(ctx.touched, true);
  });

  it('should catch downstream errors', async () => {
    const arr = [];
    const stack = [
      async (ctx, next) => {
        arr.push(1);
        try {
          arr.push(6);
          await next();
          arr.push(7);
        } catch (err) {
          arr.push(2);
        }
        arr.push(3);
      },
      async (ctx, next) => {
        arr.push(4);
        throw new Error();
      },
    ];
    await compose(stack)({});
    assert.deepStrictEqual(arr, [1, 6, 4, 2, 3]);
  });

  it('should throw if next() is called multiple times', async () => {
    await assert.rejects(
      compose([async (ctx, next) => { await next(); await next(); }])({}),
      /multiple times/,
    );
  });

  it('should return last return value', async () => {
    const next = () => 0;
    const stack = [
      async (context, next2) => { const val = await next2(); assert.strictEqual(val, 2); return 1; },
      async (context, next2) => { const val = await next2(); assert.strictEqual(val, 0); return 2; },
    ];
    assert.strictEqual(await compose(stack)({}, next), 1);
  });

  it('should compose with other compositions', async () => {
    const called = [];
    const push = (n) => (ctx, next) => { called.push(n); return next(); };
    await compose([compose([push(1), push(2)]), push(3)])([]);
    assert.deepStrictEqual(called, [1, 2, 3]);
  });
});
`,
      'test/router.test.js': `'use strict';
const { describe, it, beforeEach } = require('node:test');
const assert = require('node:assert');
const { Router, Route, HttpError, NotFound } = require('../lib/router');

describe('Router', () => {
  let router;

  beforeEach(() => {
    router = new Router();
  });

  it('matches paths with parameters', () => {
    router.get('/users/:id', () => {});
    const { params, route } = router.match('GET', '/users/42');
    assert.deepStrictEqual(params, { id: '42' });
    assert.strictEqual(route.pattern, '/users/:id');
    assert.ok(route instanceof Route);
    assert.strictEqual(router.match('POST', '/users/42'), null);
    assert.strictEqual(router.match('GET', '/users'), null);
  });

  it('decodes parameters', () => {
    router.get('/files/:name', () => {});
    assert.strictEqual(router.match('GET', '/files/a%20b').params.name, 'a b');
  });

  it('supports optional parameters and wildcards', () => {
    router.get('/posts/:year/:month?', () => {}).get('/static/*', () => {});
    assert.deepStrictEqual(router.match('GET', '/posts/2020').params, { year: '2020' });
    assert.deepStrictEqual(router.match('GET', '/posts/2020/05').params, { year: '2020', month: '05' });
    assert.ok(router.match('GET', '/static/js/app.js'));
  });

  it('runs handlers and sets the body', async () => {
    router.get('/hello/:who', (ctx) => \`Hello \${ctx.params.who}\`);
    const ctx = await router.handle({ method: 'GET', url: '/hello/bob?loud=1' });
    assert.strictEqual(ctx.body, 'Hello bob');
    assert.strictEqual(ctx.status, 200);
    assert.deepStrictEqual(ctx.query, { loud: '1' });
  });

  it('runs middleware around handlers', async () => {
    router.use(async (ctx, next) => {
      ctx.state.user = 'ann';
      const result = await next();
      ctx.headers['x-time'] = '1ms';
      return result;
    });
    router.get('/me', (ctx) => ({ user: ctx.state.user }));
    const { body, headers } = await router.handle({ url: '/me' });
    assert.deepStrictEqual(body, { user: 'ann' });
    assert.deepStrictEqual(headers, { 'x-time': '1ms' });
  });

  it('rejects unknown paths', async () => {
    await assert.rejects(router.handle({ url: '/nope' }), { name: 'NotFound', status: 404, path: '/nope', expose: true });
    await assert.rejects(router.handle({ url: '/nope' }), NotFound);
  });

  it('lets a middleware turn errors into answers', async () => {
    class Teapot extends HttpError {
      constructor() {
        super(418, 'short and stout');
      }
    }
    router.use(async (ctx, next) => {
      try {
        return await next();
      } catch (error) {
        ctx.status = error.status || 500;
        return { error: error.message, name: error.name };
      }
    });
    router.get('/tea', () => { throw new Teapot(); });
    router.get('/bug', () => { throw new Error('oops'); });
    const tea = await router.handle({ url: '/tea' });
    assert.strictEqual(tea.status, 418);
    assert.deepStrictEqual(tea.body, { error: 'short and stout', name: 'Teapot' });
    assert.strictEqual((await router.handle({ url: '/bug' })).status, 500);
  });

  it('mounts other routers', async () => {
    const api = new Router({ prefix: '/api' });
    api.get('/ping', () => 'pong').post('/echo', (ctx) => ctx.request.body);
    router.use(api);
    assert.deepStrictEqual(router.routes.map((r) => \`\${r.method} \${r.pattern}\`), ['GET /api/ping', 'POST /api/echo']);
    const payload = { a: [1, 2] };
    const echoed = await router.handle({ method: 'POST', url: '/api/echo', body: payload });
    assert.deepStrictEqual(echoed.body, payload);
  });

  it('builds urls', () => {
    const api = new Router({ prefix: '/v1' });
    assert.strictEqual(api.url('/u/:name', { name: 'a/b' }), '/v1/u/a%2Fb');
    assert.throws(() => api.url('/u/:name', {}), new TypeError('Expected "name" to be a string'));
  });

  it('has properties on errors', () => {
    const error = new HttpError(503, 'later', { retryAfter: 5 });
    assert.ok(error instanceof Error);
    assert.strictEqual(error.retryAfter, 5);
    assert.strictEqual(error.expose, false);
    assert.strictEqual(\`\${error}\`, 'HttpError: later');
    assert.strictEqual(Object.prototype.toString.call(error), '[object Error]');
  });

  it('handlers see their arguments', async (t) => {
    const handler = t.mock.fn(async (ctx, next) => { await next(); return 'done'; });
    router.put('/x', handler, () => {});
    await router.handle({ method: 'PUT', url: '/x' });
    assert.strictEqual(handler.mock.callCount(), 1);
    const [ctx, next] = handler.mock.calls[0].arguments;
    assert.strictEqual(ctx.path, '/x');
    assert.strictEqual(typeof next, 'function');
    assert.strictEqual(await handler.mock.calls[0].result, 'done');
  });
});
`,
    },
  },
  {
    id: 'registry-streams',
    breaks: [
      ['src/streams.mjs', `if (--n === 0) return;`, `if (n-- === 0) return;`],
      [
        'src/streams.mjs',
        `{ *[Symbol.iterator]() { let i = 0; for (const x of s) yield fn(x, i++); } }`,
        `[...s].slice(0, 1e5).map(fn)`,
      ],
    ],
    artifact: {
      'src/streams.mjs': `import { Transform, Writable, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export class LineSplitter extends Transform {
  #rest = '';

  constructor({ skipEmpty = false, ...options } = {}) {
    super({ ...options, readableObjectMode: true });
    this.skipEmpty = skipEmpty;
    this.lines = 0;
  }

  #send(line) {
    if (this.skipEmpty && line === '') return;
    this.lines++;
    this.push(line);
  }

  _transform(chunk, _encoding, done) {
    const parts = (this.#rest + chunk).split(/\\r?\\n/);
    this.#rest = parts.pop();
    for (const line of parts) this.#send(line);
    done();
  }

  _flush(done) {
    if (this.#rest !== '') this.#send(this.#rest);
    done();
  }
}

export async function collect(source) {
  const items = [];
  for await (const item of source) items.push(item);
  return items;
}

export async function* chunk(source, size) {
  if (!(size > 0)) throw new RangeError('size must be positive');
  let batch = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length) yield batch;
}

export function* take(source, n) {
  if (n <= 0) return;
  for (const item of source) {
    yield item;
    if (--n === 0) return;
  }
}

export function zip(...iterables) {
  return {
    *[Symbol.iterator]() {
      const iterators = iterables.map((it) => it[Symbol.iterator]());
      while (true) {
        const results = iterators.map((it) => it.next());
        if (results.some((r) => r.done)) {
          iterators.forEach((it, i) => { if (!results[i].done) it.return?.(); });
          return;
        }
        yield results.map((r) => r.value);
      }
    },
  };
}

export class Sequence {
  #source;
  constructor(source) { this.#source = source; }
  static range(start, end, step = 1) {
    return new Sequence({ *[Symbol.iterator]() { for (let i = start; i < end; i += step) yield i; } });
  }
  map(fn) { const s = this.#source; return new Sequence({ *[Symbol.iterator]() { let i = 0; for (const x of s) yield fn(x, i++); } }); }
  filter(fn) { const s = this.#source; return new Sequence({ *[Symbol.iterator]() { for (const x of s) if (fn(x)) yield x; } }); }
  take(n) { const s = this.#source; return new Sequence({ [Symbol.iterator]: () => take(s, n) }); }
  reduce(fn, initial) { let acc = initial; for (const x of this) acc = fn(acc, x); return acc; }
  toArray() { return [...this]; }
  [Symbol.iterator]() { return this.#source[Symbol.iterator](); }
}

export async function* mapConcurrent(source, fn, concurrency = 2) {
  const pending = [];
  for await (const item of source) {
    pending.push(Promise.resolve(fn(item)));
    if (pending.length >= concurrency) yield await pending.shift();
  }
  while (pending.length) yield await pending.shift();
}

export async function countWords(chunks) {
  const counts = new Map();
  await pipeline(
    Readable.from(chunks),
    new LineSplitter({ skipEmpty: true }),
    new Writable({
      objectMode: true,
      write(line, _, done) {
        for (const word of line.toLowerCase().match(/\\w+/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
        done();
      },
    }),
  );
  return counts;
}

export class Channel {
  #values = [];
  #waiting = [];
  #closed = false;

  send(value) {
    if (this.#closed) throw new Error('channel is closed');
    const taker = this.#waiting.shift();
    if (taker) taker({ value, done: false });
    else this.#values.push(value);
  }

  close() {
    this.#closed = true;
    for (const taker of this.#waiting.splice(0)) taker({ value: undefined, done: true });
  }

  next() {
    if (this.#values.length) return Promise.resolve({ value: this.#values.shift(), done: false });
    if (this.#closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return() {
    this.close();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async [Symbol.asyncDispose]() {
    this.close();
  }
}
`,
    },
    tests: {
      'test/streams.test.mjs': `import { test, describe } from 'node:test';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { Channel, LineSplitter, Sequence, chunk, collect, countWords, mapConcurrent, take, zip } from '../src/streams.mjs';

async function* letters() {
  yield 'a';
  yield 'b';
  yield 'c';
}

describe('LineSplitter', () => {
  test('splits across chunks', async () => {
    const lines = Readable.from(['one\\ntw', 'o\\r\\nthree']).pipe(new LineSplitter());
    assert.deepEqual(await collect(lines), ['one', 'two', 'three']);
  });

  test('counts lines and skips empty ones', async () => {
    const splitter = new LineSplitter({ skipEmpty: true });
    splitter.end('a\\n\\n\\nb\\n');
    assert.deepEqual(await splitter.toArray(), ['a', 'b']);
    assert.equal(splitter.lines, 2);
  });

  test('emits data events', async () => {
    const splitter = new LineSplitter();
    const seen = [];
    splitter.on('data', (line) => seen.push(line));
    const ended = new Promise((resolve) => splitter.once('end', resolve));
    splitter.write('x\\ny');
    splitter.end();
    await ended;
    assert.deepEqual(seen, ['x', 'y']);
  });
});

describe('async iterators', () => {
  test('collect', async () => {
    assert.deepEqual(await collect(letters()), ['a', 'b', 'c']);
    assert.deepEqual(await collect([1, Promise.resolve(2)]), [1, 2]);
  });

  test('chunk', async () => {
    const chunks = [];
    for await (const part of chunk(letters(), 2)) chunks.push(part.join(''));
    assert.deepEqual(chunks, ['ab', 'c']);
    await assert.rejects(chunk([], 0).next(), RangeError);
  });

  test('passes on errors of the source', async () => {
    const failure = new Error('source failed');
    async function* failing() {
      yield 1;
      throw failure;
    }
    await assert.rejects(collect(chunk(failing(), 5)), (e) => e === failure);
  });

  test('closes the source when a consumer stops', async () => {
    let closed = false;
    async function* source() {
      try {
        yield 1;
        yield 2;
      } finally {
        closed = true;
      }
    }
    for await (const _ of chunk(source(), 1)) break;
    assert.equal(closed, true);
  });

  test('mapConcurrent keeps order', async () => {
    let running = 0;
    let peak = 0;
    const slow = async (n) => {
      peak = Math.max(peak, ++running);
      await new Promise((r) => setImmediate(r));
      running--;
      return n * 2;
    };
    assert.deepEqual(await collect(mapConcurrent([1, 2, 3, 4, 5], slow, 3)), [2, 4, 6, 8, 10]);
    assert.equal(peak, 3);
  });
});

describe('iterators', () => {
  test('take stops early', () => {
    const pulled = [];
    function* naturals() {
      for (let i = 0; ; i++) {
        pulled.push(i);
        yield i;
      }
    }
    assert.deepEqual([...take(naturals(), 3)], [0, 1, 2]);
    assert.deepEqual(pulled, [0, 1, 2]);
  });

  test('zip', () => {
    assert.deepEqual([...zip([1, 2, 3], 'ab', new Set([true, false]))], [[1, 'a', true], [2, 'b', false]]);
    const pairs = zip([1], [2]);
    assert.deepEqual(Array.from(pairs), [[1, 2]]);
    assert.deepEqual(Array.from(pairs), [[1, 2]], 'can be iterated again');
  });

  test('zip closes what is left', (t) => {
    const close = t.mock.fn(() => ({ done: true }));
    const endless = { [Symbol.iterator]: () => ({ next: () => ({ value: 0, done: false }), return: close }) };
    assert.equal([...zip(endless, [1])].length, 1);
    assert.equal(close.mock.callCount(), 1);
  });

  test('Sequence is lazy', (t) => {
    const double = t.mock.fn((n) => n * 2);
    const sequence = Sequence.range(0, 1e9).map(double).filter((n) => n % 4 === 0).take(3);
    assert.equal(double.mock.callCount(), 0);
    assert.deepEqual(sequence.toArray(), [0, 4, 8]);
    assert.equal(double.mock.callCount(), 5);
    assert.deepEqual([...sequence], [0, 4, 8]);
    assert.equal(sequence.reduce((a, b) => a + b, 100), 112);
  });

  test('Sequence passes the index', () => {
    assert.deepEqual(new Sequence(['x', 'y']).map((v, i) => v + i).toArray(), ['x0', 'y1']);
    const [first, ...rest] = Sequence.range(10, 40, 10);
    assert.equal(first, 10);
    assert.deepEqual(rest, [20, 30]);
  });
});

test('countWords', async () => {
  const counts = await countWords(['The cat\\nthe ', 'dog\\n', 'Cat']);
  assert.deepEqual(counts, new Map([['the', 2], ['cat', 2], ['dog', 1]]));
  assert.deepEqual([...counts.keys()], ['the', 'cat', 'dog']);
});

describe('Channel', () => {
  test('delivers in order', async () => {
    const channel = new Channel();
    const first = channel.next();
    channel.send(1);
    channel.send(2);
    channel.close();
    assert.deepEqual(await first, { value: 1, done: false });
    assert.deepEqual(await collect(channel), [2]);
    assert.throws(() => channel.send(3), { message: 'channel is closed' });
  });

  test('ends waiting takers', async () => {
    const channel = new Channel();
    const waiting = [channel.next(), channel.next()];
    channel.close();
    assert.deepEqual(await Promise.all(waiting), [{ value: undefined, done: true }, { value: undefined, done: true }]);
  });

  test('is disposed of', async () => {
    let outer;
    {
      await using channel = new Channel();
      outer = channel;
      channel.send('x');
    }
    assert.throws(() => outer.send('y'), /closed/);
  });

  test('breaking a loop closes it', async () => {
    const channel = new Channel();
    channel.send(1);
    channel.send(2);
    for await (const value of channel) {
      assert.equal(value, 1);
      break;
    }
    assert.throws(() => channel.send(3));
  });
});
`,
    },
  },
  {
    id: 'registry-timing',
    breaks: [['src/timing.cjs', `Math.min(wait, Math.max(0, started + maxWait - Date.now()))`, `wait`]],
    artifact: {
      'src/timing.cjs': `'use strict';

function debounce(fn, wait, { leading = false, trailing = true, maxWait } = {}) {
  let timer;
  let lastArgs;
  let lastThis;
  let result;
  let started;

  const invoke = () => {
    const args = lastArgs;
    const self = lastThis;
    lastArgs = lastThis = undefined;
    result = fn.apply(self, args);
    return result;
  };

  const expire = () => {
    timer = undefined;
    started = undefined;
    if (trailing && lastArgs) invoke();
  };

  function debounced(...args) {
    lastArgs = args;
    lastThis = this;
    const first = timer === undefined;
    if (first) started = Date.now();
    clearTimeout(timer);
    const left = maxWait === undefined ? wait : Math.min(wait, Math.max(0, started + maxWait - Date.now()));
    timer = setTimeout(expire, left);
    if (leading && first) return invoke();
    return result;
  }

  debounced.cancel = () => {
    clearTimeout(timer);
    timer = lastArgs = lastThis = started = undefined;
  };
  debounced.flush = () => {
    if (timer === undefined) return result;
    clearTimeout(timer);
    expire();
    return result;
  };
  Object.defineProperty(debounced, 'pending', { get: () => timer !== undefined });
  return debounced;
}

function throttle(fn, wait) {
  return debounce(fn, wait, { leading: true, trailing: true, maxWait: wait });
}

class Poller {
  constructor(task, { interval, onError = () => {} }) {
    this.task = task;
    this.interval = interval;
    this.onError = onError;
    this.runs = 0;
    this.handle = null;
  }

  get running() {
    return this.handle !== null;
  }

  start() {
    if (this.running) throw new Error('already running');
    this.handle = setInterval(() => {
      this.runs += 1;
      try {
        this.task(this.runs, this);
      } catch (error) {
        this.onError(error);
      }
    }, this.interval);
    return this;
  }

  stop() {
    clearInterval(this.handle);
    this.handle = null;
    return this.runs;
  }
}

class TimeoutError extends Error {
  constructor(ms, options) {
    super(\`timed out after \${ms}ms\`, options);
    this.name = 'TimeoutError';
    this.code = 'ETIMEDOUT';
    this.ms = ms;
  }
}

function timeout(promise, ms, { fallback } = {}) {
  let timer;
  const clock = new Promise((resolve, reject) => {
    timer = setTimeout(() => {
      if (fallback) {
        try { resolve(fallback()); } catch (cause) { reject(new TimeoutError(ms, { cause })); }
      } else reject(new TimeoutError(ms));
    }, ms);
  });
  return Promise.race([promise, clock]).finally(() => clearTimeout(timer));
}

class Stopwatch {
  #start;
  #laps = [];
  constructor(now = () => performance.now()) {
    this.now = now;
    this.#start = now();
  }
  lap(name) {
    this.#laps.push({ name, at: this.now() - this.#start });
    return this;
  }
  get laps() {
    return this.#laps.map((lap, i) => ({ ...lap, took: lap.at - (this.#laps[i - 1]?.at ?? 0) }));
  }
}

module.exports = { debounce, throttle, Poller, timeout, TimeoutError, Stopwatch };
`,
    },
    tests: {
      'test/timing.test.cjs': `const { describe, it, beforeEach, afterEach, mock } = require('node:test');
const assert = require('node:assert/strict');
const { debounce, throttle, Poller, timeout, TimeoutError, Stopwatch } = require('../src/timing.cjs');

describe('timing', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }));
  afterEach(() => mock.timers.reset());

  describe('debounce', () => {
    it('calls once after quiet', () => {
      const fn = mock.fn();
      const debounced = debounce(fn, 100);
      debounced(1);
      mock.timers.tick(99);
      debounced(2);
      mock.timers.tick(99);
      assert.equal(fn.mock.callCount(), 0);
      mock.timers.tick(1);
      assert.equal(fn.mock.callCount(), 1);
      assert.deepEqual(fn.mock.calls[0].arguments, [2]);
    });

    it('leading calls at once', () => {
      const fn = mock.fn((x) => x * 2);
      const debounced = debounce(fn, 50, { leading: true, trailing: false });
      assert.equal(debounced(4), 8);
      assert.equal(debounced(5), 8);
      mock.timers.tick(50);
      assert.equal(fn.mock.callCount(), 1);
      assert.equal(debounced(6), 12);
    });

    it('cancel and pending', () => {
      const fn = mock.fn();
      const debounced = debounce(fn, 10);
      assert.equal(debounced.pending, false);
      debounced();
      assert.equal(debounced.pending, true);
      debounced.cancel();
      assert.equal(debounced.pending, false);
      mock.timers.tick(100);
      assert.equal(fn.mock.callCount(), 0);
    });

    it('flush', () => {
      const debounced = debounce((a, b) => a + b, 10);
      debounced(1, 2);
      assert.equal(debounced.flush(), 3);
      assert.equal(debounced.flush(), 3);
    });

    it('keeps this', () => {
      const counter = {
        n: 0,
        add: debounce(function (by) {
          this.n += by;
        }, 5),
      };
      counter.add(3);
      mock.timers.tick(5);
      assert.equal(counter.n, 3);
    });

    it('maxWait', () => {
      const calls = [];
      const debounced = debounce((v) => calls.push([v, Date.now()]), 100, { maxWait: 250 });
      for (let i = 0; i < 6; i++) {
        debounced(i);
        mock.timers.tick(50);
      }
      assert.deepEqual(calls, [[4, 250]]);
    });
  });

  it('throttle', () => {
    const calls = [];
    const throttled = throttle((v) => calls.push(v), 100);
    throttled('a');
    throttled('b');
    throttled('c');
    assert.deepEqual(calls, ['a']);
    mock.timers.tick(100);
    assert.deepEqual(calls, ['a', 'c']);
    mock.timers.tick(100);
    assert.deepEqual(calls, ['a', 'c']);
  });

  describe('Poller', () => {
    it('polls until stopped', (t) => {
      const task = t.mock.fn();
      const poller = new Poller(task, { interval: 20 }).start();
      assert.ok(poller.running);
      mock.timers.tick(65);
      assert.equal(poller.stop(), 3);
      mock.timers.tick(100);
      assert.equal(task.mock.callCount(), 3);
      assert.equal(task.mock.calls[2].arguments[0], 3);
      assert.equal(task.mock.calls[2].arguments[1], poller);
      assert.ok(!poller.running);
    });

    it('can be stopped by its task', () => {
      const poller = new Poller((n, self) => n === 2 && self.stop(), { interval: 1 });
      poller.start();
      mock.timers.tick(10);
      assert.equal(poller.runs, 2);
      assert.throws(() => poller.start().start(), /already running/);
      poller.stop();
    });

    it('goes on after errors', () => {
      const errors = [];
      const failing = () => { throw new Error('poll'); };
      const poller = new Poller(failing, { interval: 1, onError: (e) => errors.push(e.message) });
      poller.start();
      mock.timers.tick(2);
      poller.stop();
      assert.deepEqual(errors, ['poll', 'poll']);
    });
  });

  describe('timeout', () => {
    it('rejects', async () => {
      const pending = timeout(new Promise(() => {}), 50);
      mock.timers.tick(50);
      await assert.rejects(pending, { name: 'TimeoutError', code: 'ETIMEDOUT', ms: 50, message: 'timed out after 50ms' });
    });

    it('passes values and errors', async () => {
      assert.equal(await timeout(Promise.resolve(1), 50), 1);
      const error = new Error('own');
      await assert.rejects(timeout(Promise.reject(error), 50), (e) => e === error);
    });

    it('falls back', async () => {
      const pending = timeout(new Promise(() => {}), 10, { fallback: () => 'later' });
      mock.timers.tick(10);
      assert.equal(await pending, 'later');
    });

    it('has a cause when the fallback fails', async () => {
      const cause = new Error('fallback');
      const pending = timeout(new Promise(() => {}), 10, { fallback: () => { throw cause; } });
      mock.timers.tick(10);
      const error = await pending.then(assert.fail, (e) => e);
      assert.ok(error instanceof TimeoutError);
      assert.equal(error.cause, cause);
    });
  });
});

describe('Stopwatch', () => {
  it('takes laps', () => {
    const times = [100, 110, 140];
    const watch = new Stopwatch(() => times.shift());
    watch.lap('a').lap('b');
    assert.deepEqual(watch.laps, [
      { name: 'a', at: 10, took: 10 },
      { name: 'b', at: 40, took: 30 },
    ]);
  });

  it('uses real time', async () => {
    const watch = new Stopwatch();
    await new Promise((r) => setTimeout(r, 5));
    const [lap] = watch.lap('x').laps;
    assert.ok(lap.took >= 4, \`took \${lap.took}\`);
  });
});
`,
    },
  },
  {
    id: 'registry-client',
    breaks: [['src/client.mjs', `config = (await fn(config)) ?? config;`, `await fn(config);`]],
    artifact: {
      'src/client.mjs': `export class HttpError extends Error {
  constructor(response, body) {
    super(\`\${response.status} \${response.statusText}\`.trim());
    this.name = 'HttpError';
    this.response = response;
    this.body = body;
  }
  get status() { return this.response.status; }
  get retryable() { return this.status >= 500 || this.status === 429; }
}

export class Client {
  #options;
  interceptors = { request: [], response: [] };

  constructor({ fetch = globalThis.fetch, base = '', headers = {}, retries = 0 } = {}) {
    this.#options = { fetch, base, headers, retries };
  }

  extend(options) {
    const child = new Client({ ...this.#options, ...options, headers: { ...this.#options.headers, ...options.headers } });
    child.interceptors.request.push(...this.interceptors.request);
    child.interceptors.response.push(...this.interceptors.response);
    return child;
  }

  use(kind, fn) {
    if (!(kind in this.interceptors)) throw new RangeError(\`unknown kind of interceptor: \${kind}\`);
    this.interceptors[kind].push(fn);
    return () => {
      this.interceptors[kind] = this.interceptors[kind].filter((f) => f !== fn);
    };
  }

  async request(method, path, { query, json, headers, signal } = {}) {
    const url = new URL(path, this.#options.base || 'http://localhost');
    for (const [k, v] of Object.entries(query ?? {})) for (const each of [v].flat()) url.searchParams.append(k, each);
    let config = { method, url, headers: { ...this.#options.headers, ...headers }, signal };
    if (json !== undefined) {
      config.body = JSON.stringify(json);
      config.headers['content-type'] = 'application/json';
    }
    for (const fn of this.interceptors.request) config = (await fn(config)) ?? config;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      try {
        let response = await this.#options.fetch(config.url.href, config);
        for (const fn of this.interceptors.response) response = (await fn(response, config)) ?? response;
        const type = response.headers?.['content-type'] ?? '';
        const body = type.includes('json') ? JSON.parse(response.body) : response.body;
        if (response.status >= 400) throw new HttpError(response, body);
        return { status: response.status, headers: response.headers ?? {}, body };
      } catch (error) {
        const again = !(error instanceof HttpError) || error.retryable;
        if (!again || attempt >= this.#options.retries) throw error;
      }
    }
  }
}
for (const method of ['get', 'post', 'put', 'delete']) {
  Object.defineProperty(Client.prototype, method, {
    value(path, options) { return this.request(method.toUpperCase(), path, options); },
  });
}

export async function* paginate(client, path, { pageSize = 2, ...options } = {}) {
  for (let page = 1; ; page++) {
    const { body } = await client.get(path, { ...options, query: { ...options.query, page, per_page: pageSize } });
    yield* body.items;
    if (body.items.length < pageSize) return body.total;
  }
}

export function mockFetch(routes) {
  const calls = [];
  const fn = async (href, config) => {
    calls.push({ href, method: config.method, body: config.body, headers: { ...config.headers } });
    const url = new URL(href);
    const route = routes[\`\${config.method} \${url.pathname}\`];
    if (!route) return { status: 404, statusText: 'Not Found', headers: {}, body: '' };
    const answer = typeof route === 'function' ? await route(url, config) : route;
    return { status: 200, statusText: 'OK', headers: { 'content-type': 'application/json' }, ...answer, body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body) };
  };
  fn.calls = calls;
  return fn;
}
`,
    },
    tests: {
      'test/client.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { Client, HttpError, mockFetch, paginate } from '../src/client.mjs';

const json = (body, more) => ({ status: 200, statusText: 'OK', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...more });

describe('Client', () => {
  it('requests with fetch', async (t) => {
    const fetch = t.mock.fn(async () => json({ id: 1 }));
    const client = new Client({ fetch, base: 'https://api.test/v1/' });
    const { status, body } = await client.get('users', { query: { q: 'a b', tag: ['x', 'y'] } });
    assert.equal(status, 200);
    assert.deepEqual(body, { id: 1 });
    const [href, config] = fetch.mock.calls[0].arguments;
    assert.equal(href, 'https://api.test/v1/users?q=a+b&tag=x&tag=y');
    assert.equal(config.method, 'GET');
    assert.ok(config.url instanceof URL);
  });

  it('sends JSON', async (t) => {
    const fetch = t.mock.fn(async () => json(null));
    await new Client({ fetch, headers: { 'x-key': 'k' } }).post('/a', { json: { n: 1 }, headers: { 'x-one': '1' } });
    assert.partialDeepStrictEqual(fetch.mock.calls[0].arguments[1], {
      method: 'POST',
      body: '{"n":1}',
      headers: { 'x-key': 'k', 'x-one': '1', 'content-type': 'application/json' },
    });
  });

  it('rejects with the response', async () => {
    const client = new Client({ fetch: async () => json({ why: 'nope' }, { status: 403, statusText: 'Forbidden' }) });
    await assert.rejects(client.get('/'), (error) => {
      assert.ok(error instanceof HttpError);
      assert.equal(error.message, '403 Forbidden');
      assert.equal(error.status, 403);
      assert.equal(error.retryable, false);
      assert.deepEqual(error.body, { why: 'nope' });
      assert.equal(error.response.statusText, 'Forbidden');
      return true;
    });
  });

  it('retries', async () => {
    const answers = [json({}, { status: 503, statusText: '' }), new Error('reset'), json('ok')];
    let calls = 0;
    const fetch = async () => {
      const next = answers[calls++];
      if (next instanceof Error) throw next;
      return next;
    };
    assert.equal((await new Client({ fetch, retries: 2 }).get('/')).body, 'ok');
    assert.equal(calls, 3);
  });

  it('gives up', async (t) => {
    const failure = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    const fetch = t.mock.fn(() => Promise.reject(failure));
    await assert.rejects(new Client({ fetch, retries: 1 }).get('/'), (e) => e === failure && /ECONN/.test(e.cause.message));
    assert.equal(fetch.mock.callCount(), 2);
  });

  it('runs interceptors', async () => {
    const seen = [];
    const client = new Client({ fetch: async (href, config) => json({ auth: config.headers.authorization }) });
    const remove = client.use('request', async (config) => { config.headers.authorization = await Promise.resolve('Bearer t'); });
    client.use('request', (config) => ({ ...config, method: 'PATCH' }));
    client.use('response', (response, config) => { seen.push([response.status, config.method]); });
    assert.deepEqual((await client.get('/')).body, { auth: 'Bearer t' });
    assert.deepEqual(seen, [[200, 'PATCH']]);
    remove();
    assert.deepEqual((await client.get('/')).body, {});
    assert.throws(() => client.use('other', () => {}), RangeError);
  });

  it('response interceptors may replace the response', async () => {
    const client = new Client({ fetch: async () => json(1) });
    client.use('response', (response) => ({ ...response, body: '2' }));
    assert.equal((await client.delete('/x')).body, 2);
  });

  it('extends', async (t) => {
    const fetch = t.mock.fn(async () => json(1));
    const child = new Client({ fetch, headers: { a: '1', b: '1' } }).extend({ headers: { b: '2' } });
    assert.ok(child instanceof Client);
    await child.put('/x');
    assert.deepEqual(fetch.mock.calls[0].arguments[1].headers, { a: '1', b: '2' });
  });

  it('is aborted', async () => {
    const client = new Client({ fetch: async () => json(1) });
    await assert.rejects(client.get('/', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    const reason = new Error('mine');
    await assert.rejects(client.get('/', { signal: AbortSignal.abort(reason) }), (e) => e === reason);
  });
});

describe('paginate', () => {
  const pages = { 1: ['a', 'b'], 2: ['c', 'd'], 3: ['e'] };
  const fetch = mockFetch({ 'GET /list': (url) => ({ body: { items: pages[url.searchParams.get('page')], total: 5 } }) });

  it('reads all pages', async () => {
    const items = [];
    for await (const item of paginate(new Client({ fetch }), '/list')) items.push(item);
    assert.deepEqual(items, ['a', 'b', 'c', 'd', 'e']);
  });

  it('is lazy', async () => {
    fetch.calls.length = 0;
    const pager = paginate(new Client({ fetch }), '/list', { query: { s: 1 } });
    assert.equal(fetch.calls.length, 0);
    assert.deepEqual(await pager.next(), { value: 'a', done: false });
    await pager.return();
    assert.equal(fetch.calls.length, 1);
    assert.equal(fetch.calls[0].href, 'http://localhost/list?s=1&page=1&per_page=2');
  });
});

describe('mockFetch', () => {
  it('answers 404 for other routes', async () => {
    await assert.rejects(new Client({ fetch: mockFetch({}) }).get('/x'), { name: 'HttpError', message: '404 Not Found' });
  });
});
`,
    },
  },
];
