import type { Emitter } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { EntryChange } from './entry-changes.ts';
import type { DiscoveryEvents } from './events.ts';
import type { DiscoveryStore } from './store.ts';
import { getEntry, putEntry } from './store-access.ts';

/** An entry before and after a change; the same twice when there was nothing to change. */
export interface Changed {
  readonly before: RegistryEntry | null;
  readonly after: RegistryEntry | null;
}

/** Where entries are changed: one after another, and told only when they are durable. */
export interface EntryWriter {
  /** One piece of work at a time, in the order in which they came. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all that was begun is done. */
  idle(): Promise<void>;
  /**
   * Reads, changes and writes one entry, and again when another process wrote in between. `step` gives the change, `null` for none, or
   * why not, which is handed back. Not in turn by itself, and told to nobody.
   */
  write<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
  ): Promise<Changed | Refusal>;
  /** Writes, and tells what it brought. */
  update<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
  ): Promise<Changed | Refusal>;
  /** Tells what a change that is durable brought. */
  emitChange(before: RegistryEntry | null, after: RegistryEntry): void;
}

/** How often a change is tried again when another process was quicker. */
const maxConflicts = 50;

export function createEntryWriter(store: DiscoveryStore, emitter: Emitter<DiscoveryEvents>): EntryWriter {
  let tail: Promise<unknown> = Promise.resolve();

  function emitChange(before: RegistryEntry | null, entry: RegistryEntry): void {
    if (before === null) emitter.emit('discovered', { entry });
    else if (before.event.id !== entry.event.id) emitter.emit('updated', { entry, before });
    if (before !== null && before.status !== entry.status) {
      emitter.emit('status', { entry, before: before.status });
    }
    if (entry.status === before?.status) return;
    if (entry.status === 'archived') emitter.emit('archived', { entry });
    else if (entry.status === 'quarantined' && entry.quarantinedUntilAt === null)
      emitter.emit('stale', { entry });
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
    throw new DiscoveryError('STORE_FAILED', 'The entry is changed by others all the time');
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
