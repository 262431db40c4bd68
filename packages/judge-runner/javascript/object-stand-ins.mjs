/* Stand-ins for the artifact's objects. They forward properties; a comparison compares what is here, and is never forwarded. */
import { inspect } from 'node:util';
import { classWith, handles } from './handles.mjs';
import { extendsArray, hasContent, nameOfKey, namesOfGlobals } from './values.mjs';

/** Properties of errors that the language compares although it does not list them. */
const unlistedOfErrors = ['cause', 'errors'];

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param known the artifact's `classes`, its `methods` that are believed, what its objects hold, as `held`, and the `traps` of stand-ins
 */
export function createObjectStandIns(link, { classes, methods, held, traps }) {
  const { refuse, sites } = link;
  /** What is known of stand-ins of objects. */
  const owns = new WeakMap();

  /** A plain object that is written as the artifact's is. */
  const shownAs = (proxy, own, prototype) => {
    const copy = Object.create(prototype);
    for (const name of held.keysOf(own.number, own, prototype))
      Object.defineProperty(copy, name, {
        ...{ value: proxy[name], writable: true, enumerable: true, configurable: true },
      });
    return copy;
  };
  /** The language asks the target how a proxy is written, whether it is an array, and whether it is frozen. */
  const targetFor = (own, prototype, shown) => {
    const { number, frozen, unlisted } = own;
    const target = Object.defineProperty(
      extendsArray(prototype) ? [] : Object.create(frozen ? prototype : null),
      inspect.custom,
      {
        value: (_depth, options) => link.conversions.inspected(own) ?? inspect(shown(), options),
        configurable: frozen === undefined,
      },
    );
    for (const name of frozen ?? [])
      Object.defineProperty(target, name, { get: () => held.read(number, own, name), enumerable: true });
    for (const name of frozen ? unlisted : [])
      if (!Object.hasOwn(target, name))
        Object.defineProperty(target, name, { get: () => held.read(number, own, name) });
    if (frozen) Object.preventExtensions(target);
    return target;
  };
  /** True for what an error holds of these. One of the test's that is not told yet has no description: what it says decides for all of its class. */
  const holdsUnlisted = (own, name) => {
    if (!unlistedOfErrors.includes(name) || !(own.isError ?? own.prototype instanceof Error)) return false;
    return namesOfGlobals.has(classWith(own.prototype))
      ? own.unlisted?.includes(name) === true
      : held.read(own.number, own, name) !== undefined;
  };
  const proxyOf = (number, own, prototype) => {
    Object.assign(own, { number, prototype });
    // The language compares errors only with errors.
    if (own.isError ?? prototype instanceof Error) own.set(Symbol.toStringTag, 'Error');
    const isList = extendsArray(prototype);
    const { frozen } = own;
    const target = targetFor(own, prototype, () => shownAs(proxy, own, prototype));
    const namesNow = () => {
      const names = held.keysOf(number, own, prototype);
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
        if (isList && key === 'length') return { value: held.read(number, own, name), writable: true };
        if (frozen) return namesNow() && Reflect.getOwnPropertyDescriptor(target, key);
        if (name === undefined) return undefined;
        const enumerable = namesNow().includes(name);
        if (!enumerable && !holdsUnlisted(own, name)) return undefined;
        const value = held.read(number, own, name);
        return { value, writable: true, enumerable, configurable: true };
      },
    });
    own.self = proxy;
    owns.set(proxy, own);
    return proxy;
  };

  return {
    proxyOf,
    /** A new stand-in for an object, as the artifact describes it. */
    objectOf(desc) {
      const prototype = link.incoming.prototypeOf(desc.class);
      const own = new Map([['constructor', link.incoming.constructorFrom(desc, prototype?.constructor)]]);
      // `Error.prototype` is no error itself, and an object that only inherits from it is none.
      own.isError = namesOfGlobals.has(classWith(prototype))
        ? desc.error === true
        : prototype instanceof Error;
      own.unlisted = unlistedOfErrors.filter((name) => own.isError && [desc.unlisted].flat().includes(name));
      const isOwn = classes.isActing(prototype);
      // What says that it makes objects need not export their class.
      const { makes, isPart, isTrusted } = link.answering;
      own.answering = isOwn || sites.isGuided || !(makes || isPart || isTrusted) ? null : link.answering;
      if (link.answering.isIterator) own.isIterator = true;
      // The reference may have answered one of another style there: each function is that of the place at which the test uses it.
      own.origin = methods.originOf(prototype);
      own.isActor = sites.actsHere() || link.isWithinActor;
      own.isLikeReference = own.isActor && !isOwn;
      const isNamed = isTrusted === true && sites.isGuided;
      own.acting = isOwn || isNamed || own.isLikeReference || own.answering !== null;
      if (isNamed) own.isLikeReference = false;
      own.made = own.acting && makes === true;
      if (extendsArray(prototype)) own.methods = new Set(desc.methods?.map(String));
      else if (!own.acting && Array.isArray(desc.methods)) own.overridden = new Set(desc.methods.map(String));
      else if (Array.isArray(desc.frozen) && !hasContent(prototype)) own.frozen = desc.frozen.map(String);
      own.isOfTest = link.outgoing.isPrototype(prototype);
      if (own.acting && (isNamed || classes.isTrustedClass(prototype))) classes.trust(desc.id);
      if (!own.acting && !namesOfGlobals.has(classWith(prototype)))
        methods.noteInert(`an object of ${classWith(prototype)?.name || 'a class'}`, own.origin);
      link.expected.noteObject(desc.id, prototype, own);
      return proxyOf(() => desc.id, own, prototype);
    },
    /** Another stand-in for the same object. */
    twinOf(part) {
      const own = owns.get(part);
      const twin = proxyOf(own.number, Object.assign(new Map(own), own), own.prototype);
      handles.set(twin, handles.get(part));
      return twin;
    },
    /** The number of an object; undefined for what is no stand-in of one. */
    numberOf: (part) => owns.get(part)?.number?.(),
    /** True for the stand-in of an object, and not of a function, an iterator or a promise. */
    isObject: (part) => owns.has(part),
    /** True for the stand-in of an object of which nothing but properties is asked for. */
    isInert: (part) => owns.get(part)?.acting === false,
    /** True for an object that acts where the reference's did, and not wherever it is. */
    mayAct: (part, id) => owns.get(part)?.acting === true && !classes.isTrusted(id),
    /**
     * True at a place at which the reference answered no object: in the place of a text it could say yes to everything. Notes the place with the
     * reference, where an artifact may answer another object.
     */
    isUnexpected(prototype) {
      const isLikeReference = sites.actsHere() || link.isWithinActor;
      return sites.place('object') !== null && !classes.isActing(prototype) && !isLikeReference;
    },
    /** Notes that the test made an object with `new`: it is no answer. */
    noteNew(part) {
      const own = owns.get(part);
      if (own?.acting) own.isNew = true;
    },
    /** What a value is, in a few words. */
    kindOf(value) {
      if (value === undefined || value === null) return String(value);
      if (typeof value === 'boolean') return 'true or false';
      if (typeof value !== 'object') return `a ${typeof value}`;
      if (owns.has(value)) return `an object of ${classWith(owns.get(value).prototype)?.name || 'a class'}`;
      if (link.live.known(value) !== undefined) return 'a plain object with functions or getters';
      const prototype = Object.getPrototypeOf(value);
      if (Array.isArray(value)) return 'an array';
      if (prototype === Object.prototype || prototype === null) return 'a plain object';
      return `a ${classWith(prototype)?.name || 'value'}`;
    },
  };
}
