import type { EventRecord } from './record.ts';

/** Persistent storage of events. Each call is durable when it returns. */
export interface Archive {
  /** Returns every event that was written and not removed, in the order of writing. */
  load(): Iterable<EventRecord>;
  /** Adds one event and removes those that it replaces or deletes, atomically. */
  write(record: EventRecord, remove: readonly EventRecord[]): void;
  remove(records: readonly EventRecord[]): void;
  close(): void;
}
