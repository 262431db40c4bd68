import type { Logger } from '@bonafide/internal';
import type * as z from 'zod';
import type { StatePort } from './state-port.ts';

/** One key of the state as a value. Changes survive a failing state in memory, and conflicts with other processes. */
export interface Document<Value> {
  /** The value as last read or changed. */
  readonly value: Value;
  /** Reads what other processes wrote. */
  refresh(): Promise<void>;
  /**
   * Applies a pure change to the newest value and stores the result. It may run several times, when another process
   * writes at the same time. Resolves also when the state fails: the change is kept and stored with the next one.
   */
  update(change: (value: Value) => Value): Promise<Value>;
}

/** Options of {@link createDocument}. */
export interface DocumentOptions<Value> {
  readonly state: StatePort | null;
  readonly key: string;
  readonly schema: z.ZodType<Value>;
  readonly empty: Value;
  readonly logger: Logger;
  readonly onFailure: () => void;
}

/** Attempts of a change while other processes write. Each attempt of one of them succeeds. */
const maxAttempts = 100;

/** Creates a document. Nothing is read before `refresh` or `update`. */
export function createDocument<Value>(options: DocumentOptions<Value>): Document<Value> {
  const { state, key, schema, empty, logger } = options;
  const shared = state?.shared;
  let value = empty;
  let loaded = state === null;
  /** The value of a revision that was read or written here. */
  let known: { readonly revision: number; readonly value: Value } | null = null;
  /** Changes that no store has acknowledged. */
  let pending: ((value: Value) => Value)[] = [];
  /** The value with these changes. Hooks read it for every message, also while a state fails for hours. */
  let shown = empty;
  let queue: Promise<unknown> = Promise.resolve();
  /** The text that was moved aside last, so that it is reported once. */
  let unreadable: string | null = null;

  const failed = (error: unknown, doing: string) => {
    options.onFailure();
    logger.error({ err: error, key }, `The state could not be ${doing}. The cortex continues in memory.`);
  };

  const parse = async (text: string | null): Promise<Value> => {
    if (text === null) return empty;
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      if (text === unreadable) return empty;
      unreadable = text;
      failed(error, 'understood');
      // Unreadable state is moved aside instead of overwritten, so that it can be inspected.
      await state?.store(`${key}-unreadable`, text);
      return empty;
    }
  };
  const write = (next: Value) => JSON.stringify({ version: 1, ...next });
  const apply = (from: Value) => pending.reduce((current, change) => change(current), from);

  const flushShared = async (port: NonNullable<StatePort['shared']>) => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const stored = await port.read(key);
      const revision = stored?.revision ?? 0;
      // Parsing takes longer than reading, and usually no other process has written.
      const current = known?.revision === revision ? known.value : await parse(stored?.text ?? null);
      const changes = pending.length;
      const next = apply(current);
      if (changes === 0) known = { revision, value: current };
      else if (await port.swap(key, write(next), revision)) known = { revision: revision + 1, value: next };
      else continue;
      pending = pending.slice(changes);
      value = next;
      return;
    }
    throw new Error(`Other processes changed '${key}' ${maxAttempts} times in a row.`);
  };
  const flushAlone = async (port: StatePort) => {
    if (!loaded) {
      value = await parse(await port.retrieve(key));
      loaded = true;
    }
    if (pending.length === 0) return;
    // Applied before it is stored: the only process that uses this state continues with it either way.
    value = apply(value);
    pending = [];
    await port.store(key, write(value));
  };
  const flush = async () => {
    const before = value;
    try {
      if (shared !== undefined) await flushShared(shared);
      else if (state !== null) await flushAlone(state);
      else {
        value = apply(value);
        pending = [];
      }
    } catch (error) {
      failed(error, pending.length === 0 && before === value ? 'read' : 'written');
      if (shared === undefined) {
        value = apply(value);
        pending = [];
      }
    } finally {
      shown = apply(value);
    }
  };
  const inTurn = (task: () => Promise<void>) => {
    const mine = queue.then(task);
    queue = mine;
    return mine;
  };

  return {
    get value() {
      // What could not be stored yet counts all the same.
      return shown;
    },
    refresh: () => inTurn(flush),
    async update(change) {
      await inTurn(() => {
        pending.push(change);
        shown = change(shown);
        return flush();
      });
      return shown;
    },
  };
}
