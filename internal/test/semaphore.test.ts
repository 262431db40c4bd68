import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../src/index.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('createSemaphore', () => {
  it('X-15 runs at most `permits` tasks at once, in the order in which they asked', async () => {
    const semaphore = createSemaphore(2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((id) =>
      semaphore.run(() => {
        started.push(id);
        return new Promise<number>((resolve) => finish.push(() => resolve(id)));
      }),
    );
    await settled();
    expect(started).toEqual([0, 1]);
    finish[0]?.();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    finish[1]?.();
    await settled();
    for (const each of finish.slice(2)) each();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('X-8 a waiting task leaves the queue when its signal aborts, and a permit is released once', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const controller = new AbortController();
    const aborted = semaphore.acquire(controller.signal);
    const next = semaphore.acquire();
    controller.abort(new Error('no longer needed'));
    await expect(aborted).rejects.toThrow('no longer needed');
    release();
    release();
    const last = semaphore.acquire(AbortSignal.timeout(60_000));
    (await next)();
    (await last)();
    await expect(semaphore.acquire(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });

  it('X-15 releases the permit of a task that fails', async () => {
    const semaphore = createSemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(semaphore.run(async () => 'next')).resolves.toBe('next');
  });
});
