/**
 * Works on the log in the database argv[2] under the name argv[3] beside other processes: records outcomes (every job is
 * reported by all), chooses for the same jobs, and reserves money. Prints what it was told as one JSON document.
 */
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createRoutingMatrix, type RoutingAlert } from '../../src/index.ts';
import { createKyselyRoutingStore } from '../../src/stores/kysely.ts';

const [, , url = '', name = ''] = process.argv;
const db = url.startsWith('postgres') ? openPostgres({ url }) : openSqlite({ path: url });
const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
const alerts: RoutingAlert[] = [];
matrix.on('alert', (alert) => alerts.push(alert));

let granted = 0;
let recorded = 0;
const picks: Record<string, string> = {};
for (let job = 0; job < 12; job += 1) {
  const { picks: chosen } = await matrix.select({ taskType: 'code', jobId: `job-${job}`, valueMsat: 1 });
  picks[`job-${job}`] = chosen[0]?.platformId ?? '';
  const result = await matrix.recordOutcome({
    jobId: `job-${job}`,
    platform: { pubkey: `${job % 4}`.padStart(64, '0'), d: 'main' },
    taskType: 'code',
    outcome: job === 7 ? 'SECURITY_VIOLATION' : job % 3 === 0 ? 'FAILURE' : 'SUCCESS',
  });
  if (result.recorded) recorded += 1;
  const { state } = await matrix.budgets.reserve({
    reservationId: `${name}-${job}`,
    taskType: 'code',
    amountMsat: 100,
  });
  if (state === 'held') granted += 100;
}
// Every process proposes; none knows the others' proposals.
await matrix.applyMutation({ newThresholds: { prose: 0.5 + Number(name) / 100 }, clock: { [name]: 1 } });
const { thresholds } = await matrix.thresholds();
await matrix.close();
await db.destroy();
process.stdout.write(JSON.stringify({ granted, recorded, picks, alerts, code: thresholds.code }));
