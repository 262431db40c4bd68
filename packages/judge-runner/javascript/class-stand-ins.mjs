/* Stand-ins for the artifact's classes: a test makes their objects, extends them, and puts others in the place of their methods. */
import { makingFrom, unasked } from './claims.mjs';
import { handles } from './handles.mjs';
import { extendsArray, keyOfName, nameOfKey } from './values.mjs';

const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param known the artifact's `classes`, the stand-ins of its `objects`, `functions` and `promises`, and the `traps` of stand-ins,
 * with the `listing` of what they hold
 */
export function createClassStandIns(link, { classes, objects, functions, promises, traps, listing }) {
  const { ask, call, refuse } = link;
  const asksInstances = link.texts.some((text) => /\bhasInstance\b/.test(text));
  /** Classes that a class of the test extends. */
  const equipped = new Set();
  /** Classes whose methods the suite may put others in the place of. */
  const watched = new Set();
  /** Numbers of classes by their prototypes, from which objects of the test may inherit, and methods that these have. */
  const bases = new Map();
  const methodsOfBases = new WeakSet();
  const inheritsOlder = link.texts.some((text) => /\bprototype\b|\binherits\b|\bsetPrototypeOf\b/.test(text));
  /** The number of the class from which an object of the test inherits; undefined for any other. */
  const baseOf = (part) => {
    if (bases.size === 0 || typeof part !== 'object' || part === null || handles.has(part)) return undefined;
    for (let each = Object.getPrototypeOf(part); each !== null; each = Object.getPrototypeOf(each))
      if (bases.has(each)) return bases.get(each);
    return undefined;
  };
  /** Classes of which the prototype has what their objects compute. */
  const accessible = new Set();

  /** What a method of a class is called on: an object of the artifact, or one of the test, which may inherit from such a class or only borrow the method. */
  const receiverOn = (part, desc) => {
    const of =
      baseOf(part) === undefined ? (objects.numberOf(part) ?? handles.get(part)?.$handle) : undefined;
    return typeof of === 'number' ? { of } : { of: desc.id, local: link.outgoing.leave(part) };
  };
  /** Gives the prototypes of a class and its bases the methods that a class of the test calls by `super`. */
  const giveMethods = (desc, prototype) => {
    if (typeof desc?.id !== 'number' || equipped.has(desc.id)) return;
    equipped.add(desc.id);
    for (const name of ask({ do: 'methods', of: desc.id }).value.map(String))
      if (!Object.hasOwn(prototype, keyOfName(name)) && !unasked.has(name)) {
        const { value } = {
          value(...args) {
            const on = receiverOn(this, desc);
            return call({ do: 'base', ...on, class: desc.id, name }, args, { isPart: true });
          },
        };
        methodsOfBases.add(value);
        Object.defineProperty(prototype, keyOfName(name), { value, writable: true, configurable: true });
      }
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
          const on = receiverOn(this, desc);
          const op = { do: 'base', ...on, class: desc.id, name: String(name), part };
          return call(op, args, { isPart: true });
        };
      const shape = { get: isRead ? partOf('get') : undefined, set: isSet ? partOf('set') : undefined };
      Object.defineProperty(prototype, key, { ...shape, configurable: true });
    }
    giveAccessors(desc.base, Object.getPrototypeOf(prototype));
  };
  /** How a class answers `instanceof`: by a function of its own, where the suite names such functions, or the reference's did so in this test. */
  const instancesOf = (desc) =>
    function (value) {
      const usual = Reflect.apply(isInstance, this, [value]);
      if (desc.instances !== true || handles.get(this)?.$handle !== desc.id) return usual;
      const found = Boolean(
        call({ do: 'method', of: desc.id, name: nameOfKey(Symbol.hasInstance) }, [value]),
      );
      const name = String(desc.name).slice(0, 200);
      if (found === usual || asksInstances || link.sites.allowsInTest(`instances of ${name}`)) return found;
      throw refuse(
        `answered by a function of its own what is a ${name}, which nothing vouches for; add a reference`,
      );
    };
  const isMethod = (value) => typeof value === 'function' && handles.get(value)?.$method !== undefined;

  return {
    baseOf,
    /** True for a class of the older kind from which an object of the test inherits: the test calls it on that object. */
    isBaseOf: (called, part) =>
      baseOf(part) !== undefined &&
      classes.isClass(called) &&
      bases.has(called.prototype) &&
      Object.prototype.isPrototypeOf.call(called.prototype, part),
    /** True for a method of such a class as the test sees it. */
    isMethodOfBase: (part) => methodsOfBases.has(part),
    /** Gives the prototype of a class its methods, where the suite may inherit from it or put others in their place. */
    equip(desc, prototype) {
      if (prototype instanceof Promise && Array.isArray(desc.methods)) promises.equip(desc, prototype);
      // A list that nothing vouches for is an array here, whose class is not asked.
      if (inheritsOlder && !(prototype instanceof Error) && !extendsArray(prototype)) {
        bases.set(prototype, desc.id);
        giveMethods(desc, prototype);
        giveAccessors(desc, prototype);
      }
      if (!link.surroundings.replacesMethods || watched.has(desc.id)) return;
      watched.add(desc.id);
      giveMethods(desc, prototype);
      giveAccessors(desc, prototype);
      link.surroundings.watchClass(desc.id, prototype);
    },
    /** A new stand-in for a class, as the artifact describes it. */
    classOf(desc, prototype) {
      const own = new Map([
        ['prototype', prototype],
        ['name', String(desc.name)],
        [Symbol.hasInstance, instancesOf(desc)],
      ]);
      own.number = () => desc.id;
      // One of the older kind may be called as well.
      const isFunction = desc.older === true;
      if (isFunction) functions.asFunction(own);
      const making = makingFrom(desc.making ?? null);
      const shared = traps(() => desc.id, own);
      const listed = listing(own.number, own, shared.get);
      const proxy = new Proxy(function Remote() {}, {
        ...shared,
        ...listed,
        get(target, key, receiver) {
          // The language asks a list for it, whose parts are compared here.
          if (key === Symbol.species && extendsArray(prototype)) return undefined;
          if (key === Symbol.species && prototype instanceof Promise) return promises.derivedOf(prototype);
          const value = shared.get(target, key);
          const as =
            receiver === proxy || typeof value !== 'function' ? null : link.outgoing.leaveClass(receiver);
          if (as === null || !isMethod(value)) return value;
          // Called on a class of the test that extends it.
          return (...args) =>
            call({ do: 'static', of: desc.id, name: nameOfKey(key), as }, args, {
              makes: true,
              isShown: true,
            });
        },
        // What the test puts another in the place of.
        getOwnPropertyDescriptor(target, key) {
          const found = listed.getOwnPropertyDescriptor(target, key);
          if (found !== undefined || !link.surroundings.replacesMethods) return found;
          const value = shared.get(target, key);
          return isMethod(value)
            ? { value, writable: true, enumerable: false, configurable: true }
            : undefined;
        },
        apply: (_target, self, args) =>
          isFunction
            ? functions.callFunction(desc, proxy, self, args)
            : call({ do: 'call', of: desc.id }, args),
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
      classes.note(proxy, desc);
      return proxy;
    },
  };
}
