import type { Page, PeerEraser } from '@bonafide/internal';
import type { OrderState, OrderStatus } from './order.ts';

/** An order as stored. */
export interface OrderRecord {
  readonly id: string;
  /** Hash over the content of the order; another content under the same id has another one. */
  readonly fingerprint: string;
  /** 1 for a new order; increases by one with every write. */
  readonly revision: number;
  readonly state: OrderState;
  /** True when nothing is left to do. */
  readonly settled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Filter of {@link OrderStore.list}. */
export interface OrderQuery {
  readonly status?: OrderStatus | undefined;
  /** True: orders with nothing left to do; false: all others. */
  readonly settled?: boolean | undefined;
  readonly taskType?: string | undefined;
  /** Only trials of this platform, as `pubkey:d`; '*' for trials of any. */
  readonly trialOf?: string | undefined;
  /** Only trials of any service of this operator's key. */
  readonly trialOperator?: string | undefined;
  /** Page size, 1–500. @default 100 */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A small fact that outlives the process, such as the last directive about a platform. */
export interface Note {
  readonly revision: number;
  readonly value: string;
}

/** Store of orders. Each method is atomic and durable. */
export interface OrderStore {
  /** Stores a new order. When the id is taken, returns the existing order. */
  create(record: OrderRecord): Promise<{ readonly record: OrderRecord; readonly created: boolean }>;
  get(id: string): Promise<OrderRecord | null>;
  /** Writes an order. Returns false, and writes nothing, when the stored revision is not the preceding one. */
  update(record: OrderRecord): Promise<boolean>;
  /** Returns a page, newest first by `createdAt` and then by id. */
  list(query?: OrderQuery): Promise<Page<OrderRecord>>;
  /**
   * Deletes at most `limit` (1–10000, @default 500) settled orders other than trials that were last written
   * before `before`, the oldest
   * first, and returns their number.
   */
  prune(options: { readonly before: number; readonly limit?: number | undefined }): Promise<number>;
  /** Returns the note with this name, or null. */
  note(name: string): Promise<Note | null>;
  /** Writes a note. Returns false, and writes nothing, when the stored revision is not the preceding one (0: none). */
  putNote(name: string, note: Note): Promise<boolean>;
}

/** A wake: an id in a queue that is to be handled at a time. */
export interface Wake {
  readonly queue: string;
  readonly id: string;
  /** Time at which it is handled, ms since epoch; null while it is being handled and was not woken again. */
  readonly dueAt: number | null;
  readonly priority: number;
  /** Number of failures of the handler in a row. */
  readonly failures: number;
  /** Message of the last failure, or ''. */
  readonly lastError: string;
  /** Time until which a process holds it, ms since epoch; null when none does. */
  readonly heldUntil: number | null;
}

/** A claimed wake. */
export interface ClaimedWake {
  readonly id: string;
  /** Names this claim. */
  readonly token: string;
  readonly failures: number;
}

/** Result of handling a wake. */
export interface WakeResult {
  readonly queue: string;
  readonly id: string;
  readonly token: string;
  /** Time of the next wake; null for none. An earlier one that came meanwhile stays. */
  readonly dueAt: number | null;
  readonly failures: number;
  readonly lastError: string;
}

/** Store of wakes, for the embedded engine. Each method is atomic and durable. */
export interface WakeStore {
  /** Adds a wake, or moves it forward; it is never postponed. */
  put(wake: {
    readonly queue: string;
    readonly id: string;
    readonly dueAt: number;
    readonly priority: number;
  }): Promise<void>;
  /**
   * Claims at most `limit` wakes that are due and not held, by priority and then by time, until `heldUntil`.
   * Also returns when the
   * next one is due.
   */
  claim(options: {
    readonly queue: string;
    readonly now: number;
    readonly limit: number;
    readonly token: string;
    readonly heldUntil: number;
  }): Promise<{ readonly claimed: readonly ClaimedWake[]; readonly nextDueAt: number | null }>;
  /** Ends every claim of a queue: those wakes are due at once. */
  release(queue: string): Promise<void>;
  /** Prolongs every claim of this token. */
  renew(token: string, heldUntil: number): Promise<void>;
  /** Ends a claim. Has no effect when another claim has taken over. */
  finish(result: WakeResult): Promise<void>;
  list(query?: {
    readonly queue?: string | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly Wake[]>;
}

/**
 * Everything that one agent stores: its orders, and the wakes of the embedded engine. `erasePeer` is optional: it erases an operator
 * from settled orders, its trials and the notes about it. An order that others worked on stays, with its money and its end; answers
 * of the operator are erased, also a delivered one.
 */
export interface DelegationStore extends OrderStore, Partial<PeerEraser> {
  readonly wakes: WakeStore;
}
