/**
 * Begins a cycle on the database argv[2] whose reflection never ends, and prints 'reflecting' then: to be killed.
 */
import { writeSync } from 'node:fs';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore } from '@bonafide/ledger-core/kysely';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createCortex } from '../../src/create-cortex.ts';
import { createKyselyCortexState } from '../../src/stores/kysely.ts';

const [, , url = ''] = process.argv;
const db = url.startsWith('postgres') ? openPostgres({ url }) : openSqlite({ path: url });
const cortex = createCortex({
  ledger: createLedger({ store: createKyselyLedgerStore(db) }),
  reflector: {
    reflect() {
      writeSync(1, 'reflecting\n');
      return new Promise(() => {});
    },
  },
  state: createKyselyCortexState(db),
});
await cortex.reflectNow('killed');
