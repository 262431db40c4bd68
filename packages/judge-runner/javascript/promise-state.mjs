/* How a promise has ended already, without letting anything go on: no microtask of the program runs. */
import { createContext, runInContext, Script } from 'node:vm';

const { then } = Promise.prototype;
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** Waits for what a promise itself ends with, and lets neither its class nor an own `then()` have a say: of what is made in waiting, the class is Promise. */
export function waitFor(part, ...reactions) {
  const known = getOwnPropertyDescriptor(part, 'constructor');
  if (known === undefined && getPrototypeOf(part) === Promise.prototype) {
    Reflect.apply(then, part, reactions);
    return;
  }
  const shape = { value: Promise, writable: true, enumerable: known?.enumerable === true };
  const isReplaced = defineProperty(part, 'constructor', { ...shape, configurable: true });
  try {
    Reflect.apply(then, part, reactions);
  } finally {
    if (isReplaced && known === undefined) deleteProperty(part, 'constructor');
    else if (isReplaced) defineProperty(part, 'constructor', known);
  }
}

/** Runs what may wait for a promise, and answers what that does; calls `note` where the language is asked to wait for it, which looks for its class. */
export function noteWaiting(part, note, work) {
  const known = getOwnPropertyDescriptor(part, 'constructor');
  const kind = part.constructor;
  const get = () => {
    note();
    return kind;
  };
  const shape = { get, enumerable: known?.enumerable === true, configurable: true };
  const isReplaced = kind !== Promise && defineProperty(part, 'constructor', shape);
  try {
    return work();
  } finally {
    if (isReplaced && known === undefined) deleteProperty(part, 'constructor');
    else if (isReplaced) defineProperty(part, 'constructor', known);
  }
}

/** Runs what waits for a promise with a queue of microtasks of its own, which is emptied at once. */
let waiting = null;

function createWaiting() {
  const context = createContext({}, { microtaskMode: 'afterEvaluate' });
  // A reaction has the queue of the context in which its function was made.
  const reactionsFor = runInContext(
    '(note) => [(value) => note(true, value), (reason) => note(false, reason)]',
    context,
  );
  const script = new Script('wait()');
  return (part, note) => {
    context.wait = () => waitFor(part, ...reactionsFor(note));
    script.runInContext(context);
    context.wait = undefined;
  };
}

/** Returns how a promise has ended, as `{ isFulfilled, value }`, where `value` is the reason of one that was rejected; null while it is pending. */
export function endOf(part) {
  waiting ??= createWaiting();
  let found = null;
  waiting(part, (isFulfilled, value) => {
    found = { isFulfilled, value };
  });
  return found;
}
