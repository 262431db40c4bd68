/* How a promise has ended already, without letting anything go on: no microtask of the program runs. */
import { createContext, runInContext, Script } from 'node:vm';

const { then } = Promise.prototype;
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
    context.wait = () => Reflect.apply(then, part, reactionsFor(note));
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
