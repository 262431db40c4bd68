/**
 * Writes to the ledger at argv[2] for ever, as fast as the disk lets it; says each write on stdout when it is
 * acknowledged, and not before. argv[3] keeps the ids of one run apart from those of others.
 */

import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { acquireWriter, openSqlite } from '@bonafide/storage';
import { createLedger } from '../../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../../src/stores/kysely.ts';

// Who is killed writes nothing at its end.
flushCompileCache();

const [, , path = '', run = ''] = process.argv;
using _writer = acquireWriter({ path });
const db = openSqlite({ path });
await migrateLedger(db);
const ledger = createLedger({ store: createKyselyLedgerStore(db) });

// Synchronous, so that what was said is out before anything else happens.
const say = (line: string) => writeSync(1, `${line}\n`);

async function converse(flow: number): Promise<never> {
  for (let n = 0; ; n++) {
    const key = `${run}-${flow}-${n}`;
    const message = {
      peerId: `peer${(flow * 7 + n) % 20}`,
      channel: 'irc',
      correlationId: key,
      externalId: key,
    };
    await ledger.recordIncoming({
      ...message,
      content: `${key} ${'x'.repeat(n % 2000)}`,
      outcome: 'requested',
    });
    say(`i ${key}`);
    await ledger.recordOutcome(key, n % 3 ? 'paid' : 'timeout', { externalId: `o-${key}` });
    say(`o ${key}`);
    await ledger.recordAssessment(`irc:${message.peerId}`, (n % 21) - 10, `Because of ${key}`);
    say(`a ${key}`);
  }
}

say('ready');
await Promise.all([0, 1, 2, 3].map(converse));
