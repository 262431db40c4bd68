/* Functions and iterators of the test in the artifact's box: a call of one asks the test, and answers what it asks in the meantime. */
import { noteKind } from './function-kinds.mjs';
import { tooManyCalls } from './raised-errors.mjs';
import { hasRoom, Unplain } from './values.mjs';

const generators = Object.getPrototypeOf(function* () {}).prototype;
const asyncGenerators = Object.getPrototypeOf(async function* () {}).prototype;
/** What an iterator may have. */
const steps = ['next', 'return', 'throw'];

/** @param link the connection, as `objects.mjs` makes it */
export function createCallbacks(link) {
  const { numbers, received } = link;
  /** Functions, iterators and signals of the test, with their numbers. */
  const given = new WeakMap();
  const callbacks = new Map();
  const iterators = new Map();

  /** True for an object that both boxes know: what a function of the test is called on. */
  const isShared = (part) => {
    const { owned, ownNumbers } = link.owned;
    return (
      Object(part) === part &&
      !link.modules.isNamespace(part) &&
      (received.isOfTest(part) ||
        (typeof part === 'object' &&
          (numbers.known(part) !== undefined ||
            numbers.selfNumber(part) !== undefined ||
            owned.get(ownNumbers.get(part))?.part === part)))
    );
  };
  /** True for an object of ours that a function of the test is called on and uses. */
  const isTellable = (part) =>
    typeof part === 'object' &&
    part !== null &&
    part !== globalThis &&
    !Array.isArray(part) &&
    !link.modules.isNamespace(part);
  /**
   * What a function of the test is called on: the test's own object, whatever class the artifact has derived from its class. An object of a class of
   * the test that extends such a class (`class Dog extends emitting(Animal)`) is that object, with the methods of both.
   */
  const tellSelf = (part) =>
    received.localNumber(part) === undefined || received.isMixed(part)
      ? link.encoding.encode(part)
      : { $local: received.localNumber(part) };

  /** Asks a function of the test. Blocks until it has answered; what it asks in the meantime is answered. */
  const callBack = (number, args, local, self, usesThis = false, encode = link.encoding.encode) => {
    if (link.depth() === 0) throw new Error('Nobody is calling: a call-back has nobody to go to');
    if (!hasRoom(link.depth())) throw new Unplain(tooManyCalls);
    const more = { ...(local === undefined ? {} : { local }), ...link.contexts.leave() };
    if (isShared(self)) more.self = tellSelf(self);
    else if (usesThis && isTellable(self))
      try {
        more.self = link.encoding.encode(self);
      } catch {
        // It is called on something that cannot cross.
      }
    const told = args.map((arg) => encode(arg));
    const lent = told.map((value, index) => link.lent.lending(args[index], { value }).lent ?? null);
    if (lent.some((each) => each !== null)) more.lent = lent;
    link.send(link.changes.addTo({ callback: number, args: told, kwargs: [], ...more }));
    for (;;) {
      const request = link.receive();
      link.changes.arriveFromCall(request);
      for (const [index, told] of request.args ?? []) link.decoding.update(args[index], told);
      if ('throws' in request) throw link.decoding.decode(request.throws);
      if ('returns' in request)
        return link.promises.inAnswer(request.returns, () => link.decoding.decode(request.returns));
      link.send(
        link.changes.addTo(
          link.guarded(() => {
            link.changes.begin(request.op);
            return link.questions.perform(request.op);
          }),
        ),
      );
    }
  };

  const makeCallback = (number, [length, name, usesThis, isAsync]) => {
    // A method, as this can be called on an object and makes none.
    const { callback } = {
      callback(...args) {
        // It may change what it is given, or what it is called on, after it has returned.
        if (isAsync) for (const arg of args) if (!Array.isArray(arg)) link.live.share(arg);
        if (usesThis) link.live.share(this);
        return callBack(number, args, undefined, this, usesThis);
      },
    };
    Object.defineProperties(callback, { length: { value: length }, name: { value: name } });
    return callback;
  };
  const enterIterator = ([number, names], prototype) => {
    if (!iterators.has(number)) {
      const made = Object.create(prototype);
      // What it lacks it does not inherit either.
      for (const name of steps) {
        const value = names.includes(name)
          ? (...args) => callBack(-1, args, [number, 'step', name])
          : undefined;
        Object.defineProperty(made, name, { value, writable: true, configurable: true });
      }
      given.set(made, number);
      iterators.set(number, made);
    }
    return iterators.get(number);
  };

  return {
    callBack,
    /** The number of a function, an iterator or a signal of the test; undefined for any other part. */
    numberOf: (part) => given.get(part),
    /** A function of the test that is told why a promise was rejected, as of an error that is thrown. */
    rejecting(part) {
      const number = given.get(part);
      if (typeof part !== 'function' || number === undefined) return part;
      const encode = (error) => ({ $raised: link.errors.raised(error).raised });
      return (...args) => callBack(number, args, undefined, undefined, false, encode);
    },
    /** A function of the test: the same each time, so that the artifact finds it again. */
    enter([number, length, name, usesThis, isAsync, kind, held = [], isFrozen = false]) {
      if (!callbacks.has(number)) {
        const callback = makeCallback(number, [length, name, usesThis, isAsync]);
        noteKind(callback, kind);
        given.set(callback, number);
        callbacks.set(number, callback);
      }
      const callback = callbacks.get(number);
      const entries = held.map(([key, value]) => [key, link.decoding.decode(value)]);
      link.functionProperties.arrive(number, callback, entries, isFrozen);
      return callback;
    },
    /** An iterator of the test, of which each step is the test's, with what it is sent. */
    enterIterator: (told) => enterIterator(told, generators),
    enterAsyncIterator: (told) => enterIterator(told, asyncGenerators),
    enterSignal(number) {
      const signal = link.signals.arrive(number);
      given.set(signal, number);
      return signal;
    },
  };
}
