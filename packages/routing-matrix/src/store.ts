import type { Page, PeerEraser } from '@bonafide/internal';

/** A JSON value as stored. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One record of the log. The store reads only its columns. */
export interface LogRecord {
  /** Unique id: a second record with the same id is ignored. */
  readonly id: string;
  /**
   * Kind of the record: 'platform', 'benchmark', 'outcome', 'directive', 'decision'; later versions add more.
   */
  readonly kind: string;
  /** Time of the event, ms since epoch. */
  readonly at: number;
  /** The task type; `null` without one. */
  readonly taskType: string | null;
  readonly data: { readonly [key: string]: JsonValue };
}

/** A record with its sequence number. */
export interface StoredRecord extends LogRecord {
  /** 1, 2, 3 … without gaps, in the order in which records became durable. */
  readonly seq: number;
}

/** The result of appending one record. */
export interface Appended {
  /** Its sequence number, or that of the earlier record with the same id. */
  readonly seq: number;
  /** False for a repeated id: nothing was written. */
  readonly appended: boolean;
}

/** A page of the log. */
export type LogPage = Page<StoredRecord>;

/**
 * Storage of the matrix's log with append and read only, because every view is a fold over it. Several matrices in
 * several processes may append to one log. `erasePeer` is optional: it takes the identity of an operator out of the records,
 * whose numbers stay; delete snapshots afterwards.
 */
export interface RoutingStore extends Partial<PeerEraser> {
  /**
   * Appends records in order and resolves once they are durable: all of them or, on an error, none. A record with an
   * id that the log or the same call already contains is ignored and answered with the earlier sequence number.
   */
  append(records: readonly LogRecord[]): Promise<readonly Appended[]>;
  /** Returns at most `limit` records after `afterSeq`, in order. */
  readAfter(afterSeq: number, limit: number): Promise<readonly StoredRecord[]>;
  /** Returns the record with this id, or `null`. */
  get(id: string): Promise<StoredRecord | null>;
  /**
   * Returns records of one kind, newest first, optionally of one task type. A cursor that it did not return is refused with
   * `INVALID_INPUT`.
   */
  latest(query: {
    readonly kind: string;
    readonly taskType?: string;
    readonly limit: number;
    readonly cursor?: string;
  }): Promise<LogPage>;
}
