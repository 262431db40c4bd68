import { inTransaction } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import type { LeaseStore } from '../store.ts';
import type { JobsDatabase } from './tables.ts';

/** Creates the leases of a store in a database. */
export function createKyselyLeases(db: Kysely<JobsDatabase>): LeaseStore {
  return {
    lease(holder, { now, until }) {
      return inTransaction(db, async (transaction) => {
        // Before the insert: two processes that renew late would delete each other's expired rows, and wait for each other.
        await transaction
          .deleteFrom('jobs_leases')
          .where(({ eb, or }) => or([eb('expires_at', '<=', now), eb('holder', '=', holder)]))
          .execute();
        if (until > now) {
          await transaction
            .insertInto('jobs_leases')
            .values({ holder, expires_at: until })
            .onConflict((conflict) => conflict.column('holder').doUpdateSet({ expires_at: until }))
            .execute();
        }
        const rows = await transaction.selectFrom('jobs_leases').select('holder').execute();
        return rows.map((row) => row.holder);
      });
    },
  };
}
