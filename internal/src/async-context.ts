import { nodeBuiltin } from './node-builtin.ts';

type Storage = import('node:async_hooks').AsyncLocalStorage<unknown>;
type StorageClass = typeof import('node:async_hooks').AsyncLocalStorage;

/** A value that follows an asynchronous flow. In a runtime without `AsyncLocalStorage` nothing follows. */
export interface AsyncContext<Value> {
  /** Returns the value of the current flow, or undefined. */
  get(): Value | undefined;
  /** Runs `task` and everything that it starts with `value`. */
  run<Result>(value: Value, task: () => Result): Result;
  /**
   * Sets the value for the rest of the current flow. Returns false, and does nothing, where the runtime cannot do that:
   * Cloudflare Workers and browsers.
   */
  enter(value: Value): boolean;
}

/** Some edge runtimes have the class as a global and no `node:async_hooks`. */
function storageClass(): StorageClass | undefined {
  const global = (globalThis as { readonly AsyncLocalStorage?: StorageClass }).AsyncLocalStorage;
  return global ?? nodeBuiltin<typeof import('node:async_hooks')>('node:async_hooks')?.AsyncLocalStorage;
}

/** Creates a context over `AsyncLocalStorage`, where the runtime supports it. */
export function createAsyncContext<Value>(): AsyncContext<Value> {
  const Class = storageClass();
  const storage: Storage | null = Class === undefined ? null : new Class();
  return {
    get: () => storage?.getStore() as Value | undefined,
    run: (value, task) => (storage === null ? task() : storage.run(value, task)),
    enter(value) {
      try {
        storage?.enterWith(value);
      } catch {
        return false; // Workers have the method, and it throws.
      }
      return storage !== null;
    },
  };
}

/** Returns a function that runs tasks in the contexts that are current now, wherever it is called later. */
export function captureAsyncContext(): <Result>(task: () => Result) => Result {
  return storageClass()?.snapshot() ?? ((task) => task());
}
