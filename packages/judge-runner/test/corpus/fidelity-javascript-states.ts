import type { FidelityPackage } from './fidelity-case.ts';

/** Correct packages with ordinary tests, written without a look at the judge: signals, proxies, immutable lists, caches and aggregates. */
export const fidelityJavascriptStates: readonly FidelityPackage[] = [
  {
    id: 'registry-signals',
    breaks: [
      [
        'src/signals.mjs',
        `for (const source of this.sources) source.observers.delete(this);
    this.sources.clear();`,
        ``,
      ],
    ],
    artifact: {
      'src/signals.mjs': `let active = null;
let depth = 0;
const queue = new Set();

class Node {
  constructor() {
    this.observers = new Set();
  }
  track() {
    if (active) {
      this.observers.add(active);
      active.sources.add(this);
    }
  }
  notify() {
    for (const observer of [...this.observers]) observer.invalidate();
  }
}

export class Signal extends Node {
  #value;
  #equals;
  constructor(value, { equals = Object.is } = {}) {
    super();
    this.#value = value;
    this.#equals = equals;
  }
  get value() {
    this.track();
    return this.#value;
  }
  set value(next) {
    if (active?.isComputed) throw new Error('Computed cannot have side effects');
    if (this.#equals(this.#value, next)) return;
    this.#value = next;
    batch(() => this.notify());
  }
  peek() {
    return this.#value;
  }
  update(fn) {
    this.value = fn(this.#value);
  }
  subscribe(fn) {
    return effect(() => {
      const { value } = this;
      untracked(() => fn(value));
    });
  }
  toString() {
    return String(this.value);
  }
  toJSON() {
    return this.value;
  }
  valueOf() {
    return this.value;
  }
}

class Observer extends Node {
  sources = new Set();
  run(fn) {
    for (const source of this.sources) source.observers.delete(this);
    this.sources.clear();
    const before = active;
    active = this;
    try {
      return fn();
    } finally {
      active = before;
    }
  }
}

class Computed extends Observer {
  isComputed = true;
  #fn;
  #value;
  #dirty = true;
  #running = false;
  constructor(fn) {
    super();
    this.#fn = fn;
  }
  get value() {
    this.track();
    if (this.#running) throw new Error('Cycle detected');
    if (this.#dirty) {
      this.#running = true;
      try {
        this.#value = this.run(this.#fn);
        this.#dirty = false;
      } finally {
        this.#running = false;
      }
    }
    return this.#value;
  }
  invalidate() {
    if (this.#dirty) return;
    this.#dirty = true;
    this.notify();
  }
}

class Effect extends Observer {
  constructor(fn) {
    super();
    this.fn = fn;
  }
  invalidate() {
    queue.add(this);
  }
  execute() {
    this.cleanup?.();
    const cleanup = this.run(this.fn);
    this.cleanup = typeof cleanup === 'function' ? cleanup : undefined;
  }
  dispose() {
    this.cleanup?.();
    this.cleanup = undefined;
    this.run(() => {});
    queue.delete(this);
  }
}

export function signal(value, options) {
  return new Signal(value, options);
}

export function computed(fn) {
  return new Computed(fn);
}

export function effect(fn) {
  const created = new Effect(fn);
  created.execute();
  const dispose = () => created.dispose();
  dispose[Symbol.dispose] = dispose;
  return dispose;
}

export function batch(fn) {
  depth++;
  try {
    return fn();
  } finally {
    if (--depth === 0) {
      for (const pending of queue) {
        queue.delete(pending);
        pending.execute();
      }
    }
  }
}

export function untracked(fn) {
  const before = active;
  active = null;
  try {
    return fn();
  } finally {
    active = before;
  }
}

export function store(initial) {
  const signals = new Map(Object.entries(initial).map(([k, v]) => [k, signal(v)]));
  return new Proxy(initial, {
    get: (target, key) => (signals.has(key) ? signals.get(key).value : Reflect.get(target, key)),
    set: (target, key, value) => {
      target[key] = value;
      if (signals.has(key)) signals.get(key).value = value;
      else signals.set(key, signal(value));
      return true;
    },
  });
}
`,
    },
    tests: {
      'test/signals.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { Signal, signal, computed, effect, batch, untracked, store } from '../src/signals.mjs';

describe('signal', () => {
  it('should return value', () => {
    const v = [1, 2];
    const s = signal(v);
    assert.equal(s.value, v);
    assert.ok(s instanceof Signal);
  });

  it('should support .toString(), .toJSON() and .valueOf()', () => {
    const s = signal(123);
    assert.equal(String(s), '123');
    assert.equal(\`\${s}!\`, '123!');
    assert.equal(JSON.stringify({ s }), '{"s":123}');
    assert.equal(s + 1, 124);
    assert.ok(s > 100);
  });

  it('should notify other listeners after one is disposed', (t) => {
    const s = signal(0);
    const spy1 = t.mock.fn(() => s.value);
    const spy2 = t.mock.fn(() => s.value);
    effect(spy1);
    const dispose = effect(spy2);
    dispose();
    s.value = 1;
    assert.equal(spy1.mock.callCount(), 2);
    assert.equal(spy2.mock.callCount(), 1);
  });

  it('should not notify for equal values', (t) => {
    const s = signal({ id: 1, n: 0 }, { equals: (a, b) => a.id === b.id });
    const spy = t.mock.fn(() => { s.value; });
    effect(spy);
    s.value = { id: 1, n: 5 };
    assert.equal(spy.mock.callCount(), 1);
    assert.equal(s.peek().n, 0);
    s.value = { id: 2, n: 6 };
    assert.equal(spy.mock.callCount(), 2);
    assert.deepEqual(s.value, { id: 2, n: 6 });
  });

  it('should update', () => {
    const s = signal(1);
    s.update((n) => n + 1);
    s.value += 10;
    s.value++;
    assert.equal(s.value, 13);
  });

  it('should subscribe', () => {
    const s = signal('a');
    const seen = [];
    const stop = s.subscribe((v) => seen.push(v));
    s.value = 'b';
    stop();
    s.value = 'c';
    assert.deepEqual(seen, ['a', 'b']);
  });
});

describe('computed', () => {
  it('should be lazy and cached', (t) => {
    const a = signal(1);
    const double = t.mock.fn(() => a.value * 2);
    const c = computed(double);
    assert.equal(double.mock.callCount(), 0);
    assert.equal(c.value, 2);
    c.value;
    assert.equal(double.mock.callCount(), 1);
    a.value = 5;
    assert.equal(c.value, 10);
    assert.equal(double.mock.callCount(), 2);
  });

  it('should follow dependencies as they change', () => {
    const on = signal(true);
    const a = signal('a');
    const b = signal('b');
    let runs = 0;
    const c = computed(() => {
      runs++;
      return on.value ? a.value : b.value;
    });
    assert.equal(c.value, 'a');
    b.value = 'bb';
    assert.equal(c.value, 'a');
    assert.equal(runs, 1);
    on.value = false;
    assert.equal(c.value, 'bb');
    a.value = 'aa';
    assert.equal(c.value, 'bb');
    assert.equal(runs, 2);
  });

  it('should drop A->B->A updates', (t) => {
    const a = signal(2);
    const b = computed(() => a.value - 1);
    const c = computed(() => a.value + b.value);
    const compute = t.mock.fn(() => \`d: \${c.value}\`);
    const d = computed(compute);
    assert.equal(d.value, 'd: 3');
    compute.mock.resetCalls();
    a.value = 4;
    assert.equal(d.value, 'd: 7');
    assert.equal(compute.mock.callCount(), 1);
  });

  it('should throw on cycles', () => {
    const a = computed(() => b.value);
    const b = computed(() => a.value);
    assert.throws(() => a.value, /Cycle detected/);
  });

  it('should keep errors and recover', () => {
    const a = signal(0);
    const c = computed(() => {
      if (a.value === 0) throw new RangeError('zero');
      return 1 / a.value;
    });
    assert.throws(() => c.value, RangeError);
    a.value = 2;
    assert.equal(c.value, 0.5);
  });

  it('should refuse side effects', () => {
    const a = signal(0);
    const c = computed(() => { a.value = 1; });
    assert.throws(() => c.value, { message: 'Computed cannot have side effects' });
    assert.equal(a.value, 0);
  });
});

describe('effect', () => {
  it('should call cleanup before each run and on dispose', () => {
    const s = signal('a');
    const log = [];
    const dispose = effect(() => {
      const v = s.value;
      log.push(\`run \${v}\`);
      return () => log.push(\`clean \${v}\`);
    });
    s.value = 'b';
    dispose();
    assert.deepEqual(log, ['run a', 'clean a', 'run b', 'clean b']);
  });

  it('should be disposable', () => {
    const s = signal(0);
    let runs = 0;
    {
      using _ = effect(() => { runs++; s.value; });
      s.value = 1;
    }
    s.value = 2;
    assert.equal(runs, 2);
  });

  it('should batch', (t) => {
    const a = signal('a');
    const b = signal('b');
    const spy = t.mock.fn(() => \`\${a.value} \${b.value}\`);
    effect(spy);
    const result = batch(() => {
      a.value = 'aa';
      b.value = 'bb';
      return 'done';
    });
    assert.equal(result, 'done');
    assert.equal(spy.mock.callCount(), 2);
    assert.equal(spy.mock.calls.at(-1).result, 'aa bb');
  });

  it('should not track in untracked()', () => {
    const a = signal(1);
    let runs = 0;
    effect(() => {
      runs++;
      untracked(() => a.value);
      a.peek();
    });
    a.value = 2;
    assert.equal(runs, 1);
  });

  it('should throw what an effect throws', () => {
    const error = new Error('effect');
    assert.throws(() => effect(() => { throw error; }), (e) => e === error);
  });
});

describe('store', () => {
  it('is reactive by property', () => {
    const state = store({ first: 'Jane', last: 'Doe' });
    const names = [];
    const dispose = effect(() => { names.push(\`\${state.first} \${state.last}\`); });
    state.first = 'John';
    state.other = 1;
    dispose();
    state.last = 'X';
    assert.deepEqual(names, ['Jane Doe', 'John Doe']);
    assert.deepEqual(Object.keys(state), ['first', 'last', 'other']);
    assert.ok('first' in state);
  });
});
`,
    },
  },
  {
    id: 'registry-observe',
    lacking: ['records a chain'],
    breaks: [
      ['src/observe.cjs', `if (proxies.has(object)) return proxies.get(object);`, ``],
      ['src/observe.cjs', `!Object.is(previous, plain)`, `previous !== plain`],
    ],
    artifact: {
      'src/observe.cjs': `'use strict';

const TARGET = Symbol.for('observe.target');

function observe(root, onChange, { shallow = false } = {}) {
  const proxies = new WeakMap();
  let muted = false;
  const wrap = (object, path) => {
    if (proxies.has(object)) return proxies.get(object);
    const proxy = new Proxy(object, {
      get(target, key, receiver) {
        if (key === TARGET) return target;
        const value = Reflect.get(target, key, receiver);
        if (shallow || value === null || typeof value !== 'object' || value instanceof Date) return value;
        return wrap(value, [...path, key]);
      },
      set(target, key, value) {
        const plain = value?.[TARGET] ?? value;
        const previous = target[key];
        const ok = Reflect.set(target, key, plain);
        if (!muted && !Object.is(previous, plain)) onChange([...path, key].join('.'), plain, previous);
        return ok;
      },
      deleteProperty(target, key) {
        const previous = target[key];
        const had = key in target;
        delete target[key];
        if (!muted && had) onChange([...path, key].join('.'), undefined, previous);
        return true;
      },
    });
    proxies.set(object, proxy);
    return proxy;
  };
  const proxy = wrap(root, []);
  observe.silently = (fn) => {
    muted = true;
    try { return fn(proxy); } finally { muted = false; }
  };
  return proxy;
}

observe.target = (proxy) => proxy[TARGET] ?? proxy;

function readonly(object) {
  const refuse = (verb) => (target, key) => {
    throw new TypeError(\`Cannot \${verb} property '\${String(key)}' of a read-only object\`);
  };
  return new Proxy(object, {
    get: (target, key, receiver) => {
      const value = Reflect.get(target, key, receiver);
      return value !== null && typeof value === 'object' ? readonly(value) : value;
    },
    set: refuse('set'),
    deleteProperty: refuse('delete'),
    defineProperty: refuse('define'),
  });
}

const negative = (array) => new Proxy(array, {
  get: (target, key, receiver) => Reflect.get(target, typeof key === 'string' && /^-\\d+$/.test(key) ? String(target.length + Number(key)) : key, receiver),
  set: (target, key, value) => Reflect.set(target, typeof key === 'string' && /^-\\d+$/.test(key) ? target.length + Number(key) : key, value),
});

function recorder(path = []) {
  return new Proxy(function () {}, {
    get: (_, key) => (key === 'toString' || key === Symbol.toPrimitive ? () => path.join('') : recorder([...path, \`.\${String(key)}\`])),
    apply: (_, self, args) => recorder([...path, \`(\${args.map((a) => JSON.stringify(a)).join(', ')})\`]),
  });
}

class Registry {
  #items = new WeakMap();
  #refs = 0;
  attach(object, meta) {
    if (Object(object) !== object) throw new TypeError('only objects can be attached to');
    if (!this.#items.has(object)) this.#refs++;
    this.#items.set(object, { ...this.#items.get(object), ...meta });
    return object;
  }
  meta(object) { return this.#items.get(object); }
  get count() { return this.#refs; }
}

class DisposableStack2 {
  #resources = [];
  disposed = false;
  use(resource) {
    if (resource != null && typeof resource[Symbol.dispose] !== 'function') throw new TypeError('not disposable');
    this.#resources.push(resource);
    return resource;
  }
  defer(fn) {
    this.#resources.push({ [Symbol.dispose]: fn });
  }
  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    const errors = [];
    while (this.#resources.length) {
      try { this.#resources.pop()?.[Symbol.dispose](); } catch (e) { errors.push(e); }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length) throw new AggregateError(errors, 'several resources failed');
  }
  [Symbol.dispose]() { this.dispose(); }
}

module.exports = { observe, readonly, negative, recorder, Registry, DisposableStack: DisposableStack2 };
`,
    },
    tests: {
      'test/observe.test.cjs': `'use strict';
const { describe, it, mock } = require('node:test');
const assert = require('node:assert/strict');
const { observe, readonly, negative, recorder, Registry, DisposableStack } = require('../src/observe.cjs');

const setup = (target, options) => {
  const onChange = mock.fn();
  return { state: observe(target, onChange, options), changes: () => onChange.mock.calls.map((c) => c.arguments) };
};

describe('observe', () => {
  it('reports changes with their path', () => {
    const { state, changes } = setup({ user: { name: 'a' }, list: [1] });
    state.user.name = 'b';
    state.list.push(2);
    state.count = 1;
    assert.deepEqual(changes(), [['user.name', 'b', 'a'], ['list.1', 2, undefined], ['count', 1, undefined]]);
  });

  it('does not report equal values', () => {
    const { state, changes } = setup({ a: NaN });
    state.a = NaN;
    assert.equal(changes().length, 0);
  });

  it('changes the target', () => {
    const target = { deep: { n: 1 } };
    const { state } = setup(target);
    state.deep.n = 5;
    assert.equal(target.deep.n, 5);
    assert.notEqual(state, target);
    assert.equal(observe.target(state), target);
    assert.deepEqual(state, target);
  });

  it('reports deletions', () => {
    const { state, changes } = setup({ a: 1 });
    delete state.a;
    delete state.a;
    assert.deepEqual(changes(), [['a', undefined, 1]]);
    assert.ok(!('a' in state));
  });

  it('gives the same proxy again', () => {
    const { state } = setup({ inner: {} });
    assert.equal(state.inner, state.inner);
  });

  it('shallow', () => {
    const { state, changes } = setup({ inner: { n: 1 } }, { shallow: true });
    state.inner.n = 2;
    state.top = 1;
    assert.deepEqual(changes(), [['top', 1, undefined]]);
  });

  it('silently', () => {
    const { state, changes } = setup({ n: 1 });
    const result = observe.silently((s) => {
      s.n = 2;
      return 'ok';
    });
    assert.equal(result, 'ok');
    assert.equal(state.n, 2);
    assert.deepEqual(changes(), []);
  });

  it('sees the methods of instances', () => {
    class Counter {
      count = 0;
      increment() {
        this.count++;
        return this;
      }
    }
    const { state, changes } = setup(new Counter());
    state.increment().increment();
    assert.deepEqual(changes(), [['count', 1, 0], ['count', 2, 1]]);
    assert.ok(state instanceof Counter);
  });
});

describe('readonly', () => {
  it('throws on writes', () => {
    const target = { a: { b: 1 }, list: [1] };
    const view = readonly(target);
    assert.throws(() => { view.x = 1; }, { name: 'TypeError', message: "Cannot set property 'x' of a read-only object" });
    assert.throws(() => { delete view.a; }, /Cannot delete property 'a'/);
    assert.throws(() => { view.a.b = 2; }, TypeError);
    assert.throws(() => view.list.push(2), TypeError);
    assert.equal(view.a.b, 1);
  });

  it('follows its target', () => {
    const target = { n: 1 };
    const view = readonly(target);
    target.n = 2;
    assert.equal(view.n, 2);
    assert.deepEqual(Object.keys(view), ['n']);
  });
});

describe('negative', () => {
  it('indexes from the end', () => {
    const list = negative(['a', 'b', 'c']);
    assert.equal(list[-1], 'c');
    assert.equal(list[0], 'a');
    list[-1] = 'z';
    assert.deepEqual([...list], ['a', 'b', 'z']);
    assert.equal(list.length, 3);
    assert.ok(Array.isArray(list));
  });
});

describe('recorder', () => {
  it('records a chain', () => {
    const $ = recorder(['$']);
    assert.equal(String($.users.find(1, 'x').name), '$.users.find(1, "x").name');
    assert.equal(\`\${$('a')}\`, '$("a")');
  });
});

describe('Registry', () => {
  it('attaches by identity', () => {
    const registry = new Registry();
    const [a, b] = [{}, {}];
    assert.equal(registry.attach(a, { x: 1 }), a);
    registry.attach(a, { y: 2 });
    assert.deepEqual(registry.meta(a), { x: 1, y: 2 });
    assert.equal(registry.meta(b), undefined);
    assert.equal(registry.count, 1);
    const fn = () => {};
    registry.attach(fn, { kind: 'fn' });
    assert.equal(registry.meta(fn).kind, 'fn');
    assert.throws(() => registry.attach('text'), TypeError);
  });
});

describe('DisposableStack', () => {
  const resource = (log, name) => ({ name, [Symbol.dispose]: () => log.push(name) });

  it('disposes in reverse order', () => {
    const log = [];
    {
      using stack = new DisposableStack();
      assert.equal(stack.use(resource(log, 'a')).name, 'a');
      stack.use(null);
      stack.defer(() => log.push('deferred'));
      stack.use(resource(log, 'b'));
      assert.deepEqual(log, []);
    }
    assert.deepEqual(log, ['b', 'deferred', 'a']);
  });

  it('collects errors', () => {
    const stack = new DisposableStack();
    const [one, two] = [new Error('one'), new Error('two')];
    stack.defer(() => { throw one; });
    stack.defer(() => { throw two; });
    assert.throws(() => stack.dispose(), (e) => {
      assert.ok(e instanceof AggregateError);
      assert.deepEqual(e.errors, [two, one]);
      return true;
    });
    assert.equal(stack.disposed, true);
    stack.dispose();
  });

  it('passes on a single error', () => {
    const stack = new DisposableStack();
    const failure = new RangeError('x');
    stack.defer(() => { throw failure; });
    assert.throws(() => stack[Symbol.dispose](), (e) => e === failure);
    assert.throws(() => stack.use({}), /not disposable/);
  });
});
`,
    },
  },
  {
    id: 'registry-immutable',
    lacking: ['::Record'],
    breaks: [['src/list.mjs', `return kept.length === this.size ? this : new`, `return new`]],
    artifact: {
      'src/list.mjs': `const EMPTY = Symbol('empty');

export class List {
  #items;

  constructor(items = [], key) {
    if (key === EMPTY) this.#items = items;
    else this.#items = Object.freeze([...items]);
    Object.freeze(this);
  }

  static of(...items) {
    return new List(items);
  }

  static isList(value) {
    return value instanceof List;
  }

  static empty = new List();

  get size() {
    return this.#items.length;
  }

  get first() {
    return this.#items[0];
  }

  get last() {
    return this.#items.at(-1);
  }

  get(index, fallback) {
    return index in this.#items || index < 0 ? this.#items.at(index) : fallback;
  }

  push(...items) {
    return items.length === 0 ? this : new List([...this.#items, ...items]);
  }

  set(index, value) {
    if (Object.is(this.#items[index], value)) return this;
    return new List(this.#items.with(index, value));
  }

  update(index, fn) {
    return this.set(index, fn(this.get(index)));
  }

  remove(index) {
    return new List(this.#items.toSpliced(index, 1));
  }

  map(fn) {
    return new this.constructor(this.#items.map((x, i) => fn(x, i, this)));
  }

  filter(fn) {
    const kept = this.#items.filter(fn);
    return kept.length === this.size ? this : new this.constructor(kept);
  }

  reduce(...args) {
    return this.#items.reduce(...args);
  }

  concat(...others) {
    return new List(this.#items.concat(...others.map((o) => (List.isList(o) ? o.toArray() : o))));
  }

  sort(compare) {
    return new List(this.#items.toSorted(compare));
  }

  equals(other) {
    return List.isList(other) && other.size === this.size && this.#items.every((x, i) => (typeof x?.equals === 'function' ? x.equals(other.get(i)) : Object.is(x, other.get(i))));
  }

  withMutations(fn) {
    const copy = [...this.#items];
    fn(copy);
    return new List(copy);
  }

  toArray() {
    return [...this.#items];
  }

  toJSON() {
    return this.#items;
  }

  toString() {
    return \`List [ \${this.#items.join(', ')} ]\`;
  }

  *[Symbol.iterator]() {
    yield* this.#items;
  }
}

export class Record {
  static extend(defaults, methods = {}) {
    const Made = class extends Record {
      constructor(values = {}) {
        super();
        for (const key of Object.keys(defaults)) {
          Object.defineProperty(this, key, { value: key in values ? values[key] : defaults[key], enumerable: true });
        }
        Object.freeze(this);
      }
    };
    Object.assign(Made.prototype, methods);
    return Made;
  }

  set(key, value) {
    if (!(key in this)) throw new TypeError(\`Cannot set unknown key "\${key}"\`);
    return this[key] === value ? this : new this.constructor({ ...this, [key]: value });
  }

  merge(values) {
    return new this.constructor({ ...this, ...values });
  }

  equals(other) {
    return other instanceof this.constructor && Object.keys(this).every((k) => this[k] === other[k]);
  }
}

export function produce(base, recipe) {
  let copy;
  const ensure = () => (copy ??= Array.isArray(base) ? [...base] : { ...base });
  const draft = new Proxy(Array.isArray(base) ? [] : {}, {
    get: (_, key) => {
      return (copy ?? base)[key];
    },
    set: (_, key, value) => {
      ensure()[key] = value;
      return true;
    },
    deleteProperty: (_, key) => {
      delete ensure()[key];
      return true;
    },
    has: (_, key) => key in (copy ?? base),
    ownKeys: () => Reflect.ownKeys(copy ?? base),
    getOwnPropertyDescriptor: (_, key) => {
      const d = Reflect.getOwnPropertyDescriptor(copy ?? base, key);
      return d && { ...d, configurable: true };
    },
  });
  const result = recipe(draft);
  if (result !== undefined) return result;
  return copy ? Object.freeze(copy) : base;
}
`,
    },
    tests: {
      'test/list.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import { List, Record, produce } from '../src/list.mjs';

test('List.of() and constructor', () => {
  const list = List.of(1, 2, 3);
  assert.equal(list.size, 3);
  assert.deepEqual(list.toArray(), [1, 2, 3]);
  assert.deepEqual([...new List(new Set(['a']))], ['a']);
  assert.ok(List.isList(list));
  assert.ok(!List.isList([1]));
  assert.equal(List.empty.size, 0);
});

test('get with negative index and fallback', () => {
  const list = List.of('a', 'b');
  assert.equal(list.get(0), 'a');
  assert.equal(list.get(-1), 'b');
  assert.equal(list.get(5), undefined);
  assert.equal(list.get(5, 'none'), 'none');
  assert.deepEqual([list.first, list.last], ['a', 'b']);
});

test('persistent changes', () => {
  const a = List.of(1, 2);
  const b = a.push(3);
  assert.notEqual(a, b);
  assert.deepEqual(a.toArray(), [1, 2]);
  assert.deepEqual(b.toArray(), [1, 2, 3]);
  assert.deepEqual(b.remove(0).toArray(), [2, 3]);
  assert.deepEqual(b.set(1, 'x').toArray(), [1, 'x', 3]);
  assert.deepEqual(b.update(2, (n) => n * 10).toArray(), [1, 2, 30]);
});

test('returns itself when nothing changes', () => {
  const list = List.of(1, 2);
  assert.equal(list.push(), list);
  assert.equal(list.set(0, 1), list);
  assert.equal(list.filter(() => true), list);
  assert.notEqual(list.filter((n) => n > 1), list);
});

test('is frozen', () => {
  const list = List.of({ n: 1 });
  assert.ok(Object.isFrozen(list));
  assert.throws(() => {
    list.extra = 1;
  }, TypeError);
  assert.throws(() => list.toJSON().push(1), TypeError);
});

test('map, filter, reduce and sort', (t) => {
  const fn = t.mock.fn((n) => n * 2);
  const list = List.of(3, 1, 2);
  const doubled = list.map(fn);
  assert.deepEqual([...doubled], [6, 2, 4]);
  assert.deepEqual(fn.mock.calls[1].arguments.slice(0, 2), [1, 1]);
  assert.equal(fn.mock.calls[0].arguments[2], list);
  assert.equal(list.reduce((a, b) => a + b), 6);
  assert.equal(list.reduce((a, b) => a + b, ''), '312');
  assert.deepEqual(list.sort((a, b) => b - a).toArray(), [3, 2, 1]);
  assert.deepEqual([...list], [3, 1, 2]);
});

test('concat takes lists, arrays and values', () => {
  assert.deepEqual(List.of(1).concat(List.of(2, 3), [4], 5).toArray(), [1, 2, 3, 4, 5]);
});

test('equals', () => {
  assert.ok(List.of(1, NaN).equals(List.of(1, NaN)));
  assert.ok(!List.of(1).equals([1]));
  assert.ok(List.of(List.of(1)).equals(List.of(List.of(1))));
  assert.ok(!List.of(List.of(1)).equals(List.of(List.of(2))));
});

test('withMutations', () => {
  const list = List.of(1, 2, 3);
  const changed = list.withMutations((draft) => {
    draft.reverse();
    draft.push(0);
  });
  assert.deepEqual(changed.toArray(), [3, 2, 1, 0]);
  assert.deepEqual(list.toArray(), [1, 2, 3]);
});

test('prints', () => {
  const list = List.of(1, List.of('a'));
  assert.equal(String(list), 'List [ 1, List [ a ] ]');
  assert.equal(JSON.stringify({ list }), '{"list":[1,["a"]]}');
});

test('subclasses keep their type', () => {
  class Numbers extends List {
    sum() {
      return this.reduce((a, b) => a + b, 0);
    }
  }
  const numbers = new Numbers([1, 2, 3]);
  assert.equal(numbers.sum(), 6);
  const doubled = numbers.map((n) => n * 2);
  assert.ok(doubled instanceof Numbers);
  assert.equal(doubled.sum(), 12);
});

test('Record', async (t) => {
  const Person = Record.extend({ name: '', age: 0 }, {
    greet() {
      return \`I am \${this.name}\`;
    },
  });

  await t.test('defaults', () => {
    assert.deepEqual({ ...new Person({ name: 'Al' }) }, { name: 'Al', age: 0 });
  });

  await t.test('methods and instanceof', () => {
    const p = new Person({ name: 'Al' });
    assert.equal(p.greet(), 'I am Al');
    assert.ok(p instanceof Record);
    assert.ok(p instanceof Person);
  });

  await t.test('set and merge', () => {
    const p = new Person({ name: 'Al', age: 3 });
    const q = p.set('age', 4);
    assert.equal(p.age, 3);
    assert.equal(q.age, 4);
    assert.equal(p.set('age', 3), p);
    assert.throws(() => p.set('size', 1), { name: 'TypeError', message: 'Cannot set unknown key "size"' });
    assert.ok(p.merge({ name: 'Bo' }).equals(new Person({ name: 'Bo', age: 3 })));
  });

  await t.test('cannot be assigned', () => {
    assert.throws(() => { 'use strict'; new Person().name = 'x'; }, TypeError);
  });
});

test('produce', async (t) => {
  const base = Object.freeze({ a: 1, list: [1] });

  await t.test('copies on write', () => {
    const next = produce(base, (draft) => {
      draft.a += 1;
      draft.b = 'new';
    });
    assert.deepEqual(next, { a: 2, b: 'new', list: [1] });
    assert.deepEqual(base, { a: 1, list: [1] });
    assert.equal(next.list, base.list);
    assert.ok(Object.isFrozen(next));
  });

  await t.test('returns the base without changes', () => {
    assert.equal(produce(base, (draft) => { draft.a; }), base);
    assert.equal(produce(base, () => 5), 5);
  });

  await t.test('deletes and enumerates', () => {
    let keys;
    const next = produce({ x: 1, y: 2 }, (draft) => {
      delete draft.x;
      keys = Object.keys(draft);
      draft.has = 'x' in draft;
    });
    assert.deepEqual(keys, ['y']);
    assert.deepEqual(next, { y: 2, has: false });
  });
});
`,
    },
  },
  {
    id: 'registry-lru',
    breaks: [
      [
        'src/cache.mjs',
        `    this.#hits++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);`,
        `    this.#hits++;`,
      ],
    ],
    artifact: {
      'src/cache.mjs': `export class LRUCache {
  #max;
  #ttl;
  #entries = new Map();
  #onEvict;
  #now;
  #hits = 0;
  #misses = 0;

  constructor({ max, ttl = 0, onEvict, now = Date.now } = {}) {
    if (!Number.isInteger(max) || max < 1) {
      throw new RangeError(\`max must be a positive integer, got \${max}\`);
    }
    this.#max = max;
    this.#ttl = ttl;
    this.#onEvict = onEvict;
    this.#now = now;
  }

  get size() {
    return this.#entries.size;
  }

  get max() {
    return this.#max;
  }

  resize(max) {
    this.#max = max;
    this.#trim();
    return this;
  }

  #trim() {
    while (this.#entries.size > this.#max) {
      const [key, entry] = this.#entries.entries().next().value;
      this.#entries.delete(key);
      this.#onEvict?.(key, entry.value, 'size');
    }
  }

  #live(key) {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expires !== 0 && entry.expires <= this.#now()) {
      this.#entries.delete(key);
      this.#onEvict?.(key, entry.value, 'expired');
      return undefined;
    }
    return entry;
  }

  set(key, value, { ttl = this.#ttl } = {}) {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: ttl ? this.#now() + ttl : 0 });
    this.#trim();
    return this;
  }

  get(key, fallback) {
    const entry = this.#live(key);
    if (!entry) {
      this.#misses++;
      return fallback;
    }
    this.#hits++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  peek(key) {
    return this.#live(key)?.value;
  }

  has(key) {
    return this.#live(key) !== undefined;
  }

  delete(key) {
    return this.#entries.delete(key);
  }

  clear() {
    this.#entries.clear();
    this.#hits = this.#misses = 0;
  }

  *keys() {
    for (const [key] of this) yield key;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  *entries() {
    for (const [key, { value }] of [...this.#entries].reverse()) yield [key, value];
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  forEach(callback, thisArg) {
    for (const [key, value] of this) callback.call(thisArg, value, key, this);
  }

  get stats() {
    return Object.freeze({ hits: this.#hits, misses: this.#misses, size: this.size });
  }

  toJSON() {
    return { max: this.#max, entries: [...this] };
  }

  static from(json, options) {
    const cache = new LRUCache({ max: json.max, ...options });
    for (const [key, value] of [...json.entries].reverse()) cache.set(key, value);
    return cache;
  }

  get [Symbol.toStringTag]() {
    return 'LRUCache';
  }
}

export function memoize(fn, { max = 100, key = (...args) => args[0] } = {}) {
  const cache = new LRUCache({ max });
  const memoized = function (...args) {
    const id = key(...args);
    if (cache.has(id)) return cache.get(id);
    const value = fn.apply(this, args);
    cache.set(id, value);
    return value;
  };
  memoized.cache = cache;
  return memoized;
}
`,
    },
    tests: {
      'test/cache.test.mjs': `import assert from 'node:assert/strict';
import { test, suite, mock, afterEach } from 'node:test';
import { LRUCache, memoize } from '../src/cache.mjs';

const fill = (cache, ...keys) => {
  for (const key of keys) cache.set(key, key.toUpperCase());
  return cache;
};

suite('LRUCache', () => {
  test('constructor validates max', () => {
    for (const max of [0, -1, 1.5, '3', undefined]) {
      assert.throws(() => new LRUCache({ max }), RangeError);
    }
    assert.throws(() => new LRUCache({ max: 0 }), { message: 'max must be a positive integer, got 0' });
  });

  test('get and set', () => {
    const cache = new LRUCache({ max: 2 });
    assert.equal(cache.set('a', 1), cache);
    assert.equal(cache.get('a'), 1);
    assert.equal(cache.get('b'), undefined);
    assert.equal(cache.get('b', 'fallback'), 'fallback');
    assert.equal(cache.size, 1);
  });

  test('evicts the least recently used', () => {
    const cache = fill(new LRUCache({ max: 3 }), 'a', 'b', 'c');
    cache.get('a');
    cache.set('d', 'D');
    assert.deepEqual([...cache.keys()], ['d', 'a', 'c']);
    assert.equal(cache.has('b'), false);
  });

  test('peek does not touch the order', () => {
    const cache = fill(new LRUCache({ max: 2 }), 'a', 'b');
    assert.equal(cache.peek('a'), 'A');
    cache.set('c', 'C');
    assert.ok(!cache.has('a'));
  });

  test('is iterable, newest first', () => {
    const cache = fill(new LRUCache({ max: 5 }), 'x', 'y');
    assert.deepEqual([...cache], [['y', 'Y'], ['x', 'X']]);
    assert.deepEqual(Array.from(cache.values()), ['Y', 'X']);
    assert.deepEqual(Object.fromEntries(cache), { x: 'X', y: 'Y' });
    assert.deepEqual(new Map(cache), new Map([['y', 'Y'], ['x', 'X']]));
  });

  test('forEach passes value, key and the cache', () => {
    const cache = fill(new LRUCache({ max: 5 }), 'x', 'y');
    const seen = [];
    const context = { name: 'ctx' };
    cache.forEach(function (value, key, self) {
      seen.push([this.name, key, value, self === cache]);
    }, context);
    assert.deepEqual(seen, [['ctx', 'y', 'Y', true], ['ctx', 'x', 'X', true]]);
  });

  test('objects may be keys', () => {
    const cache = new LRUCache({ max: 2 });
    const key = { id: 1 };
    const value = [1, 2];
    cache.set(key, value);
    assert.strictEqual(cache.get(key), value);
    assert.strictEqual(cache.get({ id: 1 }), undefined);
    assert.ok(cache.delete(key));
    assert.ok(!cache.delete(key));
  });

  test('onEvict is told', () => {
    const onEvict = mock.fn();
    const cache = fill(new LRUCache({ max: 1, onEvict }), 'a', 'b', 'c');
    assert.equal(cache.size, 1);
    assert.deepEqual(onEvict.mock.calls.map((c) => c.arguments), [['a', 'A', 'size'], ['b', 'B', 'size']]);
  });

  test('resize shrinks', () => {
    const cache = fill(new LRUCache({ max: 3 }), 'a', 'b', 'c');
    assert.deepEqual([...cache.resize(1)], [['c', 'C']]);
    assert.equal(cache.max, 1);
  });

  test('stats are counted and frozen', () => {
    const cache = fill(new LRUCache({ max: 3 }), 'a');
    cache.get('a');
    cache.get('a');
    cache.get('nope');
    const { stats } = cache;
    assert.deepStrictEqual(stats, { hits: 2, misses: 1, size: 1 });
    assert.ok(Object.isFrozen(stats));
    assert.throws(() => {
      stats.hits = 9;
    }, TypeError);
    cache.clear();
    assert.deepStrictEqual(cache.stats, { hits: 0, misses: 0, size: 0 });
  });

  test('survives JSON', () => {
    const cache = fill(new LRUCache({ max: 3 }), 'a', 'b');
    const copy = LRUCache.from(JSON.parse(JSON.stringify(cache)));
    assert.deepEqual([...copy], [...cache]);
    assert.equal(JSON.stringify(copy), '{"max":3,"entries":[["b","B"],["a","A"]]}');
    assert.equal(String(cache), '[object LRUCache]');
  });
});

suite('ttl', () => {
  afterEach(() => mock.timers.reset());

  test('entries expire', () => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    const cache = new LRUCache({ max: 3, ttl: 50 });
    cache.set('a', 1).set('b', 2, { ttl: 500 });
    mock.timers.tick(49);
    assert.equal(cache.get('a'), 1);
    mock.timers.tick(1);
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.get('b'), 2);
  });

  test('takes a clock', () => {
    let time = 0;
    const reasons = [];
    const cache = new LRUCache({ max: 2, ttl: 10, now: () => time, onEvict: (k, v, reason) => reasons.push(reason) });
    cache.set('k', 'v');
    time = 9;
    assert.ok(cache.has('k'));
    time = 10;
    assert.ok(!cache.has('k'));
    assert.deepEqual(reasons, ['expired']);
  });
});

suite('memoize', () => {
  test('computes once per key', (t) => {
    const square = t.mock.fn((n) => n * n);
    const fast = memoize(square);
    assert.equal(fast(4), 16);
    assert.equal(fast(4), 16);
    assert.equal(fast(5), 25);
    assert.equal(square.mock.callCount(), 2);
    assert.equal(fast.cache.size, 2);
  });

  test('keeps this', () => {
    const account = { rate: 2, convert: memoize(function (n) { return this.rate * n; }) };
    assert.equal(account.convert(10), 20);
  });

  test('takes a key function', (t) => {
    const join = t.mock.fn((a, b) => \`\${a}-\${b}\`);
    const fast = memoize(join, { key: (a, b) => \`\${a}|\${b}\` });
    assert.equal(fast('x', 'y'), 'x-y');
    assert.equal(fast('x', 'z'), 'x-z');
    assert.equal(fast('x', 'y'), 'x-y');
    assert.equal(join.mock.calls.length, 2);
  });

  test('does not remember what throws', () => {
    let calls = 0;
    const flaky = memoize(() => {
      if (++calls === 1) throw new Error('first');
      return 'ok';
    });
    assert.throws(() => flaky('a'), /first/);
    assert.equal(flaky('a'), 'ok');
  });
});
`,
    },
  },
  {
    id: 'registry-aggregate',
    breaks: [['src/aggregate.mjs', `return this.#pending.splice(0);`, `return this.#pending.slice();`]],
    artifact: {
      'src/aggregate.mjs': `import { randomUUID } from 'node:crypto';

export class DomainEvent {
  constructor(payload = {}, { id = randomUUID(), at = new Date() } = {}) {
    this.id = id;
    this.at = at;
    this.type = this.constructor.name;
    Object.assign(this, payload);
  }
}

export class ConcurrencyError extends Error {
  name = 'ConcurrencyError';
  constructor(expected, actual) {
    super(\`expected version \${expected}, but found \${actual}\`);
    this.expected = expected;
    this.actual = actual;
  }
}

export class Aggregate {
  version = 0;
  #pending = [];

  static fromHistory(events) {
    const made = new this();
    for (const event of events) made.#apply(event);
    return made;
  }

  raise(event) {
    this.#apply(event);
    this.#pending.push(event);
    return this;
  }

  #apply(event) {
    const handler = this[\`on\${event.type}\`];
    if (typeof handler !== 'function') throw new TypeError(\`\${this.constructor.name} does not handle \${event.type}\`);
    handler.call(this, event);
    this.version += 1;
  }

  get pending() {
    return [...this.#pending];
  }

  commit() {
    return this.#pending.splice(0);
  }
}

export class EventStore {
  #streams = new Map();
  #subscribers = new Set();

  async append(stream, events, { expectedVersion } = {}) {
    const all = this.#streams.get(stream) ?? [];
    if (expectedVersion !== undefined && expectedVersion !== all.length) throw new ConcurrencyError(expectedVersion, all.length);
    this.#streams.set(stream, [...all, ...events]);
    for (const subscriber of this.#subscribers) {
      for (const event of events) await subscriber(event, { stream });
    }
    return this.#streams.get(stream).length;
  }

  async *read(stream, { from = 0 } = {}) {
    for (const event of (this.#streams.get(stream) ?? []).slice(from)) yield event;
  }

  subscribe(subscriber) {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}

export class Repository {
  constructor(store, Class) {
    this.store = store;
    this.Class = Class;
  }

  async load(id) {
    const events = await Array.fromAsync(this.store.read(id));
    return events.length ? this.Class.fromHistory(events) : null;
  }

  async save(id, aggregate) {
    const expectedVersion = aggregate.version - aggregate.pending.length;
    return this.store.append(id, aggregate.commit(), { expectedVersion });
  }
}

export function createProjection(initial, handlers) {
  let state = structuredClone(initial);
  return {
    handle(event) {
      const next = handlers[event.type]?.(state, event);
      if (next !== undefined) state = next;
    },
    get state() {
      return structuredClone(state);
    },
    reset() {
      state = structuredClone(initial);
    },
  };
}
`,
    },
    tests: {
      'test/aggregate.test.mjs': `import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { Aggregate, ConcurrencyError, createProjection, DomainEvent, EventStore, Repository } from '../src/aggregate.mjs';

class Opened extends DomainEvent {}
class Deposited extends DomainEvent {}

class Account extends Aggregate {
  balance = 0;
  owner = null;

  static open(owner) {
    return new Account().raise(new Opened({ owner }));
  }
  deposit(amount) {
    if (amount <= 0) throw new RangeError('amount must be positive');
    return this.raise(new Deposited({ amount }));
  }
  onOpened({ owner }) {
    this.owner = owner;
  }
  onDeposited(event) {
    this.balance += event.amount;
  }
}

describe('DomainEvent', () => {
  it('has an id, a time and a type', () => {
    const at = new Date('2024-01-01');
    const event = new Deposited({ amount: 5 }, { id: 'e1', at });
    assert.equal(event.type, 'Deposited');
    assert.equal(event.id, 'e1');
    assert.equal(event.at, at);
    assert.equal(event.amount, 5);
    assert.deepEqual({ ...event }, { id: 'e1', at, type: 'Deposited', amount: 5 });
  });

  it('makes ids', () => {
    const [a, b] = [new Opened(), new Opened()];
    assert.match(a.id, /^[0-9a-f-]{36}$/);
    assert.notEqual(a.id, b.id);
    assert.ok(a instanceof DomainEvent);
  });
});

describe('Aggregate', () => {
  it('applies events', () => {
    const account = Account.open('ann').deposit(10).deposit(5);
    assert.equal(account.balance, 15);
    assert.equal(account.owner, 'ann');
    assert.equal(account.version, 3);
  });

  it('collects pending events', () => {
    const account = Account.open('ann').deposit(10);
    assert.deepEqual(account.pending.map((e) => e.type), ['Opened', 'Deposited']);
    const events = account.commit();
    assert.ok(events[1] instanceof Deposited);
    assert.equal(account.pending.length, 0);
  });

  it('is restored from history', () => {
    const account = Account.fromHistory([new Opened({ owner: 'bob' }), new Deposited({ amount: 7 })]);
    assert.ok(account instanceof Account);
    assert.equal(account.balance, 7);
    assert.deepEqual(account.pending, []);
  });

  it('refuses what it does not handle', () => {
    class Closed extends DomainEvent {}
    assert.throws(() => new Account().raise(new Closed()), { name: 'TypeError', message: 'Account does not handle Closed' });
  });

  it('keeps its invariants', () => {
    assert.throws(() => Account.open('x').deposit(-1), RangeError);
  });
});

describe('Repository', () => {
  let store;
  let accounts;
  beforeEach(() => {
    store = new EventStore();
    accounts = new Repository(store, Account);
  });

  it('saves and loads', async () => {
    assert.equal(await accounts.save('a', Account.open('ann').deposit(3)), 2);
    const loaded = await accounts.load('a');
    assert.equal(loaded.owner, 'ann');
    assert.equal(loaded.balance, 3);
    assert.equal(loaded.version, 2);
  });

  it('answers null for what is not there', async () => {
    assert.equal(await accounts.load('nobody'), null);
  });

  it('finds conflicts', async () => {
    await accounts.save('a', Account.open('ann'));
    const [one, two] = await Promise.all([accounts.load('a'), accounts.load('a')]);
    await accounts.save('a', one.deposit(1));
    await assert.rejects(accounts.save('a', two.deposit(2)), (error) => {
      assert.ok(error instanceof ConcurrencyError);
      assert.equal(error.expected, 1);
      assert.equal(error.actual, 2);
      return true;
    });
  });

  it('tells subscribers', async () => {
    const seen = [];
    const stop = store.subscribe(async (event, { stream }) => { seen.push(\`\${stream}:\${event.type}\`); });
    await accounts.save('a', Account.open('ann'));
    stop();
    await accounts.save('b', Account.open('bob'));
    assert.deepEqual(seen, ['a:Opened']);
  });

  it('reads from a position', async () => {
    await accounts.save('a', Account.open('ann').deposit(1).deposit(2));
    const amounts = [];
    for await (const event of store.read('a', { from: 1 })) amounts.push(event.amount);
    assert.deepEqual(amounts, [1, 2]);
  });
});

describe('projection', () => {
  it('folds events', () => {
    const totals = createProjection({ count: 0, sum: 0 }, {
      Deposited: (state, { amount }) => ({ count: state.count + 1, sum: state.sum + amount }),
    });
    for (const amount of [1, 2]) totals.handle(new Deposited({ amount }));
    totals.handle(new Opened());
    assert.deepEqual(totals.state, { count: 2, sum: 3 });
    totals.state.sum = 99;
    assert.equal(totals.state.sum, 3);
    totals.reset();
    assert.deepEqual(totals.state, { count: 0, sum: 0 });
  });

  it('may change the state in place', () => {
    const owners = createProjection({ names: [] }, { Opened: (state, e) => { state.names.push(e.owner); } });
    owners.handle(new Opened({ owner: 'x' }));
    owners.handle(new Opened({ owner: 'y' }));
    assert.deepEqual(owners.state.names, ['x', 'y']);
  });
});
`,
    },
  },
];
