/*
 * Objects of an artifact that are no instances of a class and have functions or computed properties, as factories answer them:
 * `{ inc() {}, get value() {} }`.
 *
 * Such an object arrives as a copy. What it holds is asked for anew once the test has used it as an object: it has called one of its
 * functions, set a property, or given it to the artifact. Of a function whose name says that it makes objects, the object is one from the
 * beginning where the suite calls a function of its name. Until something may have changed, a property is asked for once, and each time where
 * it is computed. What it answers is a value as every other answer is, and is compared in the tester.
 */
import { handles } from './handles.mjs';
import { isIterating, ofIterators } from './method-names.mjs';
import { createMixins } from './mixins.mjs';
import { keyOfName, nameOfKey, namesOfGlobals } from './values.mjs';

/** Names that the language, or an assertion, looks for in any object: what computes all its properties is not asked for them. */
const unlooked = new Set(['constructor', '__proto__', 'toJSON', 'inspect', 'nodeType']);

const isFunction = (known) => typeof known?.value === 'function';
/** True for an object that can be iterated over step by step: a generator, wherever it is answered, is asked for the same. */
const isIterator = ({ known }) =>
  isFunction(known.get('next')) &&
  (isFunction(known.get('@@iterator')) || isFunction(known.get('@@asyncIterator')));
const ofDisposal = new Set(['@@dispose', '@@asyncDispose']);
/** What the language calls to convert an object. */
const ofConversions = new Set(['toString', 'valueOf', '@@toPrimitive']);

/** Longest list behind a proxy. */
const maxLength = 100_000;
const isLength = (length) => Number.isInteger(length) && length >= 0 && length <= maxLength;

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param called names of methods that the suite calls
 */
export function createLive(link, called) {
  const { ask, sites } = link;
  const parts = new Map();
  const states = new WeakMap();
  /** What was answered together with a function: it is in use once the function is called. */
  const answersOf = new WeakMap();
  const listedOf = ({ target }) =>
    Object.entries(Object.getOwnPropertyDescriptors(target)).flatMap(([key, { enumerable }]) =>
      enumerable ? [nameOfKey(key)] : [],
    );
  const mixins = createMixins((state) => parts.get(state.id), listedOf);

  /** Keeps a value, and decides whether it is believed if it is a function: one that was believed stays so. */
  const keep = (state, name, at, value, before = state.known) => {
    // A getter, or a proxy, may answer another array or object each time, which the test may change.
    const isComputed = state.isProxy || state.computed.has(name);
    const isFresh = isComputed && typeof value === 'object' && value !== null;
    const old = before.get(name);
    const isAgain = old?.at === at && Object.is(old.value, value);
    const found = {
      at: isFresh ? null : at,
      value,
      isDoubted: false,
      isAgain,
      ...{ serving: link.serving, computes: link.computes },
    };
    state.known.set(name, found);
    const isOwn = handles.has(value);
    if (typeof value !== 'function' || !(isOwn || namesOfGlobals.has(value))) return;
    // What a getter of an export answers is an answer.
    if (isOwn && isComputed && state.answering.isExport) link.remote.noteAnswered(value, {});
    const isBelieved = state.answering.isExport || link.remote.isBelieved(name, state.answering);
    found.isDoubted = !isBelieved && (old?.value !== value || old.isDoubted);
    if (!isOwn) return;
    if (!answersOf.has(value)) answersOf.set(value, new Set());
    answersOf.get(value).add(state.answering);
    mixins.note(value, state, name);
  };
  /** True for what a loop calls of an iterator. */
  const isStep = (state, name) =>
    ofIterators.has(name) && (state.answering.isIterator === true || isIterator(state));
  /** True for a function of an object at whose place the reference answered one that acts, where the test uses such a function of that. */
  const isUsed = (state, name) =>
    (state.isActor && sites.usesHere(name)) || isIterating.has(name) || isStep(state, name);
  /** A value, or what fails the test in the place of a function. One of the language can be compared, and not called as a method. */
  const shown = (state, { value, isDoubted }, name) => {
    if (sites.isLearning) noteUse(name, value);
    if (handles.has(value) && (isIterating.has(name) || isStep(state, name)))
      link.remote.noteIterating(value, !isIterating.has(name));
    if (isDoubted && name === 'toJSON' && !state.isList && handles.has(value) && sites.isWriting())
      return link.conversions.writing(state, false, state.origin?.named, (args) =>
        Reflect.apply(value, parts.get(state.id), args),
      );
    if (!isDoubted || isUsed(state, name)) return ofDisposal.has(name) ? disposalOf(value) : value;
    return handles.has(value) || sites.isMethodCall() ? link.remote.refusing(name, state.origin) : value;
  };
  const disposals = new WeakMap();
  /** The engine takes no proxy of a function for one that disposes. */
  const disposalOf = (value) => {
    if (typeof value !== 'function') return value;
    if (!disposals.has(value))
      disposals.set(value, function dispose() {
        return Reflect.apply(value, this, []);
      });
    return disposals.get(value);
  };
  /** Notes what the test does with an object of the reference, whatever the style of that of an artifact. */
  const noteUse = (name, value) => {
    if (typeof value !== 'function') return link.remote.noteActing(value);
    sites.usesHere(name);
    if (ofConversions.has(name)) sites.allows('conversion', true);
  };
  /** Arrives as what was told with the object did. */
  const arriveFor = (state, arrive) => {
    const outer = link.answering;
    link.answering = state.answering;
    try {
      return arrive();
    } finally {
      link.answering = outer;
    }
  };
  const notePlain = (state, held) => {
    if (!state.answering.isExport) link.expected.reads.notePlain(held);
  };

  /** Makes the object what the artifact told. */
  const fill = (state, entries) => {
    const { target } = state;
    const at = link.expected.changes();
    const names = new Set(entries.map(([name]) => String(name)));
    for (const key of Reflect.ownKeys(target))
      if (!names.has(nameOfKey(key)) && !(state.isList && key === 'length')) delete target[key];
    const before = state.known;
    state.known = new Map();
    const told = Object.create(null);
    for (const [each, isComputed, isHidden, ...values] of entries) {
      const [part, lent] = values;
      const name = String(each);
      if (isComputed) state.computed.add(name);
      if (values.length > 0)
        keep(
          state,
          name,
          at,
          arriveFor(state, () =>
            link.incoming.arriveLent(`property ${state.id} ${name}`, { value: part, lent }),
          ),
          before,
        );
      const { value } = state.known.get(name) ?? {};
      if (values.length > 0) told[name] = value;
      // What never changes must be what the engine finds, and a function may be refused.
      const shape =
        isComputed || (state.isFrozen && typeof value === 'function')
          ? {
              get() {
                return readFor(state, name, this);
              },
              set: undefined,
            }
          : { value, writable: !state.isFrozen };
      Object.defineProperty(target, keyOfName(name), {
        ...{ ...shape, enumerable: isHidden !== true, configurable: !state.isFrozen },
      });
    }
    notePlain(state, told);
    state.at = at;
    if (state.isFrozen) Object.preventExtensions(target);
  };
  const isInUse = (state) => state.answering.isInUse === true || state.isMade || state.isProxy;
  const stretch = ({ isList, target }, shape) => {
    if (isList && isLength(shape?.length)) target.length = shape.length;
  };
  /** Asks for all that an object holds, where that may have changed. */
  const refresh = (state) => {
    if (!isInUse(state) || state.isFrozen || state.at === link.noticed()) return;
    const told = ask({ do: 'live', of: state.id, lazy: state.answering.makes === true }).value;
    if (told?.$live?.[0] !== state.id || !Array.isArray(told.$live[1])) throw new TypeError('no object');
    fill(state, told.$live[1]);
    stretch(state, told.$live[2]);
  };
  /** What a property is now. */
  const read = (state, name) => {
    const known = state.known.get(name);
    const isComputed = state.isProxy || state.computed.has(name);
    // A function that is replaced is told as stale.
    const isConstant = (typeof known?.value === 'function' || state.isFrozen) && !isComputed;
    // What is computed may count, read a file or look at the time, and change what is not.
    const isSettled = () =>
      isComputed ? known.isAgain && !link.asksAgain() : known.computes === link.computes;
    const isNow = () => known.at === link.noticed() && known.serving === link.serving && isSettled();
    if (known && (isConstant || !(isComputed || isInUse(state)) || isNow())) return known;
    const { callbacks } = link;
    const at = link.expected.changes();
    const reply = ask({ do: 'property', of: state.id, name, lazy: state.answering.makes === true });
    if (isComputed) link.computes += 1;
    const value = link.withinActor(state.isActor, () =>
      arriveFor(state, () => link.incoming.arriveLent(`property ${state.id} ${name}`, reply)),
    );
    // What calls a function of the test is asked for each time.
    keep(state, name, link.callbacks === callbacks ? at : null, value);
    notePlain(state, { [name]: value });
    return state.known.get(name);
  };
  const write = (state, name, value) => {
    state.answering.isInUse = true;
    state.known.delete(name);
    ask({ do: 'set', of: state.id, name, value: link.outgoing.leave(value) }, [value]);
    return true;
  };

  /** What computes a property runs on an object of the test that has got it. */
  const readOn = (state, name, part) => {
    const reply = ask({ do: 'property', of: state.id, name, local: link.outgoing.leave(part) });
    link.computes += 1;
    const value = arriveFor(state, () => link.incoming.arriveLent(`property ${state.id} ${name}`, reply));
    const isBelieved =
      typeof value !== 'function' ||
      state.answering.isExport ||
      link.remote.isBelieved(name, state.answering);
    return isBelieved ? value : link.remote.refusing(name, state.origin);
  };
  const readFor = (state, name, part) =>
    state.computed.has(name) && !state.isProxy && mixins.mixes(state, part)
      ? readOn(state, name, part)
      : shown(state, read(state, name), name);
  /** Sets a property of an object of the test that inherits from one of these: its own, where nothing computes it. */
  const writeOn = (state, key, value, part) => {
    refresh(state);
    const name = nameOfKey(key);
    if (name !== undefined && state.computed.has(name)) {
      const told = { do: 'set', of: state.id, name, local: link.outgoing.leave(part) };
      ask({ ...told, value: link.outgoing.leave(value) }, [value]);
      return true;
    }
    if (state.isFrozen && Object.hasOwn(state.target, key)) return false;
    const shape = Object.hasOwn(part, key)
      ? { value }
      : { value, writable: true, enumerable: true, configurable: true };
    return Reflect.defineProperty(part, key, shape);
  };

  /** True for a property that what computes all its properties may have, though it does not list it. */
  const isVirtual = ({ isProxy, target }, key) =>
    isProxy && typeof key === 'string' && !unlooked.has(key) && !(key in target);
  const traps = (state) => ({
    get(target, key, receiver) {
      const name = nameOfKey(key);
      if (name === undefined) return Reflect.get(target, key);
      if (!Object.hasOwn(target, key) || (state.isList && key === 'length')) refresh(state);
      if (state.isList && (key === 'length' || key in Array.prototype)) return Reflect.get(target, key);
      if (!Object.hasOwn(target, key))
        return isVirtual(state, key) ? shown(state, read(state, name), name) : Reflect.get(target, key);
      const replaced = state.replaced.get(name);
      if (replaced !== undefined && !isUsed(state, name)) return replaced;
      return readFor(state, name, receiver);
    },
    set(target, key, value, receiver) {
      if (mixins.inherits(state, receiver)) return writeOn(state, key, value, receiver);
      const name = nameOfKey(key);
      if (name === undefined) return Reflect.set(target, key, value);
      write(state, name, value);
      return true;
    },
    deleteProperty(target, key) {
      state.answering.isInUse = true;
      const isDone = ask({ do: 'delete', of: state.id, name: nameOfKey(key) }).value === true;
      return isDone && Reflect.deleteProperty(target, key);
    },
    defineProperty(target, key, shape) {
      if ('value' in shape) write(state, nameOfKey(key), shape.value);
      return Reflect.defineProperty(target, key, shape);
    },
    has(target, key) {
      refresh(state);
      if (Reflect.has(target, key) || !isVirtual(state, key)) return Reflect.has(target, key);
      return ask({ do: 'has', of: state.id, name: nameOfKey(key) }).value === true;
    },
    ownKeys(target) {
      refresh(state);
      mixins.noteCopied(state);
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(target, key) {
      refresh(state);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });

  return {
    /** The object of a number: the same each time, with what it holds now. */
    arrive([id, entries, shape = {}]) {
      const { isBare, isFrozen, isProxy, length } = Object(shape);
      const isList = isLength(length);
      if (typeof id !== 'number') throw new TypeError('an object without a number');
      if (!parts.has(id)) {
        const target = isList ? [] : Object.create(isBare === true ? null : Object.prototype);
        const answering = Object.isFrozen(link.answering) ? {} : link.answering;
        const state = { id, target, answering, known: new Map(), computed: new Set(), replaced: new Map() };
        Object.assign(state, {
          isFrozen: isFrozen === true && entries !== undefined,
          at: null,
          isMade: false,
          isProxy: isProxy === true,
          isList,
        });
        const proxy = new Proxy(target, traps(state));
        parts.set(id, proxy);
        states.set(proxy, state);
        handles.set(proxy, { $handle: id });
      }
      const proxy = parts.get(id);
      const state = states.get(proxy);
      if (sites.isGuided && (sites.actsHere() || link.isWithinActor)) state.isActor = true;
      state.origin ??= link.remote.originOf();
      if (entries !== undefined && !(state.isFrozen && state.at !== null)) {
        if (!Array.isArray(entries)) throw new TypeError('no properties');
        fill(state, entries);
        stretch(state, shape);
        const { makes, decorates } = state.answering;
        state.isMade =
          (makes === true && entries.some(([name]) => called.has(name))) ||
          ((makes === true || decorates === true) && state.computed.size > 0);
      }
      return proxy;
    },
    /** Notes that the test gives an object to the artifact, or calls a function of one; its number, if it is one. */
    use(part) {
      const state = states.get(part);
      if (state !== undefined) state.answering.isInUse = true;
      return state?.id;
    },
    /** Notes that the test calls a function: what it was answered with is in use. */
    noteCall(called) {
      for (const answering of answersOf.get(called) ?? []) answering.isInUse = true;
    },
    /** Notes that the artifact has replaced functions of objects: what they have now is asked for. */
    replaceFunctions(numbers) {
      for (const number of numbers) {
        const known = states.get(parts.get(number))?.known;
        for (const [name, { value }] of known ?? []) if (typeof value === 'function') known.delete(name);
      }
    },
    /** What is known of an object that was answered; undefined for any other. */
    known: (part) => states.get(part)?.answering,
    isMethodOf: mixins.isMethodOf,
    /** True for a plain object of the test that has got such methods. */
    hasMethods: mixins.hasMethods,
    /** True for a plain object of the artifact. */
    isLive: (part) => states.has(part),
    /** What is known of what a function of an object answers. */
    answering(part) {
      const { isExport, isShown } = states.get(part)?.answering ?? { isExport: true };
      return isExport ? {} : { isPart: true, isShown };
    },
    /** Puts a function in the place of an object's own; false for another object. */
    replace(part, key, value) {
      return states.get(part)?.replaced.set(key, value) !== undefined;
    },
  };
}
