import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, expect, it, vi } from 'vitest';
import { captureAsyncContext, createAsyncContext } from '../src/async-context.ts';

afterEach(() => void vi.unstubAllGlobals());

it('NET-7 a value follows its flow, through run, enter and a captured context', async () => {
  const context = createAsyncContext<string>();
  const outside = captureAsyncContext();
  const seen = await context.run('a', async () => {
    await Promise.resolve();
    return [context.get(), outside(() => context.get()), context.run('b', () => context.get())];
  });
  expect(seen).toEqual(['a', undefined, 'b']);
  await (async () => {
    expect(context.enter('c')).toBe(true);
    expect(context.get()).toBe('c');
  })();
});

it('NET-7 where enterWith throws, as in Workers, enter says so and run still works', () => {
  class Workers {
    readonly #storage = new AsyncLocalStorage<unknown>();
    getStore() {
      return this.#storage.getStore();
    }
    run<Result>(value: unknown, task: () => Result): Result {
      return this.#storage.run(value, task);
    }
    enterWith(): never {
      throw new Error('not implemented');
    }
  }
  vi.stubGlobal('AsyncLocalStorage', Workers);
  const context = createAsyncContext<string>();
  expect(context.enter('a')).toBe(false);
  expect(context.get()).toBeUndefined();
  expect(context.run('b', () => context.get())).toBe('b');
});

it('NET-7 without Node.js nothing follows and nothing fails', () => {
  vi.stubGlobal('process', undefined);
  const context = createAsyncContext<string>();
  const outside = captureAsyncContext();
  const seen = [context.enter('a'), context.get(), context.run('b', () => 1), outside(() => 2)];
  vi.unstubAllGlobals();
  expect(seen).toEqual([false, undefined, 1, 2]);
});
