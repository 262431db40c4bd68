/** Records forty messages of four peers in the file argv[2], as another process does at the same time. */
import { createLedger } from '@bonafide/ledger-core';
import { openLmdbLedgerStore } from '../../src/lmdb-ledger-store.ts';

const [, , path = '', name = ''] = process.argv;
const store = openLmdbLedgerStore({ path });
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
await store.close();
process.stdout.write(String(recorded));
