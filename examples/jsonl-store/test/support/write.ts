// Writes into the journal that its argument names until it is killed, and says each write when it is stored.
import { writeSync } from 'node:fs';
import { createLedger } from '@bonafide/ledger-core';
import { openJsonlLedgerStore } from '../../src/jsonl-ledger-store.ts';

const [path = ''] = process.argv.slice(2);
const ledger = createLedger({ store: await openJsonlLedgerStore({ path }) });
for (let n = 0; ; n += 1) {
  await ledger.recordIncoming({ peerId: `peer${n % 7}`, channel: 'telegram', content: 'x'.repeat(n % 900) });
  writeSync(1, `${n}\n`);
}
