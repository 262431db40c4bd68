/*
 * Stand-ins for promises of the artifact that are more than their end: they have properties, as `Object.assign(promise, { pid })` gives them, or are of a
 * class of the artifact. They are promises of the tester, with what the test reads of the artifact's.
 */
import { unasked } from './claims.mjs';
import { handles } from './handles.mjs';
import { keyOfName } from './values.mjs';

/** Functions by which a promise is waited for: what stands in their place calls functions of the test, and decides nothing else. */
const waiting = new Set(['then', 'catch', 'finally']);

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param known the artifact's `classes`, its `methods` that are believed, and the `traps` of stand-ins
 */
export function createPromiseStandIns(link, { classes, methods, traps }) {
  const { sites } = link;
  /** What is known of such promises. */
  const owns = new WeakMap();
  /** Promises with the functions of the test by which these are waited for in the artifact's box. */
  const waits = new WeakMap();
  /** Classes by their prototypes whose promises are waited for by others of them; true where nothing else belongs to it. */
  const derived = new WeakMap();

  const ownOf = (part, name) => {
    const own = owns.get(part);
    if (own === undefined)
      throw link.refuse(`uses ${name} of something else than a promise that the artifact has answered`);
    return own;
  };
  /** A function of the test that is told how a promise has ended. */
  const reaction = (own, part) => {
    if (typeof part !== 'function' || handles.has(part)) return part;
    const told = (...args) => part(...args);
    waits.set(told, own.end);
    return told;
  };
  const waitThere = (own, name, args) =>
    link.call(
      { do: 'method', of: own.number(), name, ends: true },
      args.map((part) => reaction(own, part)),
      { ...own.end.answering, end: own.end },
    );
  const read = (part, key, name) => {
    const own = ownOf(part, name);
    return own.forwarded.get(null, key);
  };
  const write = (part, key, name, value) => void ownOf(part, name).forwarded.set(null, key, value);

  /** What is known of a promise, as of an object that is answered there. A value of the language is none: a test has to wait for that. */
  const know = (desc, part, end) => {
    const prototype = Object.getPrototypeOf(part);
    const own = new Map();
    const isOwn = classes.isActing(prototype);
    const isActor = sites.actsHere() || link.isWithinActor;
    const isNamed = link.answering.isTrusted === true && sites.isGuided;
    const answering = isOwn || sites.isGuided ? null : { ...link.answering, isPart: true, isPromise: true };
    Object.assign(own, {
      ...{ number: () => desc.id, self: part, prototype, end, answering, isActor },
      origin: methods.originOf(prototype),
      isLikeReference: isActor && !isOwn && !isNamed,
      acting: isOwn || isNamed || isActor || answering !== null,
    });
    own.forwarded = traps(own.number, own);
    return own;
  };
  /** Gives a promise what it holds itself. */
  const giveProperties = (own, part, names) => {
    for (const [each, isListed] of names) {
      const name = String(each);
      if (unasked.has(name) || Object.hasOwn(part, keyOfName(name))) continue;
      const key = keyOfName(name);
      const wait = (...args) => waitThere(own, name, args);
      Object.defineProperty(part, key, {
        get: waiting.has(name) ? () => wait : () => read(part, key, name),
        set: (value) => write(part, key, name, value),
        ...{ enumerable: isListed === true, configurable: true },
      });
    }
  };

  return {
    /**
     * The promise that stands for one of the artifact.
     *
     * @param part the one that ends as that does
     * @param end how what it ends with arrives
     */
    promiseOf(desc, part, end) {
      if (desc.class === undefined && desc.names === undefined) return part;
      const parent = desc.class === undefined ? null : link.incoming.prototypeOf(desc.class);
      const isOther = parent !== null && Object.prototype.isPrototypeOf.call(Promise.prototype, parent);
      // Of one that only inherits from the prototype of promises nothing is known but what it has.
      const found = desc.inherits === true ? Object.create(isOther ? parent : Promise.prototype) : part;
      if (isOther && desc.inherits !== true) Object.setPrototypeOf(part, parent);
      const own = know(desc, found, end);
      owns.set(found, own);
      giveProperties(own, found, desc.names ?? []);
      return found;
    },
    /** Gives the prototype of a class of promises what the class defines. */
    equip(desc, prototype) {
      for (const name of desc.methods.map(String)) {
        const key = keyOfName(name);
        if (unasked.has(name)) continue;
        const { value } = {
          value(...args) {
            if (waiting.has(name)) return waitThere(ownOf(this, `${name}()`), name, args);
            return Reflect.apply(read(this, key, `${name}()`), this, args);
          },
        };
        Object.defineProperty(value, 'name', { value: name });
        Object.defineProperty(prototype, key, { value, writable: true, configurable: true });
      }
      for (const [each, isRead, isSet] of desc.accessors) {
        const name = String(each);
        const key = keyOfName(name);
        if (unasked.has(name)) continue;
        const get =
          isRead === true
            ? {
                get() {
                  return read(this, key, name);
                },
              }
            : {};
        const set =
          isSet === true
            ? {
                set(value) {
                  write(this, key, name, value);
                },
              }
            : {};
        Object.defineProperty(prototype, key, { ...get, ...set, configurable: true });
      }
      if (desc.derives !== true) return;
      // What such a class defines may need what its constructor has done: the artifact makes those.
      const isBare =
        desc.methods.length + desc.accessors.length === 0 &&
        derived.get(Object.getPrototypeOf(prototype)) !== false;
      if (!isBare && !Object.hasOwn(prototype, 'then'))
        Object.defineProperty(prototype, 'then', {
          value(...args) {
            return waitThere(ownOf(this, 'then()'), 'then', args);
          },
          ...{ writable: true, configurable: true },
        });
      derived.set(prototype, isBare);
    },
    /** What the language makes where a test waits for a promise of a class: one of that class where nothing else belongs to it. */
    derivedOf(prototype) {
      if (derived.get(prototype) !== true) return undefined;
      return function Derived(run) {
        return Object.setPrototypeOf(new Promise(run), prototype);
      };
    },
    /** How what a function of the test is told arrives, which waits for a promise in the artifact's box; undefined for any other function. */
    endFor: (told) => waits.get(told),
  };
}
