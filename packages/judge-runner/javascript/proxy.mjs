/*
 * The artifact as a tester sees it: functions, classes and objects that are asked for in another box. Plain values
 * arrive as exact copies, everything else as a stand-in that forwards calls and properties. A comparison compares what
 * is here: it is never forwarded. Everything that arrives is checked: whoever wrote it wants to be graded as right.
 */
import { isDeepStrictEqual } from 'node:util';
import { decode, encode, globals, keyOfName, nameOfKey, namesOfGlobals } from './values.mjs';

const handles = new WeakMap();
/** Arrays and plain objects of the test that the artifact was given, and their numbers: it may answer the very same. */
const ownNumbers = new WeakMap();
/** Objects of one test that keep their identity. */
const maxOwned = 5000;
/** What tests read off any object without meaning to: nothing of the artifact's. */
const unasked = new Set(['constructor', '__proto__']);
/** Methods of plain values whose answer a test believes: an object that has them may lie. */
const predicates = new Set(
  `every some includes indexOf lastIndexOf find findIndex findLast findLastIndex startsWith endsWith has match test search
   isSubsetOf isSupersetOf isDisjointFrom localeCompare valueOf toJSON toFixed`.split(/\s+/),
);
/** Methods of plain values that are given a function: never a method of an object that a factory made. */
const withCallback = new Set('every some find findIndex findLast findLastIndex filter map reduce'.split(' '));
/** Names of functions and classes that say they make objects. */
const isMaker = (name) =>
  /^(?:(?:create|make|build|init|open|use|configure|define|setup|new)(?:[A-Z]|$)|[A-Z])/.test(name);
/** Questions whose answers change nothing. */
const reading = new Set(['module', 'get', 'has', 'keys', 'inherits', 'read']);
/** Most answers that are read before an object is made. */
const maxRead = 2000;
const isClassName = (name) => /^[A-Z]/.test(name);
const forbiddenNames = new Set([
  'constructor',
  'prototype',
  '__proto__',
  'caller',
  'callee',
  'arguments',
  'process',
  'require',
]);

/**
 * @param exchange how the judge is told something and answers
 * @param end ends the run for a cause
 * @param refuse fails the running test, whatever it catches
 * @param isShared true while a hook runs that prepares several tests
 */
export function createLink({
  exchange,
  end,
  refuse,
  builtins,
  objects: trustedNames,
  classNames,
  makers: shownMakers,
  taken,
  shapes,
  learn,
  suite,
  texts,
  isShared,
}) {
  const learntPlaces = new Set();
  /** Places with tests at which the reference answered objects, and plain values: place, test. */
  const actingPlaces = new Set();
  const plainPlaces = new Map();
  let test = '';
  const known = shapes === null ? null : new Set(shapes);
  const vouched = new Set();
  const trusted = new Set();
  const classNumbers = new Set();
  const methodNames = new WeakMap();

  /** The place in the suite's files at which something is asked. */
  const place = (op) => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 60;
    const { stack } = new Error();
    Error.stackTraceLimit = limit;
    const line = stack.split('\n').find((each) => each.includes(`${suite}/`));
    return line === undefined
      ? null
      : `${line.slice(line.indexOf(`${suite}/`) + suite.length + 1).replace(/\)$/, '')}:${op}`;
  };
  /** True where the reference did this at the same place; without a reference, what the rules say. */
  const allows = (op, otherwise) => {
    if (learn) {
      learntPlaces.add(place(op));
      actingPlaces.add(`${place(op)}@${test}`);
      return true;
    }
    if (known === null) return otherwise;
    // A place that several tests share answered an object in some of them only.
    return known.has(place(op)) && !known.has(`${place(op)}@${test}`);
  };

  /** True while a getter runs whose value the suite calls at once, as a method: `answer.check(9)`. */
  const isMethodCall = () => {
    const [file, line, column] = (place('') ?? '').split(':');
    const text =
      texts
        .get(file)
        ?.split('\n')
        .slice(line - 1)
        .join('\n')
        .slice(column - 1) ?? '';
    return /^(?:\?\.|\.)?\[?\s*(?:[\w$]+|(['"`])[^'"`]*\1\s*\])\s*(?:\?\.)?\s*\(/.test(text);
  };
  /** Functions and classes that the suite reaches by the names of exports. */
  const reached = new WeakSet();
  /** Counts the calls of the artifact: between two of them, what an inert object holds does not change. */
  let epoch = 0;

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
  /** Numbers of what the running test has given, and tests that are over: it is no help with the next test. */
  const running = new Set();
  const over = new Set();
  const numberOf = (part) => {
    if (!numbers.has(part)) {
      count += 1;
      numbers.set(part, count);
      given.set(count, part);
      if (test !== '' && !isShared()) running.add(count);
    }
    const number = numbers.get(part);
    if (over.delete(number)) running.add(number);
    return number;
  };

  /** An assertion of the running test that failed within the artifact, and has not come out of it yet. */
  let assertion = null;
  const crossing = (error) => {
    if (error instanceof Error && error.code === 'ERR_ASSERTION') assertion = error.message;
  };

  const leaveError = (error) => {
    const name = namesOfGlobals.get(error?.constructor) ?? 'Error';
    return { $error: [name, String(error.message), leave({ ...error })] };
  };

  const leaveOther = (part) => {
    waiting.get(part)?.();
    const handle = handles.get(part);
    if (handle !== undefined) {
      // The artifact may change it from here on, unless it makes another object of it.
      if (!constructing) made.delete(handle.$handle);
      return handle;
    }
    const known = namesOfGlobals.get(part);
    if (known !== undefined) return { $global: known };
    const library = libraryName(part);
    if (library !== null) return { $library: library };
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
          (error) => {
            crossing(error);
            ended.push([number, () => ({ throws: leaveThrown(error) })]);
          },
        );
      }
      return { $later: number };
    }
    if (typeof part?.next === 'function') return { $iterator: numberOf(() => part.next()) };
    if (typeof part === 'object' && mayBeShown(part)) return { $local: numberOf(part) };
    throw new TypeError(
      `a ${part?.constructor?.name ?? typeof part} cannot be passed to an artifact in another box`,
    );
  };

  /** Where the artifact finds the same thing in its own built-in modules: it never calls ours. */
  const libraryName = (part) => {
    for (const [name, module] of builtins) {
      if (module === part) return [name];
      for (const key of Object.keys(module)) if (module[key] === part) return [name, key];
    }
    return null;
  };

  /** True for instances of classes of the suite and for events: nothing that leads out of the test. */
  const mayBeShown = (part) => {
    if (part === globalThis || part === process || Object.prototype.toString.call(part) === '[object Module]')
      return false;
    for (let kind = Object.getPrototypeOf(part); kind !== null; kind = Object.getPrototypeOf(kind)) {
      const name = kind.constructor?.name;
      if (
        ['Socket', 'Server', 'ReadStream', 'WriteStream', 'ChildProcess', 'Worker', 'Module'].includes(name)
      )
        return false;
    }
    return true;
  };
  const owned = new Map();
  let ownCount = 0;
  const own = (part, told) => {
    let number = ownNumbers.get(part);
    if (number === undefined) {
      if (owned.size >= maxOwned) return told;
      ownCount += 1;
      number = ownCount;
      ownNumbers.set(part, number);
      owned.set(number, part);
    }
    return { $own: [number, told] };
  };
  const leave = (part) => encode(part, leaveOther, own);
  const leaveThrown = (error) => (error instanceof Error ? leaveError(error) : leave(error));

  const arrive = (part) => {
    try {
      return decode(part, arriveOther, arrivedObject);
    } catch (error) {
      return lie(`an answer that is not a value (${error.name})`);
    }
  };

  /** True while values that a module exports arrive. */
  let exporting = false;
  /**
   * True where a function is believed as a method of an answer: of functions that say that they make objects, for names that the
   * suite takes out of an answer, and where the reference answered one.
   */
  const isBelieved = (key, isMade) =>
    learn || known !== null
      ? allows(`method ${key}`, false)
      : (isMade || taken.has(key)) && !withCallback.has(key) && key !== 'valueOf' && key !== 'toString';
  /** Gives an object a function of the language that can be compared, and not called as a method. */
  const defineInert = (part, key, value) => {
    let held = value;
    Object.defineProperty(part, key, {
      get: () => (held === value && isMethodCall() ? refusing(key) : held),
      set: (next) => {
        held = next;
      },
      ...{ enumerable: true, configurable: true },
    });
  };
  /** A plain object whose functions could answer for a plain value's methods: those are refused. */
  const arrivedObject = (part) => {
    for (const key of Object.keys(part)) {
      const value = part[key];
      const isOwn = handles.has(value);
      if (typeof value !== 'function' || !(isOwn || namesOfGlobals.has(value))) continue;
      if (exporting || isBelieved(key, making)) continue;
      if (isOwn)
        Object.defineProperty(part, key, {
          ...{ value: refusing(key), writable: true, enumerable: true, configurable: true },
        });
      else defineInert(part, key, value);
    }
    return part;
  };

  const arriveOther = (tag, content) => {
    if (tag === '$handle') return wrap(content);
    if (tag === '$method') return methodOf(content[0], String(content[1]));
    if ((tag === '$callback' || tag === '$local') && given.has(content))
      return over.has(content) ? Symbol('of an earlier test') : given.get(content);
    if (tag === '$global' && globals.has(content)) return globals.get(content);
    if (tag === '$own') {
      const mine = owned.get(content[0]);
      // Without content, the artifact has changed nothing in it; with content, it may be of an earlier test.
      const made = content.length > 1 ? decode(content[1], arriveOther, arrivedObject) : mine;
      if (mine === undefined || Object.getPrototypeOf(mine) !== Object.getPrototypeOf(made)) {
        if (made === undefined) throw new TypeError('an object that was not given');
        return made;
      }
      update(mine, made);
      return mine;
    }
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
    if (!reading.has(op.do) && !constructing) changes += 1;
    let reply = exchange({ ask: op });
    while ('callback' in reply) reply = exchange({ back: serve(reply) });
    for (const [number, told] of reply.changed ?? [])
      if (owned.has(number)) update(owned.get(number), decode(told, arriveOther, arrivedObject));
    if ('raised' in reply) throw errorOf(reply.raised);
    if (!('value' in reply)) lie('an answer without a value');
    return reply;
  };

  /** Runs a function of the test for the artifact. */
  const serveLocal = ([number, action, name], args) => {
    const part = given.get(number);
    if (part === undefined || typeof name !== 'string') return lie('an object that was not given');
    if (name.startsWith('_') || forbiddenNames.has(name)) return undefined;
    const key = keyOfName(name);
    if (action === 'has') return key in part;
    if (action === 'set') {
      if (typeof part[key] !== 'function') part[key] = args[0];
      return true;
    }
    const value = part[key];
    if (typeof value !== 'function') return value;
    let bound = methodNames.get(part)?.get(key);
    if (bound === undefined) {
      bound = value.bind(part);
      if (!methodNames.has(part)) methodNames.set(part, new Map());
      methodNames.get(part).set(key, bound);
    }
    return bound;
  };

  const serve = (request) => {
    if (request.local !== undefined) {
      try {
        const found = serveLocal(request.local, request.args.map(arrive));
        return { returns: leave(over.has(request.local[0]) ? undefined : found) };
      } catch (error) {
        return { throws: leaveThrown(error) };
      }
    }
    const callback = given.get(request.callback);
    if (callback === undefined) return lie('a call-back that was not given');
    try {
      const found = callback(...request.args.map(arrive));
      // A function of an earlier test may still be told something; an answer could be one that a later test expects.
      return { returns: leave(over.has(request.callback) ? undefined : found) };
    } catch (error) {
      crossing(error);
      return { throws: leaveThrown(error) };
    }
  };

  /** What a result is: made by the test itself, or answered. */
  let making = false;
  /** True while the answer of a call arrives that was given a function: what a decorator makes has properties. */
  let decorating = false;
  const send = (op, args) => {
    epoch += 1;
    const reply = ask({ ...op, args: args.map(leave) });
    for (const [index, after] of reply.args ?? []) {
      if (!(index in args)) lie('a changed argument that was not given');
      update(args[index], arrive(after));
    }
    return reply;
  };
  const call = (op, args, makes = false) => {
    if (op.do === 'method') made.delete(op.of);
    const reply = send(op, args);
    const outer = [making, decorating];
    making = makes;
    decorating = args.some((arg) => typeof arg === 'function' && !handles.has(arg));
    try {
      const found = arrive(reply.value);
      if (learn) plainPlaces.set(`${place('object')}@${test}`, place('object'));
      return found;
    } finally {
      [making, decorating] = outer;
    }
  };

  const methodOf = (id, name) => {
    if (typeof id !== 'number') throw new TypeError('a method of nothing');
    const method = (...args) => call({ do: 'method', of: id, name }, args, classNumbers.has(id));
    handles.set(method, { $method: [id, name] });
    return method;
  };
  const inertReason = (name) =>
    `answered an object whose ${name}() nothing vouches for; name its class in \`objects\`, or add a reference`;
  const refusing = (name) => () => {
    throw refuse(inertReason(name));
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
      // An error of another class that repeats its text has not let it out.
      const isPlain = Object.getPrototypeOf(error) === Error.prototype;
      if (isPlain && error.message === assertion?.slice(0, 2000)) assertion = null;
      return error;
    } catch (error) {
      return lie(`an exception without a description (${error.name})`);
    }
  };

  /** An object is no number. As a text it may be read where the test made it. */
  const convert = (id, acting, isMade) => (hint) => {
    if (acting && isMade && hint !== 'number') {
      const text = call({ do: 'method', of: id, name: 'toString' }, []);
      if (hint === 'string' || typeof text !== 'string') return String(text);
    }
    if (acting && allows('conversion', isMade && isTrusted(id))) {
      const value = call({ do: 'method', of: id, name: 'valueOf' }, []);
      if (typeof value !== 'object') return value;
    }
    throw refuse('answered an object where a number or text was expected');
  };
  const isTrusted = (id) => trusted.has(id);

  /*
   * The artifact could give its answers the values of the objects that the test makes to compare them with, and those the values of its
   * answers. So it is told of an object of a class that only keeps what it is given when the test uses it, and not when it is compared.
   * Of any other object it is told at once: what answers hold is read before that, and must not change by it; and the object holds what
   * it was given.
   */
  /** How the artifact is told of objects that it does not know. */
  const waiting = new WeakMap();
  /** What the test gave objects that the artifact was told of by making them, and has not used since, by number. */
  const made = new Map();
  let madeCount = 0;
  /** True while the artifact makes an object of nothing but plain values. */
  let constructing = false;
  /** Counts what could have changed answers. */
  let changes = 0;
  /** Answers of the running test, and of what tests share. */
  let answers = [];
  const sharedAnswers = [];
  /** What answers held when the test made the next object, by number. */
  const commitments = new Map();

  const readAnswers = () => {
    const unread = answers
      .filter(({ id }) => !made.has(id) && commitments.get(id)?.changes !== changes)
      .slice(-maxRead);
    if (unread.length === 0) return;
    const told = ask({ do: 'read', of: unread[0].id, parts: unread.map(({ id }) => id) }).value;
    if (!Array.isArray(told) || told.length !== unread.length) return lie('an answer that is no list');
    for (const [index, { id }] of unread.entries())
      commitments.set(id, {
        changes,
        parts: told[index] && new Map(told[index].map(([key, value]) => [String(key), value])),
      });
  };
  const doubt = (op, reason) => {
    if (!allows(op, false)) throw refuse(reason);
  };
  /** Holds a property of an answer against what it was before the test made another object. */
  const checkRead = (id, name, told) => {
    const { changes: read, parts } = commitments.get(id) ?? {};
    if (read !== changes || !parts?.has(name)) return;
    const before = outline(parts.get(name));
    if (before !== null && before !== outline(told))
      doubt('changed part', `changes what it has answered (${name}) when the test makes another object`);
  };
  const checkKeys = (id, names) => {
    const { changes: read, parts } = commitments.get(id) ?? {};
    if (read === changes && parts && [...parts.keys()].join('\n') !== names.join('\n'))
      doubt('changed part', 'changes what it has answered when the test makes another object');
  };
  /** True while the language compares objects in depth, or writes them as text. */
  const isComparing = () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 30;
    const { stack } = new Error();
    Error.stackTraceLimit = limit;
    return /node:internal\/util\/comparisons|JSON\.stringify/.test(stack);
  };
  /** Holds an object of the test against what it was given, where it may be compared with an answer. */
  const checkMade = (id) => {
    const given = made.get(id);
    if (given === undefined || given.changes === changes || trusted.has(id)) return;
    const { making, args, prototype, name } = given;
    const others = answers.filter(
      (each) => each.prototype === prototype && !(each.isMade && made.has(each.id)),
    );
    if (others.length === 0 || !isComparing()) return;
    const own = new Map(ask({ do: 'read', of: id, parts: [id] }).value?.[0] ?? []);
    Object.assign(given, { changes, parts: own });
    const alike = (told, arg) => isDeepStrictEqual(arrive(told ?? null), arg);
    const unkept = args.filter((arg, index) => {
      const [property] = making?.keeps.find(([, kept]) => kept === index) ?? [];
      if (property !== undefined) return !own.has(property) || !alike(own.get(property), arg);
      return (known === null && !learn) || ![...own.values()].some((told) => alike(told, arg));
    });
    if (unkept.length > 0)
      doubt(
        'unkept',
        `its class ${name} does not show that it keeps what it is given; name it in \`objects\`, or add a reference`,
      );
    if (others.some((each) => each.made >= given.made && !each.isMade))
      doubt(
        'early',
        `its class ${name} told the artifact what is expected before it answered; name it in \`objects\`, or add a reference`,
      );
  };
  const isPlain = (args) =>
    args.every((arg) => typeof arg !== 'function' && !handles.has(arg) && !waiting.has(arg));
  /** The number of an object that the artifact makes now. */
  const tell = (id, args) => {
    readAnswers();
    const outer = constructing;
    constructing = isPlain(args);
    try {
      const told = send({ do: 'new', of: id }, args).value;
      if (typeof told?.$handle?.id !== 'number') return lie('an object that is none');
      return told.$handle.id;
    } finally {
      constructing = outer;
    }
  };

  /** What an object holds; of an inert one, what it held when it was first asked since the last call. */
  const held = (own, name, read) => {
    if (own.acting !== false) return read();
    if (own.epoch !== epoch) Object.assign(own, { epoch, held: new Map() });
    if (!own.held.has(name)) own.held.set(name, read());
    return own.held.get(name);
  };
  const keysOf = (number, own) => {
    if (own.fields !== undefined) return [...own.fields.keys()];
    const id = number();
    checkMade(id);
    return held(own, 'keys', () => {
      const names = [...new Set(ask({ do: 'keys', of: id }).value.map(String))];
      checkKeys(id, names);
      return names;
    });
  };
  const read = (number, own, name) => {
    if (own.fields?.has(name)) return own.fields.get(name);
    return held(own, `.${name}`, () => {
      const id = number();
      const given = made.get(id);
      if (given?.changes === changes && given.parts.has(name)) return arrive(given.parts.get(name));
      const told = ask({ do: 'get', of: id, name }).value;
      checkRead(id, name, told);
      return arrive(told);
    });
  };

  /** Forwards properties. `target` is only a shape: what it holds is never the artifact's. `number` tells the artifact of the object. */
  const traps = (number, own) => ({
    get(target, key) {
      if (own.has(key)) return own.get(key);
      const name = nameOfKey(key);
      if (key === Symbol.toPrimitive) return (hint) => convert(number(), own.acting, own.made)(hint);
      if (name === undefined || unasked.has(name)) return Reflect.get(target, key);
      if (own.inherits?.(name) === false && !own.fields?.has(name)) return undefined;
      const value = read(number, own, name);
      if (typeof value !== 'function') return value;
      if (own.acting === true)
        return predicates.has(name) && !own.made && known === null && !learn ? refusing(name) : value;
      if (own.acting === undefined && (reached.has(own.self) || (own.believed && !predicates.has(name)))) {
        if (handles.has(value)) reached.add(value);
        return value;
      }
      if (own.acting === undefined && isBelieved(String(name), false)) return value;
      return namesOfGlobals.has(value) && !isMethodCall() ? value : refusing(String(name));
    },
    set(_target, key, value) {
      const name = nameOfKey(key);
      if (own.fields?.has(name)) own.fields.set(name, value);
      else {
        made.delete(number());
        ask({ do: 'set', of: number(), name, value: leave(value) });
      }
      return true;
    },
    has(_target, key) {
      const name = nameOfKey(key);
      if (own.acting || reached.has(own.self))
        return (
          name !== undefined &&
          (own.fields?.has(name) || ask({ do: 'has', of: number(), name }).value === true)
        );
      return name !== undefined && keysOf(number, own).includes(name);
    },
    deleteProperty(_target, key) {
      made.delete(number());
      return ask({ do: 'delete', of: number(), name: nameOfKey(key) }).value === true;
    },
    defineProperty(_target, key, { value }) {
      made.delete(number());
      ask({ do: 'set', of: number(), name: nameOfKey(key), value: leave(value) });
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
    const making = makingFrom(desc.making ?? null);
    const proxy = new Proxy(function Remote() {}, {
      ...traps(() => desc.id, own),
      apply: (_target, _self, args) => call({ do: 'call', of: desc.id }, args),
      construct(_target, args, newTarget) {
        if (newTarget !== proxy)
          throw new TypeError(`a class cannot extend ${desc.name} of an artifact in another box`);
        return construct(desc, making, prototype, args);
      },
    });
    own.self = proxy;
    handles.set(proxy, { $handle: desc.id });
    objects.set(desc.id, proxy);
    classIds.set(proxy, desc.id);
    classNumbers.add(desc.id);
    return proxy;
  };
  const classIds = new WeakMap();
  /** Remembers a class that the suite imports by name. */
  const named = (name, value) => {
    const id = classIds.get(value);
    if (id === undefined) return;
    if (trustedNames.includes(name)) trusted.add(id);
    if ((isClassName(name) && classNames.has(name)) || trustedNames.includes(name)) vouched.add(id);
  };
  const isVouched = (prototype) => {
    for (let each = prototype; each !== null; each = Object.getPrototypeOf(each)) {
      const id = classIds.get(each.constructor);
      if (id !== undefined && (trusted.has(id) || (known === null && vouched.has(id)))) return true;
    }
    return false;
  };

  const noteAnswer = (id, prototype, isMade) => {
    const answer = { id, prototype, made: madeCount, isMade };
    answers.push(answer);
    if (test === '' || isShared()) sharedAnswers.push(answer);
  };
  const isActing = (prototype) =>
    isVouched(prototype) ? allows('object', true) || true : allows('object', false);
  const objectOf = (desc) => {
    const prototype = prototypeOf(desc.class);
    const own = new Map([['constructor', prototype?.constructor]]);
    own.acting = desc.inert !== true && isActing(prototype);
    own.made = own.acting && making === true;
    if (own.acting && trusted.has(classIds.get(prototype?.constructor))) trusted.add(desc.id);
    if (prototype !== Object.prototype) noteAnswer(desc.id, prototype, isMaking);
    return proxyOf(() => desc.id, own, prototype);
  };
  const proxyOf = (number, own, prototype) => {
    const proxy = new Proxy(Object.create(null), {
      ...traps(number, own),
      getPrototypeOf: () => prototype,
      ownKeys: () => keysOf(number, own),
      getOwnPropertyDescriptor(_target, key) {
        const name = nameOfKey(key);
        if (name === undefined || !keysOf(number, own).includes(name)) return undefined;
        const value = read(number, own, name);
        return { value, writable: true, enumerable: true, configurable: true };
      },
    });
    own.self = proxy;
    return proxy;
  };

  /** True while an object of the test is made. */
  let isMaking = false;
  const inherited = new Map();
  /** An object that the test makes of a class. */
  const construct = (desc, making, prototype, args) => {
    if (learn && making?.simple) allows('waits', false);
    const waits = making?.simple || (known !== null && allows('waits', false));
    if (!learn && waits && isActing(prototype)) return waitingFor(desc, making, prototype, args);
    if (!learn) readAnswers();
    const [outer, outerMaking] = [constructing, isMaking];
    constructing = isPlain(args);
    isMaking = true;
    madeCount += 1;
    try {
      const found = call({ do: 'new', of: desc.id }, args, true);
      const id = handles.get(found)?.$handle;
      const isValue = Object.getPrototypeOf(found) === prototype && !(prototype instanceof Error);
      if (typeof id === 'number' && constructing && isValue)
        made.set(id, { making, args, prototype, name: desc.name, made: madeCount });
      return found;
    } finally {
      [constructing, isMaking] = [outer, outerMaking];
    }
  };
  /** An object of which the artifact is told when the test uses it. */
  const waitingFor = (desc, making, prototype, args) => {
    const own = new Map([['constructor', prototype.constructor]]);
    Object.assign(own, { acting: true, made: true });
    if (making?.simple)
      own.fields = new Map(
        making.keeps.map(([property, index]) => [
          property,
          args[index] === undefined ? arrive(making.parameters[index][1]) : args[index],
        ]),
      );
    const first = new Map(own.fields);
    own.inherits = (name) => {
      const key = `${desc.id} ${name}`;
      if (!inherited.has(key)) inherited.set(key, ask({ do: 'inherits', of: desc.id, name }).value === true);
      return id === undefined && (own.fields !== undefined || name.startsWith('@@'))
        ? inherited.get(key)
        : undefined;
    };
    let id;
    const number = () => {
      if (id !== undefined) return id;
      id = tell(desc.id, args);
      waiting.delete(proxy);
      objects.set(id, proxy);
      handles.set(proxy, { $handle: id });
      noteAnswer(id, prototype, true);
      if (trusted.has(desc.id)) trusted.add(id);
      if (own.fields === undefined)
        made.set(id, { making, args, prototype, name: desc.name, made: madeCount + 1 });
      const changed = [...(own.fields ?? [])].filter(([name, value]) => first.get(name) !== value);
      own.fields = undefined;
      for (const [name, value] of changed) ask({ do: 'set', of: id, name, value: leave(value) });
      return id;
    };
    const proxy = proxyOf(number, own, prototype);
    waiting.set(proxy, number);
    return proxy;
  };

  /** Names under which the suite knows functions, whatever the artifact calls them. */
  const exportNames = new WeakMap();
  const functionOf = (desc) => {
    const own = new Map([['name', String(desc.name)]]);
    own.believed = decorating || making;
    const proxy = new Proxy(function remote() {}, {
      ...traps(() => desc.id, own),
      apply: (_target, _self, args) =>
        call(
          { do: 'call', of: desc.id },
          args,
          exportNames.has(proxy) &&
            (isMaker(exportNames.get(proxy)) ||
              shownMakers.has(exportNames.get(proxy)) ||
              trustedNames.includes(exportNames.get(proxy))),
        ),
      construct: (_target, args) => Object(call({ do: 'new', of: desc.id }, args, true)),
    });
    own.self = proxy;
    return proxy;
  };

  /** A generator or another iterator: only ever asked for the next value. */
  const iteratorOf = (desc, key) => {
    const step = (name) => (value) =>
      call({ do: 'method', of: desc.id, name }, value === undefined ? [] : [value]);
    const iterator = {
      next: step('next'),
      return: step('return'),
      throw: step('throw'),
      [key]: () => iterator,
    };
    return iterator;
  };

  const promiseOf = (desc) => {
    const waiting = Promise.withResolvers();
    pending.set(desc.id, waiting);
    return waiting.promise;
  };

  const makers = {
    object: objectOf,
    function: functionOf,
    promise: promiseOf,
    iterator: (desc) => iteratorOf(desc, Symbol.iterator),
    asyncIterator: (desc) => iteratorOf(desc, Symbol.asyncIterator),
  };
  const wrap = (desc) => {
    if (typeof desc?.id !== 'number') throw new TypeError('no description');
    if (desc.kind === 'module') return desc;
    if (desc.kind === 'class') prototypeOf(desc);
    else if (!objects.has(desc.id)) {
      const part = makers[desc.kind](desc);
      objects.set(desc.id, part);
      handles.set(part, { $handle: desc.id });
    } else if (
      desc.kind === 'object' &&
      (isMaking ? answers.some(({ id, isMade }) => id === desc.id && !isMade) : made.has(desc.id))
    ) {
      // An answer is not what the test has made, and not given.
      const twin = objectOf(desc);
      handles.set(twin, { $handle: desc.id });
      return twin;
    }
    const found = desc.kind === 'class' ? prototypes.get(desc.id).constructor : objects.get(desc.id);
    if (exporting && typeof found === 'function') reached.add(found);
    return found;
  };

  return {
    /** What a module of the artifact exports, as pairs of name and value. */
    module(name) {
      const desc = arrive(ask({ do: 'module', name }).value);
      if (desc?.kind !== 'module') return lie('a module that is none');
      exporting = true;
      const exported = desc.exports.map(([key, value]) => [String(key), arrive(value)]);
      exporting = false;
      for (const [key, value] of exported) {
        if (typeof value === 'function' && handles.has(value) && key !== 'default')
          exportNames.set(value, key);
        named(key === 'default' ? String(value?.name ?? '') : key, value);
        if (key === 'default' && typeof value === 'object' && value !== null && !handles.has(value))
          for (const [inner, part] of Object.entries(value)) {
            if (typeof part === 'function' && handles.has(part)) exportNames.set(part, inner);
            named(inner, part);
          }
      }
      return exported;
    },
    /** Forgets what the last test gave. */
    beginTest(id) {
      test = id;
      assertion = null;
      for (const number of running) over.add(number);
      running.clear();
      answers = [...sharedAnswers];
      for (const part of owned.values()) ownNumbers.delete(part);
      owned.clear();
    },
    /** Why the running test fails, whatever it came to: an assertion failed, and the artifact hid it. Else null. */
    endTest() {
      if (assertion === null) return null;
      const shape = `hidden assertion@${test}`;
      if (learn) learntPlaces.add(shape);
      return learn || known?.has(shape)
        ? null
        : `an assertion failed within the artifact, which hid it: ${assertion}`;
    },
    /** The places that were noted with the reference. */
    learnt: () => [
      ...[...learntPlaces].filter((each) => each !== null),
      ...[...plainPlaces].flatMap(([each, shared]) =>
        learntPlaces.has(shared) && !actingPlaces.has(each) ? [each] : [],
      ),
    ],
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

/** How a class makes objects, as its description says. */
function makingFrom(told) {
  if (told === null) return null;
  const { parameters, keeps, simple } = told;
  const names = parameters.map(([name, value]) => [String(name), value]);
  if (keeps.some(([, index]) => names[index] === undefined)) throw new TypeError('no parameter');
  return {
    parameters: names,
    keeps: keeps.map(([property, index]) => [String(property), index]),
    simple: simple === true,
  };
}

/** A value of the artifact as it was told, with objects by their numbers; null where it is told in another way the next time. */
function outline(told) {
  const text = JSON.stringify(told, (tag, held) =>
    tag === '$handle' && typeof held === 'object' ? held.id : tag === '$own' ? undefined : held,
  );
  return /"\$own"|"\$callback"|"\$local"/.test(JSON.stringify(told)) ? null : text;
}

/** Makes a value of the test what the artifact made of it, in place, so that aliases see it too. */
function update(mine, after) {
  if (
    mine === after ||
    typeof mine !== 'object' ||
    mine === null ||
    Object.getPrototypeOf(mine) !== Object.getPrototypeOf(after)
  )
    return;
  const merged = (old, now) => {
    if (typeof old !== 'object' || old === null || typeof now !== 'object' || now === null) return now;
    if (handles.has(old) || ownNumbers.has(now) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(now))
      return now;
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
