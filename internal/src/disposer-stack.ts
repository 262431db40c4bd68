/**
 * A stack of disposers that run in reverse order: the part of `AsyncDisposableStack` that is used here, since Node has that
 * only from version 24 on.
 */
export interface DisposerStack extends AsyncDisposable {
  /** Adds a resource and returns it. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource;
  /** Adds a value with its disposer, and returns the value. */
  adopt<Value>(value: Value, dispose: (value: Value) => unknown): Value;
  /** Adds a function to call. */
  defer(dispose: () => unknown): void;
  /** Returns a stack with everything of this one, which is empty afterwards. */
  move(): DisposerStack;
  /** Disposes everything, also when one fails. @throws the first error */
  disposeAsync(): Promise<void>;
}

/** Creates an empty stack. */
export function createDisposerStack(initial: readonly (() => unknown)[] = []): DisposerStack {
  let disposers = [...initial];
  async function disposeAsync(): Promise<void> {
    const all = disposers.reverse();
    disposers = [];
    const errors: unknown[] = [];
    for (const dispose of all) {
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
  return {
    use(resource) {
      disposers.push(() => resource[Symbol.asyncDispose]());
      return resource;
    },
    adopt(value, dispose) {
      disposers.push(() => dispose(value));
      return value;
    },
    defer(dispose) {
      disposers.push(dispose);
    },
    move() {
      const moved = createDisposerStack(disposers);
      disposers = [];
      return moved;
    },
    disposeAsync,
    [Symbol.asyncDispose]: disposeAsync,
  };
}
