import { describe, expect, it, type TestOptions } from 'vitest';
import type { DelegationEngine, WakeHandler } from '../engine.ts';

/** An engine for one test. */
export interface OpenedEngine {
  readonly engine: DelegationEngine;
  /** Opens another engine over the same wakes, as another process would. Omit it when only one process may work. */
  another?(): Promise<DelegationEngine> | DelegationEngine;
  close?(): Promise<void> | void;
}

/** Opens a new engine without wakes. Called once per test. */
export type OpenEngine = () => Promise<OpenedEngine> | OpenedEngine;

/** Records which ids were handled, and how many at the same time. */
function recorder(work: (id: string) => Promise<unknown> = async () => null) {
  const handled: string[] = [];
  const running = new Map<string, number>();
  const seen = { most: 0, mostPerId: 0 };
  const handler: WakeHandler = async (id) => {
    running.set(id, (running.get(id) ?? 0) + 1);
    seen.most = Math.max(
      seen.most,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    );
    seen.mostPerId = Math.max(seen.mostPerId, running.get(id) ?? 0);
    try {
      await work(id);
    } finally {
      running.set(id, (running.get(id) ?? 1) - 1);
      handled.push(id);
    }
    return null;
  };
  return { handled, handler, seen };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type EngineTest = (opened: OpenedEngine, skip: (reason: string) => never) => Promise<void>;

/** Time within which an engine has to do what a test waits for, ms. */
const hangLimitMs = 240_000;

/** Returns the conformance tests of engines by title. `limitMs` ends what hangs. */
export function delegationEngineTests(limitMs: number = hangLimitMs): Readonly<Record<string, EngineTest>> {
  const hangLimit = { timeout: limitMs, interval: 20 };
  return {
    'handles each id that was woken, before and after the work began': async ({ engine }) => {
      const { handled, handler } = recorder();
      await engine.wake('q', 'early');
      await using _work = await engine.work('q', { concurrency: 3 }, handler);
      await engine.wake('q', 'late');
      await expect.poll(() => [...handled].sort(), hangLimit).toEqual(['early', 'late']);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
    },

    'handles an id again that is woken while it is handled': async ({ engine }) => {
      let open = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const { handled, handler, seen } = recorder(() => gate);
      await using _work = await engine.work('q', { concurrency: 3 }, handler);
      await engine.wake('q', 'a');
      await expect.poll(() => seen.most, hangLimit).toBe(1);
      await engine.wake('q', 'a');
      open();
      await expect.poll(() => handled, hangLimit).toEqual(['a', 'a']);
      expect(seen.mostPerId).toBe(1);
    },

    'runs several ids at once, and one handler per id': async ({ engine }) => {
      const { handled, handler, seen } = recorder(() => pause(20));
      await using _work = await engine.work('q', { concurrency: 5 }, handler);
      for (let n = 0; n < 20; n += 1) await engine.wake('q', `id${n % 10}`);
      await expect.poll(() => new Set(handled).size, hangLimit).toBe(10);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
      expect(seen.mostPerId).toBe(1);
      expect(seen.most).toBeGreaterThan(1);
      expect(seen.most).toBeLessThanOrEqual(5);
    },

    'does not let an id that takes long hold up the others': async ({ engine }) => {
      let open = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const { handled, handler } = recorder((id) => (id === 'slow' ? gate : Promise.resolve()));
      await using _work = await engine.work('q', { concurrency: 2 }, handler);
      await engine.wake('q', 'slow');
      for (const id of ['a', 'b', 'c']) await engine.wake('q', id);
      await expect.poll(() => [...handled].sort(), hangLimit).toEqual(['a', 'b', 'c']);
      open();
      await expect.poll(() => handled.length, hangLimit).toBe(4);
    },

    'wakes at a time, and an earlier wake wins': async ({ engine }) => {
      const times: number[] = [];
      const { handled, handler } = recorder(async () => times.push(Date.now()));
      await using _work = await engine.work('q', { concurrency: 2 }, handler);
      await engine.wake('q', 'later', { at: new Date(Date.now() + 3_600_000) });
      // The last one of all dates.
      await engine.wake('q', 'much later', { at: new Date(8_640_000_000_000_000) });
      await engine.wake('q', 'a', { at: new Date(Date.now() + 3_600_000) });
      const at = Date.now() + 200;
      await engine.wake('q', 'a', { at: new Date(at) });
      await engine.wake('q', 'a', { at: new Date(Date.now() + 7_200_000) });
      await expect.poll(() => handled, hangLimit).toContain('a');
      expect(handled).toEqual(['a']);
      expect(times[0], 'a wake is not handled before its time').toBeGreaterThanOrEqual(at - 10);
    },

    'keeps a wake that comes while its handler runs and asks for a later time': async ({ engine }) => {
      const gate = Promise.withResolvers<void>();
      let calls = 0;
      await using _work = await engine.work('q', { concurrency: 1 }, async () => {
        calls += 1;
        if (calls > 1) return null;
        await gate.promise;
        return { again: new Date(Date.now() + 3_600_000) };
      });
      await engine.wake('q', 'a');
      await expect.poll(() => calls, hangLimit).toBe(1);
      await engine.wake('q', 'a');
      gate.resolve();
      await expect.poll(() => calls, hangLimit).toBe(2);
    },

    'handles urgent ids first': async ({ engine }) => {
      const gate = Promise.withResolvers<void>();
      const { handled, handler, seen } = recorder((id) =>
        id === 'first' ? gate.promise : Promise.resolve(),
      );
      await using _work = await engine.work('q', { concurrency: 1 }, handler);
      await engine.wake('q', 'first');
      await expect.poll(() => seen.most, hangLimit).toBe(1);
      await engine.wake('q', 'low');
      await engine.wake('q', 'high', { priority: 5 });
      gate.resolve();
      await expect.poll(() => handled, hangLimit).toEqual(['first', 'high', 'low']);
    },

    'takes every id for itself': async ({ engine }) => {
      const ids = [
        'a',
        'A',
        'a:b',
        'a b',
        "it's",
        '100 %',
        'é',
        'e\u0301',
        '日本 🙂',
        `long ${'x'.repeat(250)}`,
      ];
      const { handled, handler } = recorder();
      await using _work = await engine.work('q', { concurrency: 3 }, handler);
      for (const id of ids) await engine.wake('q', id);
      await expect.poll(() => [...handled].sort(), hangLimit).toEqual([...ids].sort());
    },

    'handles an id again at the time that its handler asks for, or at a wake before it': async ({
      engine,
    }) => {
      const times: number[] = [];
      await using _work = await engine.work('q', { concurrency: 1 }, async () => {
        times.push(Date.now());
        if (times.length === 1) return { again: new Date(Date.now() + 300) };
        return times.length === 2 ? { again: new Date(Date.now() + 3_600_000) } : null;
      });
      await engine.wake('q', 'a');
      await expect.poll(() => times.length, hangLimit).toBe(2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(290);
      await engine.wake('q', 'a');
      await expect.poll(() => times.length, hangLimit).toBe(3);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
    },

    'calls a handler again that throws, and shows why': async ({ engine }) => {
      const times: number[] = [];
      await using _work = await engine.work('q', { concurrency: 1 }, async () => {
        times.push(Date.now());
        if (times.length < 2) throw new Error('the cellar is flooded');
        return null;
      });
      await engine.wake('q', 'a');
      await expect.poll(() => times, hangLimit).toHaveLength(2);
      const [first = 0, second = 0] = times;
      expect(second - first, 'a handler that throws rests for at least 100 ms').toBeGreaterThanOrEqual(100);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
    },

    'shows an id whose handler fails, with the reason': async ({ engine }) => {
      await using _work = await engine.work('q', { concurrency: 1 }, async () => {
        throw new Error('the cellar is flooded');
      });
      await engine.wake('q', 'a');
      await expect
        .poll(() => engine.inspect({ queue: 'q' }), hangLimit)
        .toMatchObject([{ id: 'a', lastError: expect.stringContaining('the cellar is flooded') }]);
      const [wake] = await engine.inspect({ queue: 'q' });
      expect(wake?.failures).toBeGreaterThanOrEqual(1);
    },

    'repeats an id whose error quotes text that no database stores': async ({ engine }) => {
      let calls = 0;
      await using _work = await engine.work('q', { concurrency: 1 }, async () => {
        calls += 1;
        if (calls === 1) throw new Error('nul \0 and half \ud800');
        return null;
      });
      await engine.wake('q', 'a');
      await expect.poll(() => calls, hangLimit).toBe(2);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
    },

    'hands back what it did not finish when the work ends': async ({ engine, another }) => {
      const work = await engine.work('q', { concurrency: 1 }, async (_id, signal) => {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return null;
      });
      await engine.wake('q', 'a');
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toHaveLength(1);
      await work[Symbol.asyncDispose]();
      const { handled, handler } = recorder();
      const successor = (await another?.()) ?? engine;
      await using _work = await successor.work('q', { concurrency: 1 }, handler);
      await expect.poll(() => handled, hangLimit).toEqual(['a']);
    },

    'ends its work when the handlers have ended, and begins no other': async ({ engine }) => {
      let isRunning = false;
      const first: string[] = [];
      const work = await engine.work('q', { concurrency: 1 }, async (id, signal) => {
        first.push(id);
        isRunning = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await pause(20);
        isRunning = false;
        return null;
      });
      await engine.wake('q', 'a');
      await expect.poll(() => isRunning, hangLimit).toBe(true);
      await work[Symbol.asyncDispose]();
      expect(isRunning).toBe(false);
      await engine.wake('q', 'b');
      const { handled, handler } = recorder();
      await using _work = await engine.work('q', { concurrency: 1 }, handler);
      await expect.poll(() => handled, hangLimit).toContain('b');
      expect(first).toEqual(['a']);
    },

    'lists what waits, of one queue or of all, up to a limit': async ({ engine }) => {
      const at = new Date(Date.now() + 3_600_000);
      for (const id of ['a', 'b', 'c']) await engine.wake('q', id, { at, priority: 2 });
      await engine.wake('other', 'd', { at });
      const idsOf = async (query?: { readonly queue?: string; readonly limit?: number }) =>
        (await engine.inspect(query)).map(({ id }) => id).sort();
      expect(await idsOf({ queue: 'q' })).toEqual(['a', 'b', 'c']);
      expect(await idsOf()).toEqual(['a', 'b', 'c', 'd']);
      expect(await idsOf({ queue: 'q', limit: 2 })).toHaveLength(2);
      const [wake] = await engine.inspect({ queue: 'q', limit: 1 });
      expect(wake).toMatchObject({
        queue: 'q',
        dueAt: at.getTime(),
        priority: 2,
        failures: 0,
        lastError: '',
      });
    },

    'shares the ids of a queue among processes, each handled by one': async ({ engine, another }, skip) => {
      if (another === undefined) return skip('one process only');
      const { handled, handler, seen } = recorder(() => pause(10));
      const second = await another();
      await using _one = await engine.work('q', { concurrency: 4 }, handler);
      await using _two = await second.work('q', { concurrency: 4 }, handler);
      await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? engine : second).wake('q', `id${n}`)));
      await expect.poll(() => new Set(handled).size, hangLimit).toBe(40);
      await expect.poll(() => engine.inspect({ queue: 'q' }), hangLimit).toEqual([]);
      expect(handled).toHaveLength(40);
      expect(seen.mostPerId).toBe(1);
    },

    'keeps queues apart': async ({ engine }) => {
      const { handled, handler } = recorder();
      await using _work = await engine.work('q', { concurrency: 1 }, handler);
      await engine.wake('other', 'x');
      await engine.wake('q', 'a');
      await expect.poll(() => handled, hangLimit).toEqual(['a']);
      expect(await engine.inspect({ queue: 'other' })).toMatchObject([{ queue: 'other', id: 'x' }]);
    },
  };
}

/**
 * Defines the conformance suite of engines. `open` returns an engine without wakes for each test.
 *
 * ```ts
 * testDelegationEngine('my engine', () => ({ engine: createMyEngine() }));
 * ```
 */
export function testDelegationEngine(name: string, open: OpenEngine, options: TestOptions = {}): void {
  describe(`delegation engine: ${name}`, () => {
    for (const [title, test] of Object.entries(delegationEngineTests()))
      it(title, options, async ({ skip }) => {
        const opened = await open();
        try {
          await test(opened, skip);
        } finally {
          await opened.close?.();
        }
      });
  });
}
