/*
 * Stand-ins for the artifact's classes, functions and objects in a tester. They forward calls and properties; a comparison compares what
 * is here, and is never forwarded. Every object that nothing vouches for is inert: what it holds can be read, and all else fails the test.
 */
import { inspect } from 'node:util';
import { makingFrom, unasked } from './claims.mjs';
import { handles } from './handles.mjs';
import { exportName, ofModule } from './suite-bindings.mjs';
import { isMaker, ofPlain, valueMethods } from './suite-syntax.mjs';
import { extendsArray, hasContent, keyOfName, nameOfKey, namesOfGlobals } from './values.mjs';

/** Methods of plain values whose answer a test believes: an object that has them may lie. */
const predicates = new Set(
  `every some includes indexOf lastIndexOf find findIndex findLast findLastIndex startsWith endsWith has match test search
   isSubsetOf isSupersetOf isDisjointFrom localeCompare valueOf toJSON toFixed`.split(/\s+/),
);
/** All methods of values of the language and of Node: a function that has one may stand in the place of a value. */
const ofValues = new Set([
  ...valueMethods,
  ...predicates,
  ...[Object.getPrototypeOf(Uint8Array), ArrayBuffer, DataView, URL, URLSearchParams].flatMap(
    ({ prototype }) => Object.getOwnPropertyNames(prototype),
  ),
]);
/** Methods of plain values that are given a function: never a method of an object that a factory made. */
const withCallback = new Set('every some find findIndex findLast findLastIndex filter map reduce'.split(' '));
/** Those that answer another object of the kind, where the suite shows by other methods that it is no list. */
const transforming = new Set(['map', 'filter', 'reduce']);
/** Methods of every object that say which properties it has. */
const ofProperties = new Set(['hasOwnProperty', 'propertyIsEnumerable', 'isPrototypeOf']);
/** What a loop over an answer calls. */
const isIterating = new Set(['@@iterator', '@@asyncIterator']);
/** What it calls of an iterator. */
const ofIterators = new Set(['next', 'return', 'throw']);
/** Most levels of an answer in which objects that act are looked for. */
const maxActing = 4;
/** Methods that every function has: they call the stand-in. */
const methodsOfFunctions = ['apply', 'bind', 'call'].map((name) => [name, Function.prototype[name]]);
/** Methods of arrays that answer from the items alone: they run here, on items that are plain values. */
const ofItems = new Set(
  `at every some find findIndex findLast findLastIndex includes indexOf lastIndexOf forEach join reduce reduceRight
   entries keys values @@iterator toString`.split(/\s+/),
);
/** How often a property is read before it is asked for again: a test may wait for it to change. */
const maxTimes = 1000;
const asyncIterators = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));
/** Names of constants: lists, sets and tables, and no groups of functions. */
const isConstantName = (name) => /^[A-Z][A-Z0-9_]*$/.test(name);
const isClassName = (name) => /^[A-Z]/.test(name);
const lastOf = (name) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1);

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param shown what the suite shows: `objects` that it trusts, `classNames`, `makers` of objects, functions whose results
 * are `changed`, names that it has `taken` out of answers, exports that are `passed` as values
 */
export function createRemote(link, { objects: trustedNames, classNames, makers, changed, taken, passed }) {
  const { ask, call, refuse, sites } = link;
  /** Classes by number: that the suite trusts, with their objects, whose objects may act, and all. */
  const trusted = new Set();
  const vouched = new Set();
  const classNumbers = new Set();
  const classIds = new WeakMap();
  /** Classes that a class of the test extends. */
  const equipped = new Set();
  /** Classes of which the prototype has what their objects compute. */
  const accessible = new Set();
  /** What is known of stand-ins of objects. */
  const owns = new WeakMap();
  /** Functions and classes that the suite reaches by the names of exports. */
  const reached = new WeakSet();
  /** Those that have arrived as answers as well: they may stand in the place of other values. */
  const answered = new WeakSet();
  /** Functions that something else has answered than what makes them, decorates one, or is one of them. */
  const strayed = new WeakSet();
  /** Exports by functions, whatever the artifact calls them: one function may be several. */
  const exportNames = new WeakMap();
  const nameExport = (part, name) => {
    if (typeof part !== 'function' || !handles.has(part)) return;
    exportNames.set(part, (exportNames.get(part) ?? new Set()).add(name));
  };
  const isShown = (name) => makers.has(name) || trustedNames.includes(lastOf(name));
  /**
   * What is known of what a function answers, by the name under which the suite calls it now. Where it is called by no name of its own, as a
   * function that is passed to another, each of its names must show it.
   */
  const knownOf = (part) => {
    const names = [...(exportNames.get(part) ?? [])];
    const called = sites.callee();
    const found = names.includes(called)
      ? [called]
      : names.some((name) => passed.has(name)) && !called
        ? names
        : [];
    if (found.length === 0) return {};
    const all = (test) => found.every(test);
    const own = { taken: new Set(found.length === 1 ? taken.get(found[0]) : []) };
    if (all((name) => isMaker(lastOf(name)) || isShown(name)))
      return {
        ...own,
        makes: true,
        isShown: all(isShown),
        isChanged: all((name) => changed.has(name)),
        isTrusted: all((name) => trustedNames.includes(lastOf(name))),
      };
    return all((name) => changed.has(name)) ? { ...own, isPart: true } : own;
  };

  /** What the reference answered where an object has arrived, for the reason of a test that fails by it. */
  const unlikeReference = (arrival) => {
    if (!sites.hasReference) return '';
    const line = sites.lineOf(arrival);
    const where = line === undefined ? 'there' : `at ${line}`;
    const kind = sites.wasAt(arrival);
    if (kind === undefined) return ', where the reference has no such object';
    const isActing = /an object of|with functions|a function/.test(kind);
    return `: the reference answered ${kind} ${where}${isActing ? ', on which the test uses no such function' : ''}`;
  };
  /** @param from `arrival` of the object that has the function, and the `name` of its class or of what answered it */
  const refusing =
    (name, { arrival, named } = {}) =>
    () => {
      throw refuse(
        `answered an object whose ${name}() nothing vouches for${unlikeReference(arrival)}; ${sites.remedy(named)}`,
      );
    };
  /** What is known of an object that arrives, for the reason of a test that fails by it. */
  const originOf = (prototype = null) => {
    if (!sites.hasReference) return undefined;
    const ofClass = prototype === Object.prototype ? undefined : prototype?.constructor?.name;
    return { arrival: sites.arrival(), named: ofClass || lastOf(sites.callee() ?? '') || undefined };
  };
  /**
   * True where a function is believed as a method of an answer: of functions that say that they make objects, for names that the
   * suite takes out of an answer, and where the reference answered one.
   */
  const isBelieved = (key, answering) => {
    const { makes, isShown: isObject, isChanged, isPart, isTrusted } = answering;
    if (sites.isGuided) return sites.allowsAtCall(`method ${key}`) || isTrusted === true;
    if (isTrusted || isIterating.has(key) || (isObject && transforming.has(key))) return true;
    if (key === 'toString') return isObject === true;
    if (withCallback.has(key) || ofProperties.has(key) || key === 'valueOf') return false;
    if ((answering.taken ?? taken.get(''))?.has(key)) return true;
    return makes ? isObject || isChanged || !ofPlain.has(key) : isPart === true && !predicates.has(key);
  };

  /** True where an answer that nothing shows to be an object says whether what it is given is right. */
  const isDoubted = ({ isShown: isObject, isTrusted, isExport }) =>
    !sites.isGuided && !isObject && !isTrusted && !isExport && sites.isDoubted();

  const namesIn = (owner) => owner.slice(owner.lastIndexOf('#') + 1).split('.');
  /** True for a method of what the suite names as an export, and not of a constant, or of what an export holds, in the place of a value. */
  const isNamedMethod = (owner, name) => {
    const names = namesIn(owner);
    const isFunction = sites.isCalled(owner) || isClassName(names[0]);
    if (!ofValues.has(name) || (names.length === 1 && isFunction && !isConstantName(names[0]))) return true;
    return !predicates.has(name) && !sites.isDoubted();
  };
  /**
   * True where a function of the artifact has a method by its own word: one that the suite names, that a factory made, or that was made of a
   * function. As an answer it may stand in the place of a value, and has no methods of values. With a reference, places decide about those.
   */
  const isMethodOfFunction = (own, name) => {
    const isReached = reached.has(own.self);
    if (!isReached && !own.believed) return false;
    const owner = isReached ? sites.owner() : undefined;
    if (sites.isGuided) {
      if (!ofValues.has(name)) return true;
      if (owner === undefined || sites.isLearning) return false;
      // The reference may export an object of functions.
      return predicates.has(name)
        ? sites.isKnown(`export ${namesIn(owner).join('.')}.${name}@`)
        : isNamedMethod(owner, name);
    }
    if (isReached) {
      if (owner !== undefined) return isNamedMethod(owner, name);
      return !answered.has(own.self) || (!ofValues.has(name) && !sites.isDoubted());
    }
    if (!ofValues.has(name)) return true;
    if (predicates.has(name) || strayed.has(own.self)) return false;
    return own.answering.makes
      ? isBelieved(name, own.answering) && !isDoubted(own.answering)
      : sites.isUnused();
  };
  /**
   * Takes functions from an exported object that could answer for the methods of a list, set or text: with a reference those that its export
   * does not have, else those of constants.
   */
  const holdExport = (name, value) => {
    const parent = Object(value) === value ? Object.getPrototypeOf(value) : undefined;
    if (parent !== Object.prototype && parent !== null) return;
    if (!sites.isGuided && !isConstantName(name)) return;
    for (const key of Object.keys(value)) {
      const isDoubtful = typeof value[key] === 'function' && (predicates.has(key) || withCallback.has(key));
      if (isDoubtful && !sites.allowsInTest(`export ${name}.${key}`))
        if (!link.live.replace(value, key, refusing(key))) value[key] = refusing(key);
    }
  };
  /** Functions that an exported object holds, by name: no getter is called. */
  const functionsIn = (value) => {
    if (typeof value !== 'object' || value === null || owns.has(value) || Array.isArray(value)) return [];
    // A frozen object shows its functions by getters of ours.
    const held = ([name, shape]) => [name, Object.isFrozen(value) ? value[name] : shape.value];
    return Object.entries(Object.getOwnPropertyDescriptors(value))
      .map(held)
      .filter(([, part]) => typeof part === 'function');
  };
  /** Remembers a class that the suite imports by name. */
  const named = (name, value) => {
    // What a suite knows by the name of a class may be a function of the older kind.
    const id = classIds.get(value) ?? (isClassName(name) ? handles.get(value)?.$handle : undefined);
    if (typeof id !== 'number') return;
    if (trustedNames.includes(name)) trusted.add(id);
    if ((isClassName(name) && classNames.has(name)) || trustedNames.includes(name)) vouched.add(id);
  };
  const isVouched = (prototype) => {
    for (let each = prototype; each !== null; each = Object.getPrototypeOf(each)) {
      const id = classIds.get(each.constructor);
      if (id !== undefined && (trusted.has(id) || (!sites.hasReference && vouched.has(id)))) return true;
    }
    return false;
  };
  const isActing = (prototype) =>
    isVouched(prototype) ? sites.allows('object', true) || true : sites.allows('object', false);

  /**
   * A plain value that an object holds: until something may have changed it is asked for once, and each time where it is computed, which may count,
   * read a file or look at the time. A comparison in depth asks by itself, and of an array or object the test is given another copy each time.
   */
  const steady = (own, name, read) => {
    const changes = link.noticed();
    const { serving } = link;
    if (own.changes !== changes || own.serving !== serving)
      Object.assign(own, { changes, serving, steady: new Map() });
    if (own.computes !== link.computes) {
      for (const each of own.steady.keys()) if (!own.computed?.has(each)) own.steady.delete(each);
      own.computes = link.computes;
    }
    const known = own.steady.get(name);
    const isKnown = known !== undefined && known.times < maxTimes && !link.expected.isComparing();
    const isSettled = !own.computed?.has(name) || (known?.times > 0 && !link.asksAgain());
    if (isKnown && isSettled && !sites.isLearning && !sites.allows('changing', false)) {
      known.times += 1;
      return known.value;
    }
    const { callbacks } = link;
    const value = read();
    const isAgain = isKnown && Object.is(known.value, value);
    if (isKnown && !isAgain) sites.allows('changing', false);
    if (Object(value) !== value && link.callbacks === callbacks)
      own.steady.set(name, { value, times: isAgain ? known.times + 1 : 0 });
    return value;
  };
  /** What an object holds; of an inert one, what it held when it was first asked since the last call. */
  const held = (own, name, read) => {
    if (own.acting === true) return steady(own, name, read);
    if (own.acting !== false) return read();
    const { epoch, serving } = link;
    if (own.epoch !== epoch || own.serving !== serving)
      Object.assign(own, { epoch, serving, held: new Map() });
    const known = own.held.get(name);
    if (known !== undefined && (known.isAsked || !own.computed?.has(name))) return known.value;
    const value = read();
    const isChanging = known !== undefined && Object(value) !== value && !Object.is(known.value, value);
    if (isChanging) throw refuse(`answered an object whose ${name.slice(1)} is another each time`);
    own.held.set(name, { value: known?.value ?? value, isAsked: known !== undefined });
    return own.held.get(name).value;
  };
  const keysOf = (number, own, prototype = null) => {
    if (own.fields !== undefined) {
      link.expected.checkTold(own);
      return [...own.fields.keys()];
    }
    const id = number();
    link.expected.checkCompared(id, prototype, own.isMadeHere === true);
    if (!link.expected.isComparing()) link.expected.reads.noteKeys(id);
    const names = held(own, 'keys', () => {
      const found = [...new Set(ask({ do: 'keys', of: id }).value.map(String))];
      const reserved = found.find((name) => unasked.has(name));
      if (reserved !== undefined)
        throw refuse(`answered an object with a property ${reserved}, which every object has`);
      link.expected.checkKeys(id, found);
      return found;
    });
    return link.expected.comparedNames(names, prototype);
  };
  const read = (number, own, name) => {
    if (own.fields?.has(name)) return own.fields.get(name);
    const value = heldOf(number, own, name);
    if (own.acting !== undefined && !link.expected.isComparing())
      link.expected.reads.noteRead(number(), name, value);
    return value;
  };
  const heldOf = (number, own, name) =>
    held(own, `.${name}`, () => {
      const id = number();
      const known = link.expected.heldBy(id, name);
      if (known !== null) return link.incoming.arrive(known[0]);
      const reply = ask({ do: 'get', of: id, name });
      if (reply.computed === true) {
        own.computed = (own.computed ?? new Set()).add(`.${name}`);
        link.computes += 1;
      }
      link.expected.checkRead(id, name, reply.value);
      return link.withinActor(own.isActor, () => link.incoming.arriveLent(`get ${id} ${name}`, reply));
    });

  /** The items of an object whose class extends Array. */
  const itemsOf = (number, own) =>
    held(own, 'items', () => {
      const items = link.incoming.arrive(ask({ do: 'items', of: number() }).value);
      if (!Array.isArray(items)) throw new TypeError('no list');
      link.expected.reads.notePlain({ ...items });
      return items;
    });

  /** True where the test's classes define a name, and not those of the artifact that they extend. */
  const definesOwn = (prototype, key) => {
    let each = prototype;
    while (each !== null && link.outgoing.isPrototype(each) && !Object.hasOwn(each, key))
      each = Object.getPrototypeOf(each);
    return each !== null && link.outgoing.isPrototype(each);
  };
  /** What a function of the artifact is called on: an object of its own, or of a class of the test that has the function from it, or any other. */
  const receiverOf = (part, called) => {
    link.expected.use(part);
    const self = handles.get(part)?.$handle;
    if (self !== undefined) return { self };
    const local = link.outgoing.selfOf(part, called);
    if (local !== undefined) return { local };
    const on = link.outgoing.numberOfSelf(part);
    return on === undefined ? {} : { on };
  };
  const callMethod = (id, name, args, how = {}) =>
    call({ do: 'method', of: id, name, ...how }, args, {
      ...(classNumbers.has(id) ? { makes: true, isShown: true } : { isPart: true }),
    });
  /** Methods that have arrived, by the numbers of their functions, with their names on objects. */
  const methods = new Map();
  /** A method that says which properties an object has: from those that it shows, and by the artifact's word where the reference's differed. */
  const ofKeys =
    (own, name, method) =>
    (...args) => {
      const found = Object.prototype[name].apply(own.self, args);
      if (!sites.isGuided) return found;
      const ask = () => method.apply(own.self, args);
      if (!sites.isLearning) return sites.allowsAtCall(`own ${name}`) ? ask() : found;
      const told = ask();
      if (told !== found) sites.allowsAtCall(`own ${name}`);
      return told;
    };
  /** True for what a loop calls of an object that is an iterator: a generator is asked for the same wherever it is. */
  const isStepOfIterator = (own, name) => {
    if (isIterating.has(name)) return true;
    if (!ofIterators.has(name)) return false;
    own.isIterator ??= ['@@iterator', '@@asyncIterator'].some(
      (each) => ask({ do: 'has', of: own.number(), name: each }).value === true,
    );
    return own.isIterator;
  };
  /** Notes with the reference that what the test reads now holds objects that act. */
  const noteActing = (value, depth = 0) => {
    if (Object(value) !== value || depth > maxActing) return;
    if (handles.has(value)) sites.actsHere();
    else if (Array.isArray(value)) for (const each of value) noteActing(each, depth + 1);
    else if (value instanceof Map) for (const each of [...value].flat()) noteActing(each, depth + 1);
    else if (value instanceof Set) for (const each of value) noteActing(each, depth + 1);
    else if (Object.getPrototypeOf(value) === Object.prototype)
      for (const shape of Object.values(Object.getOwnPropertyDescriptors(value)))
        noteActing(shape.value, depth + 1);
  };
  /** Forwards properties. `target` is only a shape: what it holds is never the artifact's. `number` tells the artifact of the object. */
  const traps = (number, own) => ({
    get(target, key) {
      if (own.has(key)) return own.get(key);
      // The objects of a function that makes them are known once the first has arrived.
      if (key === 'prototype' && own.acting === undefined)
        return link.incoming.prototypeById(number()) ?? Reflect.get(target, key);
      const name = nameOfKey(key);
      if (key === Symbol.toPrimitive) return (hint) => link.conversions.convert(own, hint);
      if (name === undefined || unasked.has(name)) return Reflect.get(target, key);
      if (own.inherits?.(name) === false && !own.fields?.has(name)) return undefined;
      // What the artifact has made of a class of the test has that class's methods.
      if (own.isOfTest && definesOwn(own.prototype, key)) return Reflect.get(own.prototype, key, own.self);
      const isKept = name === 'toJSON' && link.expected.isKept(own);
      if (own.methods?.has(name) === false && ofItems.has(name))
        return (...args) => Array.prototype[key].apply(itemsOf(number, own), args);
      const value = read(number, own, name);
      if (typeof value !== 'function') {
        if (sites.isLearning) noteActing(value);
        return value;
      }
      if (sites.isLearning) sites.usesHere(name);
      if (own.isLikeReference) {
        if (ofProperties.has(name)) return ofKeys(own, name, value);
        return sites.usesHere(name) || isStepOfIterator(own, name) ? value : refusing(name, own.origin);
      }
      if (name === 'toJSON' && own.acting === true && !sites.isGuided && !link.remote.isTrusted(number()))
        return link.conversions.writing(own, isKept, value);
      if (own.acting === true) {
        if (ofProperties.has(name)) return ofKeys(own, name, value);
        if (own.answering && (!isBelieved(name, own.answering) || isDoubted(own.answering)))
          return refusing(name, own.origin);
        // What is written in the place of an object is its word about itself.
        if (name === 'toJSON' && sites.isGuided)
          return sites.allowsAtCall('method toJSON') ? value : refusing(name, own.origin);
        // With a reference, all methods that a value has as well are those of the place at which the suite calls them.
        const isDoubtful =
          predicates.has(name) || (ofValues.has(name) && sites.isGuided && sites.isSomewhere());
        if (!isDoubtful) return value;
        const isUsed = sites.isGuided && sites.allowsAtCall(`method ${name}`);
        const isUsedOfOther = own.isActor && sites.usesHere(name);
        return isUsed || isUsedOfOther || own.made || (sites.isGuided && link.remote.isTrusted(number()))
          ? value
          : refusing(name, own.origin);
      }
      if (own.acting === undefined && isMethodOfFunction(own, name)) {
        if (handles.has(value)) reached.add(value);
        return value;
      }
      if (own.acting === undefined && isBelieved(String(name), {})) return value;
      if (own.acting === undefined && own.isActor && sites.usesHere(name)) return value;
      if (isIterating.has(name) || isStepOfIterator(own, name)) return value;
      return namesOfGlobals.has(value) && !sites.isMethodCall() ? value : refusing(String(name), own.origin);
    },
    set(_target, key, value) {
      const name = nameOfKey(key);
      link.outgoing.noteGiven([value]);
      if (own.fields?.has(name)) own.fields.set(name, value);
      else {
        link.expected.noteUse(number());
        link.epoch += 1;
        ask({ do: 'set', of: number(), name, value: link.outgoing.leave(value) }, [value]);
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
      link.expected.noteUse(number());
      link.epoch += 1;
      return ask({ do: 'delete', of: number(), name: nameOfKey(key) }).value === true;
    },
    defineProperty(_target, key, shape) {
      link.expected.noteUse(number());
      link.epoch += 1;
      const { enumerable, configurable, writable, ...parts } = shape;
      const args = Object.values(parts);
      const op = { do: 'define', of: number(), name: nameOfKey(key), parts: Object.keys(parts) };
      ask(
        { ...op, flags: { enumerable, configurable, writable }, args: args.map(link.outgoing.leave) },
        args,
      );
      return true;
    },
    preventExtensions: () => false,
  });

  const proxyOf = (number, own, prototype) => {
    Object.assign(own, { number, prototype });
    // The language compares errors only with errors.
    if (prototype instanceof Error) own.set(Symbol.toStringTag, 'Error');
    /** A plain object that is written as the artifact's is. */
    const shown = () => {
      const copy = Object.create(prototype);
      for (const name of keysOf(number, own, prototype))
        Object.defineProperty(copy, name, {
          ...{ value: proxy[name], writable: true, enumerable: true, configurable: true },
        });
      return copy;
    };
    const isList = extendsArray(prototype);
    const { frozen } = own;
    // The language asks the target how a proxy is written, whether it is an array, and whether it is frozen.
    const target = Object.defineProperty(
      isList ? [] : Object.create(frozen ? prototype : null),
      inspect.custom,
      {
        value: (_depth, options) => link.conversions.inspected(own) ?? inspect(shown(), options),
        configurable: frozen === undefined,
      },
    );
    for (const name of frozen ?? [])
      Object.defineProperty(target, name, { get: () => read(number, own, name), enumerable: true });
    if (frozen) Object.preventExtensions(target);
    const namesNow = () => {
      const names = keysOf(number, own, prototype);
      if (frozen && frozen.join('\n') !== names.join('\n'))
        throw refuse('answered a frozen object whose properties change');
      return names;
    };
    const proxy = new Proxy(target, {
      ...traps(number, own),
      getPrototypeOf: () => prototype,
      ownKeys() {
        const names = namesNow();
        return frozen ? Reflect.ownKeys(target) : isList ? [...names, 'length'] : names;
      },
      getOwnPropertyDescriptor(_target, key) {
        const name = nameOfKey(key);
        if (isList && key === 'length') return { value: read(number, own, name), writable: true };
        if (frozen) return namesNow() && Reflect.getOwnPropertyDescriptor(target, key);
        if (name === undefined || !namesNow().includes(name)) return undefined;
        const value = read(number, own, name);
        return { value, writable: true, enumerable: true, configurable: true };
      },
    });
    own.self = proxy;
    owns.set(proxy, own);
    return proxy;
  };

  /** The number of an object of the artifact on which a method of its class is called. */
  const numberOn = (part, name) => {
    const of = owns.get(part)?.number?.() ?? handles.get(part)?.$handle;
    if (typeof of !== 'number')
      throw refuse(`calls ${name}() on something else than an object of the artifact`);
    return of;
  };
  /** Gives the prototypes of a class and its bases the methods that a class of the test calls by `super`. */
  const giveMethods = (desc, prototype) => {
    if (typeof desc?.id !== 'number' || equipped.has(desc.id)) return;
    equipped.add(desc.id);
    for (const name of ask({ do: 'methods', of: desc.id }).value.map(String))
      if (!Object.hasOwn(prototype, keyOfName(name)) && !unasked.has(name))
        Object.defineProperty(prototype, keyOfName(name), {
          value(...args) {
            return call({ do: 'base', of: numberOn(this, name), class: desc.id, name }, args, {
              isPart: true,
            });
          },
          ...{ writable: true, configurable: true },
        });
    giveMethods(desc.base, Object.getPrototypeOf(prototype));
  };
  /** Gives them what functions compute, where the suite may put others in their place. */
  const giveAccessors = (desc, prototype) => {
    if (typeof desc?.id !== 'number' || accessible.has(desc.id)) return;
    accessible.add(desc.id);
    for (const [name, isRead, isSet] of ask({ do: 'accessors', of: desc.id }).value) {
      const key = keyOfName(String(name));
      if (Object.hasOwn(prototype, key) || unasked.has(String(name))) continue;
      const partOf = (part) =>
        function (...args) {
          const op = { do: 'base', of: numberOn(this, name), class: desc.id, name: String(name), part };
          return call(op, args, { isPart: true });
        };
      const shape = { get: isRead ? partOf('get') : undefined, set: isSet ? partOf('set') : undefined };
      Object.defineProperty(prototype, key, { ...shape, configurable: true });
    }
    giveAccessors(desc.base, Object.getPrototypeOf(prototype));
  };

  return {
    /** Gives the prototype of a class its methods, where the suite may put others in their place. */
    equip(desc, prototype) {
      if (!link.surroundings.replacesMethods || equipped.has(desc.id)) return;
      giveMethods(desc, prototype);
      giveAccessors(desc, prototype);
      link.surroundings.watchClass(desc.id, prototype);
    },
    /** What a value is, in a few words. */
    kindOf(value) {
      if (value === undefined || value === null) return String(value);
      if (typeof value === 'boolean') return 'true or false';
      if (typeof value !== 'object') return `a ${typeof value}`;
      if (owns.has(value)) return `an object of ${owns.get(value).prototype?.constructor?.name || 'a class'}`;
      if (link.live.known(value) !== undefined) return 'a plain object with functions or getters';
      const prototype = Object.getPrototypeOf(value);
      if (Array.isArray(value)) return 'an array';
      if (prototype === Object.prototype || prototype === null) return 'a plain object';
      return `a ${prototype.constructor?.name || 'value'}`;
    },
    /** True for the stand-in of a class. */
    isClass: (part) => classIds.has(part),
    refusing,
    originOf,
    unlikeReference,
    isBelieved,
    isActing,
    proxyOf,
    /** True for the stand-in of an object of which nothing but properties is asked for. */
    isInert: (part) => owns.get(part)?.acting === false,
    /** True for an object that acts where the reference's did, and not wherever it is. */
    mayAct: (part, id) => owns.get(part)?.acting === true && !trusted.has(id),
    /**
     * True at a place at which the reference answered no object: in the place of a text it could say yes to everything. Notes the place with the
     * reference, where an artifact may answer another object.
     */
    isUnexpected(prototype) {
      const isLikeReference = sites.actsHere() || link.isWithinActor;
      return sites.place('object') !== null && !isActing(prototype) && !isLikeReference;
    },
    noteActing,
    /** True for the stand-in of an object, and not of a function, an iterator or a promise. */
    isObject: (part) => owns.has(part),
    isTrusted: (id) => trusted.has(id),
    isTrustedClass: (prototype) => trusted.has(classIds.get(prototype?.constructor)),
    /** Notes that the test made an object with `new`: it is no answer. */
    noteNew(part) {
      const own = owns.get(part);
      if (own?.acting) own.isNew = true;
    },
    trust: (id) => void trusted.add(id),
    /** Notes a function or class that a module exports. */
    reach: (part) => void reached.add(part),
    /** Notes a function or class that has arrived, and not as an export. */
    noteAnswered(part, { isExport, makes, decorates, isPart } = link.answering) {
      if (isExport) return;
      answered.add(part);
      if (!(makes || decorates || isPart)) strayed.add(part);
    },
    /** Notes what a module exports, by the names that the suite knows. */
    nameExports(exported, module) {
      for (const [key, value] of exported) {
        const isWhole = ofModule.has(key);
        if (!isWhole) holdExport(key, value);
        nameExport(value, exportName(module, [key]));
        // What stands for a value may be passed on under another name.
        if (reached.has(value) && isConstantName(key)) answered.add(value);
        for (const [inner, part] of functionsIn(value)) {
          nameExport(part, exportName(module, [key, inner]));
          if (!isWhole) answered.add(part);
        }
        named(key === 'default' ? String(value?.name ?? '') : key, value);
        if (key === 'default' && typeof value === 'object' && value !== null && !owns.has(value))
          for (const [inner, part] of Object.entries(value)) named(inner, part);
      }
    },

    classOf(desc, prototype) {
      const own = new Map([
        ['prototype', prototype],
        ['name', String(desc.name)],
        [Symbol.hasInstance, Function.prototype[Symbol.hasInstance]],
      ]);
      own.number = () => desc.id;
      const making = makingFrom(desc.making ?? null);
      const shared = traps(() => desc.id, own);
      const proxy = new Proxy(function Remote() {}, {
        ...shared,
        get(target, key, receiver) {
          // The language asks a list for it, whose parts are compared here.
          if (key === Symbol.species && extendsArray(prototype)) return undefined;
          const value = shared.get(target, key);
          const as =
            receiver === proxy || typeof value !== 'function' ? null : link.outgoing.leaveClass(receiver);
          if (as === null || handles.get(value)?.$method === undefined) return value;
          // Called on a class of the test that extends it.
          return (...args) =>
            call({ do: 'static', of: desc.id, name: nameOfKey(key), as }, args, {
              makes: true,
              isShown: true,
            });
        },
        // What the test puts another in the place of.
        getOwnPropertyDescriptor(target, key) {
          const found = Reflect.getOwnPropertyDescriptor(target, key);
          if (found !== undefined || !link.surroundings.replacesMethods) return found;
          const value = shared.get(target, key);
          const isMethod = typeof value === 'function' && handles.get(value)?.$method !== undefined;
          return isMethod ? { value, writable: true, enumerable: false, configurable: true } : undefined;
        },
        apply: (_target, _self, args) => call({ do: 'call', of: desc.id }, args),
        construct(_target, args, newTarget) {
          // An object that is made here first leaves later, or never.
          link.outgoing.noteGiven(args);
          if (newTarget === proxy) return link.expected.construct(desc, making, prototype, args);
          const as = link.outgoing.leaveClass(newTarget);
          if (as === null)
            throw new TypeError(`a class that is not written in the suite cannot extend ${desc.name}`);
          giveMethods(desc, prototype);
          // What the artifact has made is an answer.
          if (link.outgoing.takeMaking(newTarget))
            return call({ do: 'new', of: desc.id, as }, args, { isPart: true });
          return link.expected.construct(desc, null, newTarget.prototype, args, as);
        },
      });
      own.self = proxy;
      handles.set(proxy, { $handle: desc.id });
      classIds.set(proxy, desc.id);
      classNumbers.add(desc.id);
      // The suite may know a class by its name alone.
      if (trustedNames.includes(String(desc.name))) trusted.add(desc.id);
      return proxy;
    },
    objectOf(desc) {
      const prototype = link.incoming.prototypeOf(desc.class);
      const own = new Map([['constructor', prototype?.constructor]]);
      const isOwn = isActing(prototype);
      // What says that it makes objects need not export their class.
      const { makes, isPart, isTrusted } = link.answering;
      own.answering = isOwn || sites.isGuided || !(makes || isPart || isTrusted) ? null : link.answering;
      // The reference may have answered one of another style there: each function is that of the place at which the test uses it.
      own.origin = originOf(prototype);
      own.isActor = sites.actsHere() || link.isWithinActor;
      own.isLikeReference = own.isActor && !isOwn;
      const isNamed = isTrusted === true && sites.isGuided;
      own.acting = isOwn || isNamed || own.isLikeReference || own.answering !== null;
      if (isNamed) own.isLikeReference = false;
      own.made = own.acting && makes === true;
      if (extendsArray(prototype)) own.methods = new Set(desc.methods?.map(String));
      else if (Array.isArray(desc.frozen) && !hasContent(prototype)) own.frozen = desc.frozen.map(String);
      own.isOfTest = link.outgoing.isPrototype(prototype);
      if (own.acting && (isNamed || trusted.has(classIds.get(prototype?.constructor)))) trusted.add(desc.id);
      link.expected.noteObject(desc.id, prototype, own);
      return proxyOf(() => desc.id, own, prototype);
    },
    functionOf(desc) {
      const own = new Map([['name', String(desc.name)], ...methodsOfFunctions]);
      own.answering = link.answering;
      own.believed = link.answering.decorates || link.answering.makes;
      own.number = () => desc.id;
      own.isActor = sites.actsHere() || link.isWithinActor;
      own.origin = originOf();
      const making = makingFrom(desc.making ?? null);
      const proxy = new Proxy(function remote() {}, {
        ...traps(() => desc.id, own),
        apply(_target, self, args) {
          const answering = link.live.known(self);
          if (answering !== undefined && isDoubted(answering)) refusing(String(desc.name))();
          if (link.live.use(self) === undefined) link.live.noteCall(proxy);
          return call({ do: 'call', of: desc.id, ...receiverOf(self, proxy) }, args, {
            ...link.live.answering(self),
            ...knownOf(proxy),
          });
        },
        // A class may be of the older kind, bound, or told as a function.
        construct(_target, args) {
          link.outgoing.noteGiven(args);
          return link.expected.construct(desc, making, null, args);
        },
      });
      own.self = proxy;
      return proxy;
    },
    callMethod,
    /**
     * A method of an object: the same function on every object that has it. What it is called on is sent, as one that is called without its object
     * works only where its class has bound it.
     */
    methodOf(id, name, number) {
      if (typeof id !== 'number' || typeof number !== 'number') throw new TypeError('a method of nothing');
      const known = methods.get(number);
      if (known !== undefined) {
        known.names.set(id, name);
        return known.method;
      }
      const names = new Map([[id, name]]);
      const { method } = {
        method(...args) {
          const on = receiverOf(this);
          const isOwn = names.has(on.self);
          const of = isOwn ? on.self : id;
          const how = isOwn ? { function: number } : { function: number, unbound: true, ...on };
          return callMethod(of, names.get(of), args, how);
        },
      };
      Object.defineProperty(method, 'name', { value: name });
      handles.set(method, { $method: [id, name, number] });
      methods.set(number, { method, names });
      return method;
    },
    /** A generator or another iterator: only ever asked for the next value. */
    iteratorOf(desc, key) {
      if (sites.isLearning) sites.actsHere();
      const step = (name) => (value) =>
        call({ do: 'method', of: desc.id, name }, value === undefined ? [] : [value]);
      const isAsync = key === Symbol.asyncIterator;
      const iterator = Object.create(isAsync ? asyncIterators : Iterator.prototype);
      return Object.assign(iterator, {
        ...{ next: step('next'), return: step('return'), throw: step('throw') },
        [key]() {
          if (sites.isLearning) sites.actsHere();
          return iterator;
        },
      });
    },
  };
}
