/*
 * The artifact as a tester sees it: functions, classes and objects that are asked for in another box. Plain values
 * arrive as exact copies, everything else as a stand-in that forwards calls and properties. A comparison compares what
 * is here: it is never forwarded. Everything that arrives is checked: whoever wrote it wants to be graded as right.
 */
import { decode, encode, globals, nameOfKey, namesOfGlobals } from './values.mjs';

const handles = new WeakMap();
/** What tests read off any object without meaning to: nothing of the artifact's. */
const unasked = new Set(['constructor', '__proto__']);

/** @param line how the judge is told something and answers; @param end ends the run for a cause */
export function createLink({ exchange, end }) {
  const objects = new Map();
  const prototypes = new Map();
  const given = new Map();
  const numbers = new WeakMap();
  /** Promises of the artifact that nobody knows the end of yet. */
  const pending = new Map();
  /** Ends of promises of the test that the artifact has not been told yet. */
  const ended = [];
  const promised = new WeakMap();
  let count = 0;

  const lie = (reason) => end('protocolError', reason);
  const numberOf = (part) => {
    if (!numbers.has(part)) {
      count += 1;
      numbers.set(part, count);
      given.set(count, part);
    }
    return numbers.get(part);
  };

  const leaveError = (error) => {
    const name = namesOfGlobals.get(error?.constructor) ?? 'Error';
    return { $error: [name, String(error.message), leave({ ...error })] };
  };

  const leaveOther = (part) => {
    const handle = handles.get(part);
    if (handle !== undefined) return handle;
    const known = namesOfGlobals.get(part);
    if (known !== undefined) return { $global: known };
    if (typeof part === 'function') return { $callback: numberOf(part) };
    if (part instanceof Error) return leaveError(part);
    if (part instanceof Promise) {
      let number = promised.get(part);
      if (number === undefined) {
        count += 1;
        number = count;
        promised.set(part, number);
        part.then(
          (value) => ended.push([number, () => ({ returns: leave(value) })]),
          (error) => ended.push([number, () => ({ throws: leaveThrown(error) })]),
        );
      }
      return { $later: number };
    }
    if (typeof part?.next === 'function') return { $iterator: numberOf(() => part.next()) };
    return end(
      'unsupported',
      `a ${part?.constructor?.name ?? typeof part} cannot be passed to an artifact in another box`,
    );
  };
  const leave = (part) => encode(part, leaveOther);
  const leaveThrown = (error) => (error instanceof Error ? leaveError(error) : leave(error));

  const arrive = (part) => {
    try {
      return decode(part, arriveOther);
    } catch (error) {
      return lie(`an answer that is no value (${error.name})`);
    }
  };

  const arriveOther = (tag, content) => {
    if (tag === '$handle') return wrap(content);
    if (tag === '$method') return methodOf(content[0], String(content[1]));
    if (tag === '$callback' && given.has(content)) return given.get(content);
    if (tag === '$global' && globals.has(content)) return globals.get(content);
    if (tag === '$symbol') return Symbol(String(content));
    throw new TypeError('an unknown tag');
  };

  /** The prototype of a class of the artifact: made here, with nothing of the artifact's in it. */
  const prototypeOf = (desc, depth = 0) => {
    if (typeof desc === 'string') {
      if (!globals.has(desc)) throw new TypeError('an unknown class');
      return globals.get(desc).prototype ?? Object.prototype;
    }
    if (desc === null) return null;
    if (typeof desc?.id !== 'number' || depth > 20) throw new TypeError('no class');
    if (!prototypes.has(desc.id)) {
      const made = Object.create(desc.base === null ? Object.prototype : prototypeOf(desc.base, depth + 1));
      prototypes.set(desc.id, made);
      Object.defineProperty(made, 'constructor', { value: classOf(desc, made), configurable: true });
    }
    return prototypes.get(desc.id);
  };

  const ask = (op) => {
    let reply = exchange({ ask: op });
    while ('callback' in reply) reply = exchange({ back: serve(reply) });
    if ('raised' in reply) throw errorOf(reply.raised);
    if (!('value' in reply)) lie('an answer without a value');
    return reply;
  };

  /** Runs a function of the test for the artifact. */
  const serve = (request) => {
    const callback = given.get(request.callback);
    if (callback === undefined) return lie('a call-back that was not given');
    try {
      return { returns: leave(callback(...request.args.map(arrive))) };
    } catch (error) {
      return { throws: leaveThrown(error) };
    }
  };

  const call = (op, args) => {
    const reply = ask({ ...op, args: args.map(leave) });
    for (const [index, after] of reply.args ?? []) {
      if (!(index in args)) lie('a changed argument that was not given');
      update(args[index], arrive(after));
    }
    return arrive(reply.value);
  };

  const methodOf = (id, name) => {
    if (typeof id !== 'number') throw new TypeError('a method of nothing');
    const method = (...args) => call({ do: 'method', of: id, name }, args);
    handles.set(method, { $method: [id, name] });
    return method;
  };

  const errorOf = (told) => {
    try {
      const [first, own = {}] = told.args === undefined ? [told.mro[0]] : arrive(told.args);
      // What is thrown need not be an error.
      if (told.args !== undefined && told.class === undefined) return first;
      const parent =
        told.class === undefined || told.class === null
          ? (globals.get(told.mro.find((name) => globals.has(name))) ?? Error).prototype
          : prototypeOf(told.class);
      const error = new Error(String(told.message));
      Object.setPrototypeOf(
        error,
        parent instanceof Error || parent === Error.prototype ? parent : Error.prototype,
      );
      if (error.name !== first)
        Object.defineProperty(error, 'name', { value: first, writable: true, configurable: true });
      Object.defineProperties(error, Object.getOwnPropertyDescriptors(own));
      return error;
    } catch (error) {
      return lie(`an exception without a description (${error.name})`);
    }
  };

  /** Forwards properties. `target` is only a shape: what it holds is never the artifact's. */
  const traps = (id, own) => ({
    get(target, key) {
      if (own.has(key)) return own.get(key);
      const name = nameOfKey(key);
      if (name === undefined || unasked.has(name)) return Reflect.get(target, key);
      return arrive(ask({ do: 'get', of: id, name }).value);
    },
    set(_target, key, value) {
      ask({ do: 'set', of: id, name: nameOfKey(key), value: leave(value) });
      return true;
    },
    has(_target, key) {
      const name = nameOfKey(key);
      return name !== undefined && ask({ do: 'has', of: id, name }).value === true;
    },
    deleteProperty: (_target, key) => ask({ do: 'delete', of: id, name: nameOfKey(key) }).value === true,
    defineProperty(_target, key, { value }) {
      ask({ do: 'set', of: id, name: nameOfKey(key), value: leave(value) });
      return true;
    },
    preventExtensions: () => false,
  });

  const classOf = (desc, prototype) => {
    const own = new Map([
      ['prototype', prototype],
      ['name', String(desc.name)],
      [Symbol.hasInstance, Function.prototype[Symbol.hasInstance]],
    ]);
    const proxy = new Proxy(function Remote() {}, {
      ...traps(desc.id, own),
      apply: (_target, _self, args) => call({ do: 'call', of: desc.id }, args),
      construct(_target, args, newTarget) {
        if (newTarget !== proxy)
          return end('unsupported', `a class that extends ${desc.name} of an artifact in another box`);
        return call({ do: 'new', of: desc.id }, args);
      },
    });
    handles.set(proxy, { $handle: desc.id });
    objects.set(desc.id, proxy);
    return proxy;
  };

  const objectOf = (desc) => {
    const prototype = prototypeOf(desc.class);
    const proxy = new Proxy(Object.create(null), {
      ...traps(desc.id, new Map([['constructor', prototype?.constructor]])),
      getPrototypeOf: () => prototype,
      ownKeys: () => [...new Set(ask({ do: 'keys', of: desc.id }).value.map(String))],
      getOwnPropertyDescriptor(_target, key) {
        const name = nameOfKey(key);
        if (name === undefined || !ask({ do: 'keys', of: desc.id }).value.includes(name)) return undefined;
        const value = arrive(ask({ do: 'get', of: desc.id, name }).value);
        return { value, writable: true, enumerable: true, configurable: true };
      },
    });
    return proxy;
  };

  const functionOf = (desc) =>
    new Proxy(function remote() {}, {
      ...traps(desc.id, new Map([['name', String(desc.name)]])),
      apply: (_target, _self, args) => call({ do: 'call', of: desc.id }, args),
      construct: (_target, args) => Object(call({ do: 'new', of: desc.id }, args)),
    });

  const promiseOf = (desc) => {
    const waiting = Promise.withResolvers();
    pending.set(desc.id, waiting);
    return waiting.promise;
  };

  const makers = { object: objectOf, function: functionOf, promise: promiseOf };
  const wrap = (desc) => {
    if (typeof desc?.id !== 'number') throw new TypeError('no description');
    if (desc.kind === 'module') return desc;
    if (desc.kind === 'class') return prototypeOf(desc).constructor;
    if (!objects.has(desc.id)) {
      const made = makers[desc.kind](desc);
      objects.set(desc.id, made);
      handles.set(made, { $handle: desc.id });
    }
    return objects.get(desc.id);
  };

  return {
    /** What a module of the artifact exports, as pairs of name and value. */
    module(name) {
      const desc = arrive(ask({ do: 'module', name }).value);
      if (desc?.kind !== 'module') return lie('a module that is none');
      return desc.exports.map(([key, value]) => [String(key), arrive(value)]);
    },
    /** True while the artifact may go on by itself: somebody waits for it, or it may call back. */
    isBusy: () => pending.size > 0 || ended.length > 0 || given.size > 0,
    /** Lets it go on for some time, and tells what has ended. */
    tick(ms) {
      const told = ended.splice(0).map(([number, tell]) => [number, tell()]);
      const { value } = ask({ do: 'tick', wait: [...pending.keys()], settled: told, ms });
      if (!Array.isArray(value)) return lie('an answer that is no list');
      for (const [id, reply] of value) {
        const waiting = pending.get(id);
        if (waiting === undefined) return lie('an end of what nobody waits for');
        pending.delete(id);
        if ('raised' in reply) waiting.reject(errorOf(reply.raised));
        else waiting.resolve(arrive(reply.value));
      }
    },
  };
}

/** Makes a value of the test what the artifact made of it, in place, so that aliases see it too. */
function update(mine, after) {
  if (
    typeof mine !== 'object' ||
    mine === null ||
    Object.getPrototypeOf(mine) !== Object.getPrototypeOf(after)
  )
    return;
  const merged = (old, now) => {
    if (typeof old !== 'object' || old === null || typeof now !== 'object' || now === null) return now;
    if (handles.has(old) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(now)) return now;
    update(old, now);
    return old;
  };
  if (Array.isArray(mine)) {
    const items = Array.from(after, (item, index) => merged(mine[index], item));
    mine.length = 0;
    for (const item of items) mine.push(item);
  } else if (mine instanceof Map) {
    const entries = [...after].map(([key, item]) => [key, merged(mine.get(key), item)]);
    mine.clear();
    for (const [key, item] of entries) mine.set(key, item);
  } else if (mine instanceof Set) {
    mine.clear();
    for (const item of after) mine.add(item);
  } else if (ArrayBuffer.isView(mine)) {
    mine.set(after);
  } else if (!(mine instanceof Date || mine instanceof RegExp)) {
    for (const key of Object.keys(mine)) if (!Object.hasOwn(after, key)) delete mine[key];
    for (const key of Object.keys(after))
      Object.defineProperty(mine, key, {
        ...{ value: merged(mine[key], after[key]), writable: true, enumerable: true, configurable: true },
      });
  }
}
