import type { EventRecord } from './record.ts';

/** Where events outlive the process. Each call has taken effect for good when it returns. */
export interface Archive {
  /** Every event that was written and not removed, in the order of writing. */
  load(): Iterable<EventRecord>;
  /** Adds one and removes those that it replaces or deletes, both or neither. */
  write(record: EventRecord, remove: readonly EventRecord[]): void;
  remove(records: readonly EventRecord[]): void;
  close(): void;
}
