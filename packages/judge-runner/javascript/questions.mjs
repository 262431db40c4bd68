/* Answers the questions of a test about the artifact's objects: what they hold, and what their calls answer. */
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { createChangedArguments } from './changed-arguments.mjs';
import { accessorsOf, isOlderClass, methodsOf } from './class-descriptions.mjs';
import { primitiveOf } from './described.mjs';
import { kindOfFunction } from './function-kinds.mjs';
import { itemsOf } from './object-descriptions.mjs';
import { contentName, contentOf, isClass, keyOfName } from './values.mjs';

const require = createRequire(import.meta.url);
/** Calls of methods of an object. */
const ofObjects = new Set(['method', 'base']);

/** True for a property that a function answers. */
const isComputed = (target, key) => {
  for (let each = target; each !== null; each = Object.getPrototypeOf(each)) {
    if (types.isProxy(each)) return true;
    const found = Reflect.getOwnPropertyDescriptor(each, key);
    if (found !== undefined) return found.get !== undefined;
  }
  return false;
};

/** @param link the connection, as `objects.mjs` makes it */
export function createQuestions(link) {
  const { numbers } = link;
  const { decode } = link.decoding;
  const { encode, encodeAnswer, encodeLive } = link.encoding;
  const { lending } = link.lent;
  const changedArguments = createChangedArguments(link);
  /** What moves our time with the test's, by the numbers of what moves that. */
  const movers = new Map();
  const timersOf = (number) => {
    if (!movers.has(number)) movers.set(number, new (require('node:test').mock.constructor)());
    return movers.get(number).timers;
  };

  /** What an object holds by name, and what it contains; null where that cannot be told. */
  const partsOf = (target) => {
    try {
      const held = Object.keys(target).map((key) => [key, encode(target[key])]);
      const content = contentOf(target);
      return content === undefined ? held : [...held, [contentName, encode(content)]];
    } catch {
      return null;
    }
  };
  /** True for a function that is only called, and not one that makes objects, or that has properties as an export has them. */
  const isMethod = (target, key, value) =>
    typeof value === 'function' &&
    !link.modules.isNamespace(target) &&
    !isClass(value) &&
    !(/^[A-Z]/.test(String(key)) && isOlderClass(value)) &&
    !(typeof target === 'function' && Object.keys(value).length > 0) &&
    link.callbacks.numberOf(value) === undefined;
  const get = (op, target, key) => {
    if (op.name === contentName) return { value: encode(contentOf(target)) };
    const computed = isComputed(target, key) ? { computed: true } : {};
    const value = target[key];
    if (isMethod(target, key, value)) {
      const is = kindOfFunction(value);
      const told = [op.of, op.name, numbers.numberOf(value)];
      return { value: { $method: is === undefined ? told : [...told, is] } };
    }
    return lending(value, { value: encodeAnswer(false, value), ...computed }, op.of);
  };
  /** Does what changes an object, and answers what that has changed besides. */
  const change = (op, told, act) => {
    const args = told.map(decode);
    const before = changedArguments.before(args);
    let failed = null;
    try {
      act(args);
    } catch (error) {
      failed = [error];
    }
    const tell = () => (failed === null ? { value: null } : link.errors.raised(failed[0]));
    return changedArguments.addTo(before, told, args, op.of, tell);
  };
  const define = (op, target, key) =>
    change(op, op.args, (args) => {
      const parts = Object.fromEntries(op.parts.map((name, index) => [name, args[index]]));
      Object.defineProperty(target, key, { ...op.flags, ...parts });
    });
  const convert = (op, target) => {
    // An object like one that the test has made, and not told of.
    const made =
      op.args &&
      Object.assign(
        Reflect.construct(target, op.args.map(decode)),
        Object.fromEntries(op.changed.map(([name, told]) => [name, decode(told)])),
      );
    return { value: encode(primitiveOf(made ?? target, op.name)) };
  };
  /** The object of the test on which a property is computed that it has got from ours. */
  const receiverOf = (op, target) => ('local' in op ? decode(op.local) : target);
  /** Answers of what is no call, by what is asked. */
  const answers = new Map(
    Object.entries({
      tick: () => ({ value: [] }),
      // The signals have arrived before, and what is to be watched.
      aborted: () => ({ value: null }),
      watch: () => ({ value: null }),
      read: (op) => ({ value: op.parts.map((number) => partsOf(numbers.partOf(number))) }),
      handled: (op) => ({
        value: op.parts.map((number) => link.promises.isHandled(Object(numbers.partOf(number)))),
      }),
      get,
      items: (_op, target) => ({ value: encode(itemsOf(target)) }),
      property(op, target, key) {
        const value = Reflect.get(target, key, receiverOf(op, target));
        return lending(value, { value: encodeAnswer(op.lazy === true, value) }, op.of);
      },
      live: (op, target) => ({ value: encodeLive(op.lazy === true, target) }),
      set: (op, target, key) =>
        change(op, [op.value], (args) => {
          if ('local' in op) Reflect.set(target, key, args[0], receiverOf(op, target));
          else [target[key]] = args;
        }),
      define,
      delete: (_op, target, key) => ({ value: Reflect.deleteProperty(target, key) }),
      has: (_op, target, key) => ({ value: key in target }),
      convert,
      inherits: (_op, target, key) => ({ value: key in target.prototype }),
      keys: (_op, target) => ({ value: Object.keys(target) }),
      methods: (_op, target) => ({ value: methodsOf(target) }),
      accessors: (_op, target) => ({ value: accessorsOf(target) }),
      timers(op) {
        timersOf(op.of)[op.name](...op.args.map(decode));
        return { value: null };
      },
    }),
  );

  const calledOn = (op) => {
    if ('local' in op) return decode(op.local);
    return 'on' in op ? numbers.selfOf(op.on) : numbers.partOf(op.self);
  };
  /** Functions of the test that wait for a promise of ours. */
  const reactions = (key, args) =>
    args.map((part, index) =>
      key === 'catch' || (key === 'then' && index > 0) ? link.callbacks.rejecting(part) : part,
    );
  const calls = {
    new: (op, target, _key, args) => Reflect.construct(target, args, 'as' in op ? decode(op.as) : target),
    base: (op, target, key, args) =>
      Reflect.apply(link.around.methodOf(op.class, key, op.part), receiverOf(op, target), args),
    static: (op, target, key, args) => Reflect.apply(target[key], decode(op.as), args),
    method(op, target, key, args) {
      if (op.ends === true) return link.promises.waiting(target, () => target[key](...reactions(key, args)));
      // A step of an iterator is taken by its name.
      if (!('function' in op)) return target[key](...args);
      const self = op.unbound === true ? calledOn(op) : target;
      return Reflect.apply(numbers.partOf(op.function), self, args);
    },
    call: (op, target, _key, args) => Reflect.apply(target, calledOn(op), args),
  };

  const performNow = (op) => {
    const target = numbers.partOf(op.of);
    const key = keyOfName(op.name);
    const answer = answers.get(op.do);
    if (answer !== undefined) return answer(op, target, key);
    const args = op.args.map(decode);
    const before = changedArguments.before(args);
    // Nothing else stands between two calls that are one within the other: the stack would end earlier.
    let value;
    let failed = null;
    try {
      value = calls[op.do](op, target, key, args);
    } catch (error) {
      failed = [error];
    }
    const owner = ofObjects.has(op.do) ? op.of : op.self;
    const tell = () =>
      failed === null
        ? lending(value, { value: link.promises.answer(op.lazy === true, value) }, owner)
        : link.errors.raised(failed[0]);
    return changedArguments.addTo(before, op.args, args, owner, tell);
  };

  return {
    /** Answers a question, in the asynchronous context in which the test has asked it. Without one, nothing stands between two calls. */
    perform(op) {
      if (op.context === undefined && !link.modules.usesContexts()) return performNow(op);
      return link.contexts.within(op.context, () =>
        link.modules.entersContexts()
          ? { ...performNow(op), ...link.contexts.leaveEntered() }
          : performNow(op),
      );
    },
  };
}
