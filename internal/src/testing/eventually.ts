/** Time after which {@link eventually} gives up, ms: long, because a busy machine must not fail a test. */
const hangLimitMs = 500_000;

/** Calls `check` until it no longer throws, and returns its result. Throws the last error of `check`. */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const giveUpAt = performance.now() + hangLimitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Waits until `isTrue` returns true. Throws after the time limit, with its source in the message. */
export async function until(isTrue: () => boolean): Promise<void> {
  await eventually(() => {
    if (!isTrue()) throw new Error(`Never became true: ${isTrue}`);
  });
}
