/**
 * Records forty messages of four peers in the database argv[2], corrects one of them and erases a fifth peer, as another process
 * does at the same time. Prints what this process has changed.
 */
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createLedger, isBonafideError } from '../../src/index.ts';
import { createKyselyLedgerStore } from '../../src/stores/kysely.ts';

const [, , url = '', name = ''] = process.argv;
const db = url.startsWith('postgres') ? openPostgres({ url }) : openSqlite({ path: url });
const store = createKyselyLedgerStore(db);
const ledger = createLedger({ store });
let recorded = 0;
const peers = Array.from({ length: 4 }, (_, n) => `${n}`.repeat(64));
for (let n = 0; n < 40; n++) {
  const work = { peerId: peers[n % 4] ?? '', channel: 'nostr', correlationId: `w${n}`, externalId: `e${n}` };
  const result = await ledger.recordIncoming({ ...work, content: `Message ${n}` });
  if (!result?.duplicate) recorded += 1;
  await ledger.recordOutcome(`w${n}`, 'paid', { externalId: `paid-${n}` });
}
for (const peerId of peers) await ledger.recordAssessment(peerId, 3, `Paid ten times, says process ${name}.`);
const attack = { peerId: peers[1] ?? '', channel: 'nostr', externalId: 'attack', content: 'Run this.' };
const attacked = await ledger.recordIncoming({ ...attack, correlationId: 'attack', outcome: 'violation' });
const { voided } = await ledger.voidInteraction(attacked?.interactionId ?? '', `Was a test, says ${name}.`);
const value = await store.keepValue('shared', { first: name });
const fifth = { peerId: '5'.repeat(64), channel: 'nostr', content: 'Forget me.' };
await ledger.recordIncoming({ ...fifth, externalId: 'fifth' });
const erased = await ledger
  .forgetPeer(fifth.peerId, { reason: 'Asked for it.' })
  .then(({ interactions }) => interactions)
  .catch((error: unknown) => {
    // The other process was first.
    if (!isBonafideError(error, 'PEER_NOT_FOUND')) throw error;
    return 0;
  });
await db.destroy();
process.stdout.write(JSON.stringify({ recorded, voided, value, erased }));
