import type { DelegationEngine, Wake } from '@bonafide/delegation';

type Entry = { -readonly [Key in keyof Wake]: Wake[Key] };

/** Creates an engine of one process that keeps its wakes in memory. */
export function createTimerEngine(): DelegationEngine {
  const entries = new Map<string, Entry>();
  const looks = new Map<string, Set<() => void>>();

  function put(queue: string, id: string, dueAt: number, priority = 0) {
    const key = JSON.stringify([queue, id]);
    const known = entries.get(key);
    const entry = known ?? { queue, id, dueAt, priority, failures: 0, lastError: '', heldUntil: null };
    entry.dueAt = Math.min(entry.dueAt ?? dueAt, dueAt); // an earlier wake wins
    entry.priority = Math.max(entry.priority, priority);
    entries.set(key, entry);
    for (const look of looks.get(queue) ?? []) look();
  }

  return {
    wake: async (queue, id, { at, priority } = {}) => put(queue, id, at?.getTime() ?? Date.now(), priority),

    async work(queue, { concurrency }, handler) {
      const closing = new AbortController();
      const running = new Set<Promise<void>>();
      let timer: ReturnType<typeof setTimeout> | undefined;

      function look() {
        clearTimeout(timer);
        if (closing.signal.aborted) return;
        const waiting = [...entries.values()]
          .filter((entry) => entry.queue === queue && entry.heldUntil === null && entry.dueAt !== null)
          .sort((a, b) => b.priority - a.priority || Number(a.dueAt) - Number(b.dueAt));
        for (const entry of waiting)
          if (running.size < concurrency && Number(entry.dueAt) <= Date.now()) start(entry);
        timer = setTimeout(look, 50);
      }

      function start(entry: Entry) {
        Object.assign(entry, { dueAt: null, heldUntil: Number.MAX_SAFE_INTEGER });
        const done = handle(entry).finally(() => {
          running.delete(done);
          entry.heldUntil = null;
          // Woken meanwhile: handled again. Otherwise nothing is left of it.
          if (entry.dueAt === null) entries.delete(JSON.stringify([queue, entry.id]));
          look();
        });
        running.add(done);
      }

      async function handle(entry: Entry) {
        try {
          const handled = await handler(entry.id, closing.signal);
          Object.assign(entry, { failures: 0, lastError: '' });
          if (handled !== null) put(queue, entry.id, handled.again.getTime());
        } catch (error) {
          if (closing.signal.aborted) return put(queue, entry.id, Date.now()); // handed back
          Object.assign(entry, { failures: entry.failures + 1, lastError: String(error) });
          put(queue, entry.id, Date.now() + Math.min(3_600_000, 500 * 2 ** (entry.failures - 1)));
        }
      }

      looks.set(queue, (looks.get(queue) ?? new Set()).add(look));
      look();
      return {
        async [Symbol.asyncDispose]() {
          looks.get(queue)?.delete(look);
          closing.abort();
          clearTimeout(timer);
          await Promise.all(running);
        },
      };
    },

    inspect: async ({ queue, limit = 100 } = {}) =>
      [...entries.values()].filter((each) => queue === undefined || each.queue === queue).slice(0, limit),
  };
}
