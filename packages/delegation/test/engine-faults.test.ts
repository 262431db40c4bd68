import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DelegationEngine, WakeHandler } from '../src/index.ts';
import { delegationEngineTests, testDelegationEngine } from '../src/testing/engine.ts';
import { createTimerEngine } from './support/timer-engine.ts';

testDelegationEngine('of the guide', () => ({ engine: createTimerEngine() }));

it('is what the guide prints (DLG-8)', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../../../docs/guides/delegation-engine.md')).toContain(
    `\`\`\`ts\n${read('support/timer-engine.ts')}\`\`\``,
  );
});

/** Changes what the handler of an engine does. */
const withHandler = (engine: DelegationEngine, change: (handler: WakeHandler) => WakeHandler) => ({
  work: (queue: string, options: { readonly concurrency: number }, handler: WakeHandler) =>
    engine.work(queue, options, change(handler)),
});

/** Returns an engine that knows which ids are being handled. */
function watched(engine: DelegationEngine, onWake: (isRunning: boolean, id: string) => boolean) {
  const running = new Set<string>();
  return {
    wake: async (...[queue, id, options]: Parameters<DelegationEngine['wake']>) => {
      if (onWake(running.has(id), id)) await engine.wake(queue, id, options);
    },
    ...withHandler(engine, (handler) => async (id, signal) => {
      running.add(id);
      try {
        return await handler(id, signal);
      } finally {
        running.delete(id);
      }
    }),
  };
}

type Fault = (engine: DelegationEngine) => Partial<DelegationEngine>;

/** One fault each, with the test that has to catch it. */
const faults: Readonly<Record<string, readonly [string, Fault]>> = {
  'loses what was woken before the work began': [
    'handles each id that was woken, before and after the work began',
    (engine) => {
      let isAtWork = false;
      return {
        wake: async (...wake) => (isAtWork ? engine.wake(...wake) : undefined),
        work: (...work) => {
          isAtWork = true;
          return engine.work(...work);
        },
      };
    },
  ],
  'loses a wake that comes while its handler runs': [
    'handles an id again that is woken while it is handled',
    (engine) => watched(engine, (isRunning) => !isRunning),
  ],
  'runs two handlers of an id at a time': [
    'runs several ids at once, and one handler per id',
    (engine) => {
      let handle: WakeHandler = async () => null;
      const parts = watched(engine, (isRunning, id) => {
        if (isRunning) void handle(id, new AbortController().signal);
        return true;
      });
      return {
        ...parts,
        work: (queue, options, handler) => {
          handle = handler;
          return parts.work(queue, options, handler);
        },
      };
    },
  ],
  'ignores the concurrency': [
    'runs several ids at once, and one handler per id',
    (engine) => ({ work: (queue, _, handler) => engine.work(queue, { concurrency: 1_000 }, handler) }),
  ],
  'handles one id at a time': [
    'does not let an id that takes long hold up the others',
    (engine) => ({ work: (queue, _, handler) => engine.work(queue, { concurrency: 1 }, handler) }),
  ],
  'ignores the time of a wake': [
    'wakes at a time, and an earlier wake wins',
    (engine) => ({ wake: (queue, id) => engine.wake(queue, id) }),
  ],
  'lets a later wake postpone an earlier one': [
    'wakes at a time, and an earlier wake wins',
    (engine) => {
      const timers = new Map<string, NodeJS.Timeout>();
      return {
        wake: async (queue, id, { at = new Date() } = {}) => {
          clearTimeout(timers.get(id));
          timers.set(id, setTimeout(() => engine.wake(queue, id), at.getTime() - Date.now()).unref());
        },
      };
    },
  ],
  'ignores the time that a handler asks for': [
    'handles an id again at the time that its handler asks for, or at a wake before it',
    (engine) =>
      withHandler(engine, (handler) => async (id, signal) => {
        await handler(id, signal);
        return null;
      }),
  ],
  'replaces an earlier wake by the time that a handler asks for': [
    'keeps a wake that comes while its handler runs and asks for a later time',
    (engine) => watched(engine, (isRunning) => !isRunning),
  ],
  'ignores priorities': [
    'handles urgent ids first',
    (engine) => ({
      wake: (queue, id, { at } = {}) => engine.wake(queue, id, at === undefined ? {} : { at }),
    }),
  ],
  'confuses ids that differ in case': [
    'takes every id for itself',
    (engine) => ({ wake: (queue, id, options) => engine.wake(queue, id.toLowerCase(), options) }),
  ],
  'drops an id whose handler throws': [
    'calls a handler again that throws, and shows why',
    (engine) => withHandler(engine, (handler) => (id, signal) => handler(id, signal).catch(() => null)),
  ],
  'repeats a handler that throws without a rest': [
    'calls a handler again that throws, and shows why',
    (engine) =>
      withHandler(engine, (handler) => async (id, signal) => {
        const again: WakeHandler = (...args) => handler(...args).catch(() => again(...args));
        return again(id, signal);
      }),
  ],
  'hides why a handler failed': [
    'shows an id whose handler fails, with the reason',
    (engine) => ({
      inspect: async (query) => (await engine.inspect(query)).map((wake) => ({ ...wake, lastError: '' })),
    }),
  ],
  'drops what it did not finish when the work ends': [
    'hands back what it did not finish when the work ends',
    (engine) =>
      withHandler(
        engine,
        (handler) => (id, signal) =>
          handler(id, signal).catch((error) => {
            if (signal.aborted) return null;
            throw error;
          }),
      ),
  ],
  'does not abort its handlers': [
    'hands back what it did not finish when the work ends',
    (engine) => withHandler(engine, (handler) => (id) => handler(id, new AbortController().signal)),
  ],
  'ends its work before its handlers': [
    'ends its work when the handlers have ended, and begins no other',
    (engine) => ({
      async work(...args) {
        const work = await engine.work(...args);
        return { [Symbol.asyncDispose]: async () => void work[Symbol.asyncDispose]() };
      },
    }),
  ],
  'begins handlers after the end of its work': [
    'ends its work when the handlers have ended, and begins no other',
    (engine) => ({
      async work(queue, options, handler) {
        const ended = new AbortController();
        await engine.work(queue, options, (id) => handler(id, ended.signal));
        return {
          async [Symbol.asyncDispose]() {
            ended.abort();
            while ((await engine.inspect({ queue })).length > 0)
              await new Promise((resolve) => setTimeout(resolve, 5));
          },
        };
      },
    }),
  ],
  'lists the wakes of every queue': [
    'lists what waits, of one queue or of all, up to a limit',
    (engine) => ({ inspect: ({ limit } = {}) => engine.inspect(limit === undefined ? {} : { limit }) }),
  ],
  'lists without a limit': [
    'lists what waits, of one queue or of all, up to a limit',
    (engine) => ({ inspect: ({ queue } = {}) => engine.inspect(queue === undefined ? {} : { queue }) }),
  ],
  'has one queue': [
    'keeps queues apart',
    (engine) => ({ wake: (_, id, options) => engine.wake('q', id, options) }),
  ],
};

/** The reason why a test of the suite failed on a changed engine, or null when it passed. */
async function failureOf(title: string, change: Fault, limitMs?: number): Promise<string | null> {
  const engine = createTimerEngine();
  const test = delegationEngineTests(limitMs)[title];
  if (test === undefined) throw new Error(`There is no test '${title}'.`);
  const skip = (reason: string): never => {
    throw new Error(`skipped: ${reason}`);
  };
  return test({ engine: { ...engine, ...change(engine) } }, skip).then(
    () => null,
    (error: unknown) => String(error),
  );
}

/** What hangs is caught too. */
const hanging = (ms: number) =>
  new Promise<string>((resolve) => setTimeout(resolve, ms, 'The test did not end.').unref());

describe('the conformance suite of engines', () => {
  it('catches every fault, and finds none in an engine without (DLG-8)', async () => {
    // Most of them wait until a time is over, so that they run beside each other.
    const caught = Object.entries(faults).map(async ([fault, [title, change]]) => {
      const failure = await Promise.race([failureOf(title, change, 3_000), hanging(10_000)]);
      return failure === null ? fault : null;
    });
    const titles = new Set(Object.values(faults).map(([title]) => title));
    const sound = [...titles].map((title) => failureOf(title, () => ({})));
    expect((await Promise.all(caught)).filter((fault) => fault !== null)).toEqual([]);
    expect((await Promise.all(sound)).filter((failure) => failure !== null)).toEqual([]);
  });
});
