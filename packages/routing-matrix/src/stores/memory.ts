import type { RoutingStore, StoredRecord } from '../store.ts';

/** A routing store that forgets everything when the process ends: for tests, experiments and simulations. */
export function createMemoryRoutingStore(): RoutingStore {
  const log: StoredRecord[] = [];
  const byId = new Map<string, StoredRecord>();

  return {
    async append(records) {
      // Copied first, so that a record that cannot be copied leaves the log as it was.
      const copies = records.map((record) => structuredClone(record));
      return copies.map((record) => {
        const known = byId.get(record.id);
        if (known !== undefined) return { seq: known.seq, appended: false };
        const stored: StoredRecord = { ...record, seq: log.length + 1 };
        log.push(stored);
        byId.set(stored.id, stored);
        return { seq: stored.seq, appended: true };
      });
    },
    async readAfter(afterSeq, limit) {
      return structuredClone(log.slice(afterSeq, afterSeq + limit));
    },
    async get(id) {
      return structuredClone(byId.get(id) ?? null);
    },
    async latest({ kind, taskType, limit, cursor }) {
      const items: StoredRecord[] = [];
      let index = cursor === undefined ? log.length - 1 : Number(cursor) - 2;
      for (; index >= 0; index -= 1) {
        const record = log[index];
        if (record === undefined || record.kind !== kind) continue;
        if (taskType !== undefined && record.taskType !== taskType) continue;
        if (items.length === limit) return { items, nextCursor: String(items.at(-1)?.seq) };
        items.push(structuredClone(record));
      }
      return { items, nextCursor: null };
    },
  };
}
