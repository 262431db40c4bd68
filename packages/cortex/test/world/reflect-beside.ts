/**
 * Reflects on the database argv[2] as another process of the same agent, argv[4] times; argv[3] names it. Prints how many cycles
 * it ran.
 */
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore } from '@bonafide/ledger-core/kysely';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createCortex } from '../../src/create-cortex.ts';
import { createRuleReflector } from '../../src/reflection/rule-reflector.ts';
import { createKyselyCortexState } from '../../src/stores/kysely.ts';

const [, , url = '', name = '', times = '1'] = process.argv;
const db = url.startsWith('postgres') ? openPostgres({ url }) : openSqlite({ path: url });
const ledger = createLedger({ store: createKyselyLedgerStore(db) });
const rule = createRuleReflector();
const reflector = {
  name,
  // Long enough for the other process to ask meanwhile.
  reflect: async (request: Parameters<typeof rule.reflect>[0]) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return rule.reflect(request);
  },
};
const cortex = createCortex({ ledger, reflector, state: createKyselyCortexState(db) });
let applied = 0;
for (let n = 0; n < Number(times); n += 1) {
  const peerId = `${n}${name}`.padEnd(64, '0').replace(/[^0-9a-f]/gu, '0');
  // In one write: the other process must not reflect between a message and its outcome, which would be two facts.
  const work = { correlationId: `${name}-${n}`, outcome: 'verified' } as const;
  await ledger.recordIncoming({ peerId, channel: 'nostr', content: 'hi', ...work });
  const { status } = await cortex.reflectNow(name);
  if (status === 'applied') applied += 1;
  await cortex.noteCommitment({ peerId, what: `${name} ${n}`, dueAt: Date.now() + 3_600_000 });
  await cortex.edit({ key: `own-${name}-${n}`, value: 'written by the operator' });
}
await cortex.close();
await db.destroy();
process.stdout.write(String(applied));
