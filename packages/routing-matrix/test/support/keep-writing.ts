/**
 * Writes outcomes and snapshots without end into the SQLite database argv[2] and the folder argv[3], from outcome number
 * argv[4] on, and prints the number of each outcome once it is acknowledged.
 */
import { openSqlite } from '@bonafide/storage';
import { createRoutingMatrix } from '../../src/index.ts';
import { createFileSnapshots } from '../../src/recovery/file-snapshots.ts';
import { createKyselyRoutingStore } from '../../src/stores/kysely.ts';

const [, , path = '', folder = '', from = '0'] = process.argv;
const db = openSqlite({ path });
const matrix = createRoutingMatrix({
  store: createKyselyRoutingStore(db),
  snapshots: createFileSnapshots({ folder }),
});
await matrix.budgets.set({ taskType: 'code', dailyMsat: 1e12 });
for (let n = Number(from); ; n += 1) {
  await matrix.recordOutcome({
    jobId: `${n}`,
    platform: { pubkey: `${n % 5}`, d: '' },
    taskType: 'code',
    outcome: n % 3 === 0 ? 'FAILURE' : 'SUCCESS',
  });
  await matrix.budgets.reserve({ reservationId: `${n}`, taskType: 'code', amountMsat: n });
  process.stdout.write(`\n${n}\n`);
  if (n % 3 === 0) await matrix.snapshot();
}
