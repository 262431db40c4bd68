import { type Logger, silentLogger } from '@bonafide/internal';
import type { Kysely, Transaction } from 'kysely';
import { conflictStateOf } from '../driver-errors.ts';

/** Options of {@link inTransaction}. */
export interface InTransactionOptions {
  /**
   * Postgres refuses writes in a transaction that is `read only`; on SQLite it does not wait for the writer.
   * @default 'read write'
   */
  readonly accessMode?: 'read only' | 'read write';
}

/** Settings of a database for {@link inTransaction}. */
export interface RepeatSettings {
  readonly logger: Logger;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

const mostRepeats = 10;
/** Upper limit of the pause before the first repeat, ms. It doubles with each repeat. */
const firstPauseMs = 20;
const longestPauseMs = 1_000;

const defaults: RepeatSettings = { logger: silentLogger, random: Math.random };
// By adapter, which a database shares with what is derived from it (withSchema, withPlugin, withTables).
const settingsByAdapter = new WeakMap<object, RepeatSettings>();

/** Sets the logger and the randomness of repeats on `db`. */
export function setRepeatSettings<Database>(db: Kysely<Database>, settings: RepeatSettings): void {
  settingsByAdapter.set(db.getExecutor().adapter, settings);
}

/**
 * Runs `work` in one transaction: an error that it throws undoes all of it. Postgres ends one of several transactions that
 * wait for each other (SQLSTATE 40P01), or that cannot be serialized (40001). Such a transaction is repeated from its
 * beginning, up to 10 times, each after a random pause of at most a second. Each repeat is logged as a warning. The last
 * error is thrown: `STORAGE_LOCKED` once it is translated.
 *
 * @param work - has no effect outside of the transaction, because it may run several times
 *
 * @example
 * await inTransaction(db, async (transaction) => {
 *   await transaction.updateTable('accounts').set({ balance: 5 }).where('id', '=', 1).execute();
 * });
 */
export async function inTransaction<Database, Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
  { accessMode = 'read write' }: InTransactionOptions = {},
): Promise<Result> {
  const { logger, random } = settingsByAdapter.get(db.getExecutor().adapter) ?? defaults;
  for (let repeat = 1; ; repeat += 1) {
    try {
      const begin = db.transaction();
      return await (accessMode === 'read only' ? begin.setAccessMode(accessMode) : begin).execute(work);
    } catch (error) {
      const sqlState = conflictStateOf(error);
      if (sqlState === null || repeat > mostRepeats) throw error;
      const pauseMs = Math.round(random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (repeat - 1)));
      logger.warn(
        { sqlState, repeat, pauseMs },
        'Repeating a transaction that Postgres ended because others were in its way',
      );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
