import { describe, expect, it } from 'vitest';
import { createDisposerStack } from '../src/disposer-stack.ts';

describe('a stack of disposers', () => {
  it('disposes in reverse order, everything although one fails, and each once (X-8)', async () => {
    const done: string[] = [];
    const stack = createDisposerStack();
    stack.use({ [Symbol.asyncDispose]: async () => void done.push('used') });
    expect(stack.adopt(7, (value) => done.push(`adopted ${value}`))).toBe(7);
    stack.defer(() => {
      throw new Error('broken');
    });
    stack.defer(() => done.push('deferred'));
    await expect(stack.disposeAsync()).rejects.toThrow('broken');
    expect(done).toEqual(['deferred', 'adopted 7', 'used']);
    await stack.disposeAsync();
    expect(done).toHaveLength(3);
  });

  it('moves what it has to another one (X-8)', async () => {
    const done: string[] = [];
    const moved = await (async () => {
      await using stack = createDisposerStack();
      stack.defer(() => done.push('late'));
      return stack.move();
    })();
    expect(done).toEqual([]);
    await moved.disposeAsync();
    expect(done).toEqual(['late']);
  });
});
