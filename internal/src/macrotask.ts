/**
 * Runs `task` after events that are pending now, such as timers and messages of other connections. Returns a function that cancels
 * it. Browsers have no `setImmediate`, and delay nested timers by four milliseconds; a message channel does not.
 */
export function runSoon(task: () => void): () => void {
  if (typeof setImmediate === 'function') {
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  }
  let isCancelled = false;
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    if (!isCancelled) task();
  });
  port1.start();
  port2.postMessage(null);
  return () => {
    isCancelled = true;
  };
}

/** Lets the process end although a timer runs. Has no effect in browsers, where timers are numbers. */
export function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === 'object') timer.unref();
}
