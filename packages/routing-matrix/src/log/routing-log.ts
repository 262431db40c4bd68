import { isBonafideError, type Logger } from '@bonafide/internal';
import type { RoutingConfig } from '../config.ts';
import { RoutingError, storeError } from '../errors.ts';
import { applyRecord } from '../fold/apply-record.ts';
import type { RoutingRecord } from '../records.ts';
import {
  configDigest,
  readSnapshot,
  type Snapshot,
  type SnapshotStore,
  writeSnapshot,
} from '../recovery/snapshot.ts';
import type { StrategyRunner } from '../selection/strategy-runner.ts';
import { featuresOf } from '../state/job-features.ts';
import { isRecordedBefore } from '../state/recorded-before.ts';
import { emptyState, type MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import type { Appended, RoutingStore, StoredRecord } from '../store.ts';
import { decodeRecord, encodeRecord } from './record-codec.ts';

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
   * @throws RoutingError `STORE_FAILED`, or `INVALID_INPUT` when the store refuses the question.
   */
  asking<Result>(question: () => Promise<Result>): Promise<Result>;
  quarantined(): readonly QuarantinedRecord[];
  /** Returns a snapshot of the state. */
  snapshot(current: MatrixState): string;
  /** Rejects further operations and waits for those that were called. */
  close(): Promise<void>;
}

/** Options of {@link openRoutingLog}. */
export interface RoutingLogOptions {
  readonly store: RoutingStore;
  /** Snapshots to start from; `null` to read the whole log. */
  readonly snapshots: SnapshotStore | null;
  readonly config: RoutingConfig;
  readonly strategy: StrategyRunner;
  readonly logger: Logger;
  /** Called for the changes of each record that was appended after the log was read. */
  readonly onChanges: (changes: readonly Change[], current: MatrixState) => void;
  readonly onQuarantined: (record: QuarantinedRecord) => void;
}

const pageSize = 1_000;
/** Result of appending what the state contains with which the log begins. */
const inFirstRecord: Appended = Object.freeze({ seq: 1, appended: false });

/** Opens the log of a store; it is read on the first operation. */
export function openRoutingLog(options: RoutingLogOptions): RoutingLog {
  const { store, snapshots, config, strategy, logger, onChanges, onQuarantined } = options;
  let quarantined: QuarantinedRecord[] = [];
  let state: MatrixState | null = null;
  let closed = false;
  let tail: Promise<unknown> = Promise.resolve();

  async function loaded(): Promise<MatrixState> {
    if (state !== null) return state;
    quarantined = [];
    const fresh = (await restored()) ?? emptyState(config);
    if (fresh.seq === 0) strategy.start();
    const from = fresh.seq;
    await readOn(fresh, () => {});
    state = fresh;
    logger.debug({ records: fresh.seq, snapshot: from }, 'Routing log read');
    return fresh;
  }

  /** Returns the state of the newest snapshot that is valid and belongs to this log; `null` without any. */
  async function restored(): Promise<MatrixState | null> {
    if (snapshots === null) return null;
    const reject = (reason: unknown) =>
      logger.warn({ reason: reason instanceof Error ? reason.message : reason }, 'Snapshot not used');
    try {
      for await (const text of snapshots.read()) {
        try {
          const snapshot = readSnapshot(text, config);
          const why = await unusable(snapshot);
          if (why === null) return Object.assign(snapshot.state, { seq: snapshot.seq });
          reject(why);
        } catch (error) {
          if (isBonafideError(error, 'STORE_FAILED')) throw error;
          reject(error);
        }
      }
    } catch (error) {
      if (isBonafideError(error, 'STORE_FAILED')) throw error;
      reject(error);
    }
    return null;
  }

  /** Returns the reason for not using a snapshot, or restores the strategy from it. */
  async function unusable({
    seq,
    lastId,
    config: digest,
    strategy: stored,
  }: Snapshot): Promise<string | null> {
    if (digest !== configDigest(config)) return 'the configuration changed';
    if (stored.name !== strategy.name || stored.version !== strategy.version) return 'the strategy changed';
    if (seq === 0) return 'it is empty';
    const [last] = await asking(() => store.readAfter(seq - 1, 1));
    if (last?.seq !== seq || last.id !== lastId) return 'it belongs to another log';
    return strategy.restore(stored.state) ? null : 'the strategy has no state in it';
  }

  async function readOn(current: MatrixState, notify: RoutingLogOptions['onChanges']): Promise<void> {
    for (;;) {
      const page = await asking(() => store.readAfter(current.seq, pageSize));
      for (const stored of page) {
        const changed = applyStored(current, stored);
        current.seq = stored.seq;
        current.lastId = stored.id;
        notify(changed, current);
      }
      if (page.length < pageSize) return;
    }
  }

  function apply(current: MatrixState, record: RoutingRecord, seq: number): Change[] {
    if (record.kind === 'base') {
      // A backup may come from another configuration or strategy, which then starts from nothing.
      const { state: base, strategy: stored } = readSnapshot(record.snapshot, config);
      Object.assign(current, base, { seq });
      const same = stored.name === strategy.name && stored.version === strategy.version;
      if (!same || !strategy.restore(stored.state)) strategy.start();
      return [];
    }
    const features = featuresOf(current, record);
    const changed = applyRecord(current, record);
    strategy.observe(record, seq, features);
    return changed;
  }

  /** Applies a record. One that this version cannot read is quarantined: the rest of the log stays usable. */
  function applyStored(current: MatrixState, stored: StoredRecord): Change[] {
    try {
      return apply(current, decodeRecord(stored), stored.seq);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { seq, id: recordId } = stored;
      quarantined.push({ seq, recordId, reason });
      logger.error({ seq, recordId, reason }, 'Record of the routing log quarantined');
      onQuarantined({ seq, recordId, reason });
      return [];
    }
  }

  async function asking<Result>(question: () => Promise<Result>): Promise<Result> {
    try {
      return await question();
    } catch (cause) {
      // A cursor of another list, for example.
      if (isBonafideError(cause, 'INVALID_INPUT')) throw cause;
      throw storeError(cause, 'Nothing was recorded.');
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
      const repeated = records.map((record) => isRecordedBefore(current, record));
      const fresh = records.filter((_, index) => !repeated[index]);
      const results = await asking(() => store.append(fresh.map(encodeRecord)));
      if (results.length !== fresh.length)
        throw new RoutingError('STORE_FAILED', 'The routing store returned no result for a record.');
      for (const [index, record] of fresh.entries()) {
        const { seq, appended } = results[index] as Appended;
        if (appended && seq === current.seq + 1) {
          const changed = apply(current, record, seq);
          current.seq = seq;
          current.lastId = record.id;
          onChanges(changed, current);
        } else if (seq > current.seq) {
          await readOn(current, onChanges);
        }
      }
      let next = 0;
      return repeated.map((known) => (known ? inFirstRecord : (results[next++] as Appended)));
    },

    catchUp: (current) => readOn(current, onChanges),

    async get(id) {
      const stored = await asking(() => store.get(id));
      return stored === null ? null : decodeRecord(stored);
    },

    quarantined: () => [...quarantined],

    snapshot(current) {
      const { seq, lastId } = current;
      const { name, version } = strategy;
      const own = { name, version, state: strategy.snapshot() };
      return writeSnapshot({ seq, lastId, config: configDigest(config), strategy: own, state: current });
    },

    async close() {
      closed = true;
      await tail;
    },
  };
}
