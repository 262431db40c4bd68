import { describe, expect, it } from 'vitest';
import { createFairSemaphore } from '../src/client/fair-semaphore.ts';

const { signal } = new AbortController();

/** Starts tasks that end when they are told to; `started` lists their names in order. */
function tasks(permits: number) {
  const semaphore = createFairSemaphore(permits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (key: string, name: string, on = signal) =>
    semaphore.run(
      key,
      () =>
        new Promise<void>((resolve) => {
          started.push(name);
          ends.set(name, resolve);
        }),
      on,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { add, end, started };
}

describe('permits that keys share', () => {
  it('go to the first task of each key before the second of any (JOB-22)', async () => {
    const { add, end, started } = tasks(2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
    void add('b', 'b1');
    void add('c', 'c1');
    await end('');
    expect(started).toEqual(['a1', 'a2']);
    await end('a1');
    expect(started.at(-1)).toBe('b1');
    await end('a2');
    expect(started.at(-1)).toBe('c1');
    await end('b1');
    await end('c1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('are not taken by a task that was aborted while it waited (JOB-22)', async () => {
    const { add, end, started } = tasks(1);
    void add('a', 'a1');
    const abort = new AbortController();
    const waiting = add('b', 'b1', abort.signal);
    void add('c', 'c1');
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(add('d', 'd1', abort.signal)).rejects.toThrow('enough');
    await end('a1');
    expect(started).toEqual(['a1', 'c1']);
  });
});
