import type { Logger } from '@bonafide/internal';
import type { RoutingConfig } from './config.ts';
import { RoutingError } from './errors.ts';
import type { RoutingRecord } from './records.ts';
import { decodeRecord, encodeRecord } from './schemas.ts';
import { applyRecord, type Change, emptyState, featuresOf, type MatrixState } from './state.ts';
import type { Appended, RoutingStore, StoredRecord } from './store.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** A record of the log that could not be parsed. */
export interface QuarantinedRecord {
  readonly seq: number;
  readonly recordId: string;
  readonly reason: string;
}

/** The log with the state that is folded from it: one operation at a time, and nothing takes effect before it is durable. */
export interface RoutingLog {
  /**
   * Runs operations one at a time in the order of the calls, so that a choice sees every earlier choice.
   *
   * @throws RoutingError `CLOSED`
   */
  inTurn<Result>(work: (current: MatrixState) => Promise<Result> | Result): Promise<Result>;
  /**
   * Appends records and applies them after all records that other processes appended before them.
   *
   * @throws RoutingError `STORE_FAILED`; nothing changed then.
   */
  append(current: MatrixState, records: readonly RoutingRecord[]): Promise<readonly Appended[]>;
  /** Applies records that other processes appended. */
  catchUp(current: MatrixState): Promise<void>;
  /** Returns the record with this id, or `null`. */
  get(id: string): Promise<RoutingRecord | null>;
  /**
   * Asks the store.
   *
   * @throws RoutingError `STORE_FAILED`
   */
  asking<Result>(question: () => Promise<Result>): Promise<Result>;
  quarantined(): readonly QuarantinedRecord[];
  /** Rejects further operations and waits for those that were called. */
  close(): Promise<void>;
}

/** Options of {@link openRoutingLog}. */
export interface RoutingLogOptions {
  readonly store: RoutingStore;
  readonly config: RoutingConfig;
  readonly strategy: StrategyRunner;
  readonly logger: Logger;
  /** Called for the changes of each record that was appended after the log was read. */
  readonly onChanges: (changes: readonly Change[], current: MatrixState) => void;
  readonly onQuarantined: (record: QuarantinedRecord) => void;
}

const pageSize = 1_000;

/** Opens the log of a store; it is read on the first operation. */
export function openRoutingLog(options: RoutingLogOptions): RoutingLog {
  const { store, config, strategy, logger, onChanges, onQuarantined } = options;
  let quarantined: QuarantinedRecord[] = [];
  let state: MatrixState | null = null;
  let closed = false;
  let tail: Promise<unknown> = Promise.resolve();

  async function loaded(): Promise<MatrixState> {
    if (state !== null) return state;
    const fresh = emptyState(config);
    strategy.start();
    quarantined = [];
    await readOn(fresh, () => {});
    state = fresh;
    logger.debug({ records: fresh.seq }, 'Routing log read');
    return fresh;
  }

  async function readOn(current: MatrixState, notify: RoutingLogOptions['onChanges']): Promise<void> {
    for (;;) {
      const page = await asking(() => store.readAfter(current.seq, pageSize));
      for (const stored of page) {
        const record = decodeOrQuarantine(stored);
        const changed = record === null ? [] : apply(current, record, stored.seq);
        current.seq = stored.seq;
        notify(changed, current);
      }
      if (page.length < pageSize) return;
    }
  }

  function apply(current: MatrixState, record: RoutingRecord, seq: number): Change[] {
    const features = featuresOf(current, record);
    const changed = applyRecord(current, record);
    strategy.observe(record, seq, features);
    return changed;
  }

  /** Returns the record, or `null` for one that this version cannot read: the rest of the log stays usable. */
  function decodeOrQuarantine(stored: StoredRecord): RoutingRecord | null {
    try {
      return decodeRecord(stored);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { seq, id: recordId } = stored;
      quarantined.push({ seq, recordId, reason });
      logger.error({ seq, recordId, reason }, 'Record of the routing log quarantined');
      onQuarantined({ seq, recordId, reason });
      return null;
    }
  }

  async function asking<Result>(question: () => Promise<Result>): Promise<Result> {
    try {
      return await question();
    } catch (cause) {
      throw new RoutingError('STORE_FAILED', 'The routing store failed. Nothing was recorded; see cause.', {
        cause,
      });
    }
  }

  return {
    asking,

    inTurn(work) {
      if (closed)
        return Promise.reject(
          new RoutingError('CLOSED', 'The routing matrix was closed. Create a new one over the store.'),
        );
      const turn = tail.then(async () => work(await loaded()));
      tail = turn.catch(() => {});
      return turn;
    },

    async append(current, records) {
      const results = await asking(() => store.append(records.map(encodeRecord)));
      if (results.length !== records.length)
        throw new RoutingError('STORE_FAILED', 'The routing store returned no result for a record.');
      for (const [index, record] of records.entries()) {
        const { seq, appended } = results[index] as Appended;
        if (appended && seq === current.seq + 1) {
          const changed = apply(current, record, seq);
          current.seq = seq;
          onChanges(changed, current);
        } else if (seq > current.seq) {
          await readOn(current, onChanges);
        }
      }
      return results;
    },

    catchUp: (current) => readOn(current, onChanges),

    async get(id) {
      const stored = await asking(() => store.get(id));
      return stored === null ? null : decodeRecord(stored);
    },

    quarantined: () => [...quarantined],

    async close() {
      closed = true;
      await tail;
    },
  };
}
