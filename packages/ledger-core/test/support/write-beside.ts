/** Records forty messages of four peers in the database argv[2], as another process does at the same time. */
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createLedger } from '../../src/index.ts';
import { createKyselyLedgerStore } from '../../src/stores/kysely.ts';

const [, , url = '', name = ''] = process.argv;
const db = url.startsWith('postgres') ? openPostgres({ url }) : openSqlite({ path: url });
const ledger = createLedger({ store: createKyselyLedgerStore(db) });
let recorded = 0;
const peers = Array.from({ length: 4 }, (_, n) => `${n}`.repeat(64));
for (let n = 0; n < 40; n++) {
  const work = { peerId: peers[n % 4] ?? '', channel: 'nostr', correlationId: `w${n}`, externalId: `e${n}` };
  const result = await ledger.recordIncoming({ ...work, content: `Message ${n}` });
  if (!result?.duplicate) recorded += 1;
  await ledger.recordOutcome(`w${n}`, 'paid', { externalId: `paid-${n}` });
}
for (const peerId of peers) await ledger.recordAssessment(peerId, 3, `Paid ten times, says process ${name}.`);
await db.destroy();
process.stdout.write(String(recorded));
