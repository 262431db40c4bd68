import type { Emitter } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { EntryChange } from './entry-changes.ts';
import type { DiscoveryEvents } from './events.ts';
import type { DiscoveryStore } from './store.ts';
import { getEntry, putEntry } from './store-access.ts';

/** An entry before and after a change; the same object twice if nothing changed. */
export interface Changed {
  readonly before: RegistryEntry | null;
  readonly after: RegistryEntry | null;
}

/** Changes entries one after another and emits events after each change is durable. */
export interface EntryWriter {
  /** Runs tasks one at a time, in the order of the calls. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all tasks are done. */
  idle(): Promise<void>;
  /**
   * Reads, changes and writes one entry, and retries if another process wrote it in between. `step` returns
   * the change, `null` for none, or a refusal, which is returned. Acquires no lock and emits no events.
   */
  write<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
  ): Promise<Changed | Refusal>;
  /** Writes an entry as `write` does, then emits its events. */
  update<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
  ): Promise<Changed | Refusal>;
  /** Emits the events of a durable change. */
  emitChange(before: RegistryEntry | null, after: RegistryEntry): void;
}

/** Number of attempts of a change that other processes overtake. */
const maxConflicts = 50;

export function createEntryWriter(store: DiscoveryStore, emitter: Emitter<DiscoveryEvents>): EntryWriter {
  let tail: Promise<unknown> = Promise.resolve();

  function emitChange(before: RegistryEntry | null, entry: RegistryEntry): void {
    if (before === null) emitter.emit('discovered', { entry });
    else if (before.event.id !== entry.event.id) emitter.emit('updated', { entry, before });
    if (before !== null && before.status !== entry.status) {
      emitter.emit('status', { entry, before: before.status });
    }
    if (entry.stale && before?.stale !== true) emitter.emit('stale', { entry });
    if (entry.status === before?.status) return;
    if (entry.status === 'archived') emitter.emit('archived', { entry });
  }

  const write: EntryWriter['write'] = async (pubkey, canonicalD, step) => {
    for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
      const before = await getEntry(store, pubkey, canonicalD);
      const changed = step(before);
      if (changed === null) return { before, after: before };
      if (!('entry' in changed)) return changed;
      if (await putEntry(store, changed)) {
        return { before, after: changed.entry };
      }
    }
    throw new DiscoveryError(
      'STORE_FAILED',
      'The entry could not be written: other processes changed it on every attempt.',
    );
  };

  return {
    exclusive(work) {
      const turn = tail.then(work);
      tail = turn.catch(() => {});
      return turn;
    },

    async idle() {
      await tail;
    },

    write,

    async update(pubkey, canonicalD, step) {
      const result = await write(pubkey, canonicalD, step);
      if ('after' in result && result.after !== null && result.after !== result.before) {
        emitChange(result.before, result.after);
      }
      return result;
    },

    emitChange,
  };
}
