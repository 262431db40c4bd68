import type { PeerEraser } from '@bonafide/internal';
import { eraseFromRecord, newTombstone, requireOperatorKey } from '../log/erase-platform.ts';
import type { RoutingStore, StoredRecord } from '../store.ts';

/** Creates a routing store in memory, for tests and simulations. */
export function createMemoryRoutingStore(): RoutingStore & PeerEraser {
  const log: StoredRecord[] = [];
  const byId = new Map<string, StoredRecord>();

  return {
    async append(records) {
      // Copied first, so that an uncloneable record leaves the log unchanged.
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
      const before = cursor === undefined ? log.length : Number(cursor) - 1;
      const newestFirst = log
        .slice(0, before)
        .reverse()
        .filter((record) => record.kind === kind && (taskType === undefined || record.taskType === taskType));
      const items = structuredClone(newestFirst.slice(0, limit));
      return { items, nextCursor: newestFirst.length > limit ? String(items.at(-1)?.seq) : null };
    },

    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requireOperatorKey(peer);
      const tombstone = newTombstone();
      const records = log.flatMap((record) => eraseFromRecord(record, pubkey, tombstone) ?? []);
      if (!preview)
        for (const record of records) {
          byId.delete(log[record.seq - 1]?.id ?? '');
          log[record.seq - 1] = record;
          byId.set(record.id, record);
        }
      return { erased: { records: records.length }, kept: {} };
    },
  };
}
