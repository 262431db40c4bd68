import { isPreview, newTombstone, type PeerEraser } from '@bonafide/internal';
import { RoutingError } from '../errors.ts';
import { eraseFromRecord, requireOperatorKey } from '../log/erase-platform.ts';
import type { LogRecord, RoutingStore, StoredRecord } from '../store.ts';
import { recordPage, seqOfCursor } from './page.ts';

/** A stored record whose data is text, as in a database: what is handed out is a copy. */
interface Row extends Omit<StoredRecord, 'data'> {
  readonly data: string;
}

/** Creates a routing store in memory, for tests and simulations. */
export function createMemoryRoutingStore(): RoutingStore & PeerEraser {
  const log: Row[] = [];
  const byId = new Map<string, Row>();

  return {
    async append(records) {
      // Encoded first, so that a record that is not JSON leaves the log unchanged.
      const rows = records.map((record) => toRow(record, 0));
      return rows.map((row) => {
        const known = byId.get(row.id);
        if (known !== undefined) return { seq: known.seq, appended: false };
        const stored: Row = { ...row, seq: log.length + 1 };
        log.push(stored);
        byId.set(stored.id, stored);
        return { seq: stored.seq, appended: true };
      });
    },

    async readAfter(afterSeq, limit) {
      return log.slice(afterSeq, afterSeq + limit).map(fromRow);
    },

    async get(id) {
      const row = byId.get(id);
      return row === undefined ? null : fromRow(row);
    },

    async latest({ kind, taskType, limit, cursor }) {
      const before = Math.min(log.length, seqOfCursor(cursor) - 1);
      const found: StoredRecord[] = [];
      for (let at = before - 1; at >= 0 && found.length <= limit; at -= 1) {
        const row = log[at] as Row;
        const matches = row.kind === kind && (taskType === undefined || row.taskType === taskType);
        if (matches) found.push(fromRow(row));
      }
      return recordPage(found, limit);
    },

    async erasePeer(peer, options) {
      const preview = isPreview(
        options,
        (message, cause) => new RoutingError('INVALID_INPUT', message, cause),
      );
      const pubkey = requireOperatorKey(peer);
      const tombstone = newTombstone();
      const records = log.flatMap((row) => eraseFromRecord(fromRow(row), pubkey, tombstone) ?? []);
      if (!preview)
        for (const record of records) {
          const row = toRow(record, record.seq);
          byId.delete(log[row.seq - 1]?.id ?? '');
          log[row.seq - 1] = row;
          byId.set(row.id, row);
        }
      return { erased: { records: records.length }, kept: {} };
    },
  };
}

function toRow({ id, kind, at, taskType, data }: LogRecord, seq: number): Row {
  return { seq, id, kind, at, taskType, data: JSON.stringify(data) };
}

const fromRow = (row: Row): StoredRecord => ({ ...row, data: JSON.parse(row.data) });
