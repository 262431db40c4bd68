// Writes more into the journal that its argument names than its process may, and says what then happens.
import { createLedger } from '@bonafide/ledger-core';
import { openJsonlLedgerStore } from '../../src/jsonl-ledger-store.ts';

const [path = ''] = process.argv.slice(2);
const store = await openJsonlLedgerStore({ path });
const ledger = createLedger({ store });
const message = (error: unknown) =>
  error instanceof Error ? error.message.replace('The journal ', '') : error;
await ledger
  .recordIncoming({ peerId: 'bob', channel: 'telegram', content: 'x'.repeat(1_000_000) })
  .catch((error: unknown) => process.stdout.write(`write: ${message(error)}\n`));
await store.getTotals().catch((error: unknown) => process.stdout.write(`read: ${message(error)}\n`));
await store.close();
