/** JSON as it is stored. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One record of the log, as the matrix hands it to the store. The store understands none of it but the columns. */
export interface LogRecord {
  /** Unique in the log: a second record with the same id is not kept. */
  readonly id: string;
  /** What it tells: 'platform', 'benchmark', 'outcome', 'directive', 'decision'; later versions add more. */
  readonly kind: string;
  /** When it happened, ms since epoch. */
  readonly at: number;
  /** The task type; `null` when it has none. */
  readonly taskType: string | null;
  readonly data: { readonly [key: string]: JsonValue };
}

/** A record with its place in the log. */
export interface StoredRecord extends LogRecord {
  /** 1, 2, 3 … without gaps, in the order in which records became durable. */
  readonly seq: number;
}

/** What became of one record of an `append`. */
export interface Appended {
  /** Its place in the log; the place of the earlier record when the id was there already. */
  readonly seq: number;
  /** False when the id was there already: nothing was written. */
  readonly appended: boolean;
}

/** A page of the log. */
export interface LogPage {
  readonly items: readonly StoredRecord[];
  /** Hand it back to go on; `null` at the end. */
  readonly nextCursor: string | null;
}

/**
 * Where the routing matrix keeps its log: append and read, nothing else, since every view is a fold over it.
 * Several matrices, also in several processes, may append to one log.
 */
export interface RoutingStore {
  /**
   * Appends records in order and returns once they are durable: all of them or, when it throws, none. A record
   * whose id is in the log already, or earlier in the same call, is left out and answered with the place of
   * the first.
   */
  append(records: readonly LogRecord[]): Promise<readonly Appended[]>;
  /** The records after place `afterSeq`, in order; at most `limit`. */
  readAfter(afterSeq: number, limit: number): Promise<readonly StoredRecord[]>;
  /** The record with this id, or `null`. */
  get(id: string): Promise<StoredRecord | null>;
  /** Records of one kind, newest first, page by page; of one task type when given. */
  latest(query: {
    readonly kind: string;
    readonly taskType?: string;
    readonly limit: number;
    readonly cursor?: string;
  }): Promise<LogPage>;
}
