/* Stand-ins for the artifact's functions, methods and iterators: they forward calls. */
import { makingFrom } from './claims.mjs';
import { noteKind, targetOfKind } from './function-kinds.mjs';
import { handles } from './handles.mjs';
import { isIterating } from './method-names.mjs';

/** Methods that every function has: they call the stand-in. */
const methodsOfFunctions = ['apply', 'bind', 'call'].map((name) => [name, Function.prototype[name]]);
const asyncIterators = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param known the artifact's `classes`, its functions by the names of `exports`, its `methods` that are believed, and the `traps` of stand-ins,
 * with the `listing` of what they hold
 */
export function createFunctionStandIns(link, { classes, exports, methods, traps, listing }) {
  const { call, sites } = link;
  /** Methods that have arrived, by the numbers of their functions, with their names on objects. */
  const arrived = new Map();
  /** Functions by which plain objects are iterated over, with whether each is a step of an iterator. */
  const iterating = new WeakMap();

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
  /** What is known of the answer of a method: what a loop is given to step through is an iterator, whatever else it has. */
  const ofMethod = (id, name) => {
    if (classes.isClassNumber(id)) return { makes: true, isShown: true };
    const known = { isPart: true, named: name };
    if (classes.isTrustedName(name)) known.isTrusted = true;
    return isIterating.has(name) ? { ...known, isIterator: true } : known;
  };
  const callMethod = (id, name, args, how = {}) =>
    call({ do: 'method', of: id, name, ...how }, args, ofMethod(id, name));

  /** Gives a stand-in what every function has, and what is known of where it has arrived. */
  const asFunction = (own) => {
    for (const [name, method] of methodsOfFunctions) own.set(name, method);
    own.answering = link.answering;
    own.believed = link.answering.decorates || link.answering.makes;
    own.isActor = sites.actsHere() || link.isWithinActor;
    own.origin = methods.originOf();
  };
  /** Calls the function of a stand-in. */
  const callFunction = (desc, proxy, self, args) => {
    const answering = link.live.known(self);
    if (answering !== undefined && !iterating.has(proxy) && methods.isDoubted(answering))
      methods.refusing(String(desc.name))();
    if (link.live.use(self) === undefined) link.live.noteCall(proxy);
    return call({ do: 'call', of: desc.id, ...receiverOf(self, proxy) }, args, {
      ...link.live.answering(self),
      ...exports.knownOf(proxy),
      ...(iterating.get(proxy) === false ? { isIterator: true } : {}),
    });
  };

  return {
    callMethod,
    asFunction,
    callFunction,
    /** Notes a function by which a plain object is iterated over: it answers an iterator, or is a step of one. */
    noteIterating: (called, isStep) => void iterating.set(called, isStep),
    /** A new stand-in for a function, as the artifact describes it. */
    functionOf(desc) {
      const own = new Map([['name', String(desc.name)]]);
      asFunction(own);
      own.number = () => desc.id;
      const making = makingFrom(desc.making ?? null);
      const number = () => desc.id;
      const shared = traps(number, own);
      const proxy = new Proxy(targetOfKind(desc.is), {
        ...shared,
        ...listing(number, own, shared.get),
        apply: (_target, self, args) => callFunction(desc, proxy, self, args),
        // A class may be bound.
        construct(_target, args) {
          link.outgoing.noteGiven(args);
          return link.expected.construct(desc, making, null, args);
        },
      });
      own.self = proxy;
      noteKind(proxy, desc.is);
      return proxy;
    },
    /**
     * A method of an object: the same function on every object that has it. What it is called on is sent, as one that is called without its object
     * works only where its class has bound it.
     */
    methodOf(id, name, number, kind) {
      if (typeof id !== 'number' || typeof number !== 'number') throw new TypeError('a method of nothing');
      const known = arrived.get(number);
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
      noteKind(method, kind);
      handles.set(method, { $method: [id, name, number] });
      arrived.set(number, { method, names });
      return method;
    },
    /** A generator or another iterator: only ever asked for the next value. */
    iteratorOf(desc, key) {
      if (sites.isLearning) sites.actsHere();
      const step = (name) => (value) =>
        call({ do: 'method', of: desc.id, name }, value === undefined ? [] : [value]);
      const isAsync = key === Symbol.asyncIterator;
      const iterator = Object.create(isAsync ? asyncIterators : Iterator.prototype);
      const lacks = new Set(desc.lacks);
      const optional = ['return', 'throw'].filter((name) => !lacks.has(name));
      return Object.assign(iterator, {
        ...{ next: step('next'), ...Object.fromEntries(optional.map((name) => [name, step(name)])) },
        [key]() {
          if (sites.isLearning) sites.actsHere();
          return iterator;
        },
      });
    },
  };
}
