import type { Kysely } from 'kysely';
import { createHandleKey, derivedHandles, handleKeyName, plainHandle } from '../../handle.ts';
import type { Scope } from './scope.ts';
import type { LedgerTables } from './tables.ts';
import { keepValue } from './values.ts';

/** Peers per step. */
const step = 500;

/** Gives a handle to every peer that was recorded before handles existed. Can be interrupted and repeated. */
export async function fillHandles(db: Kysely<LedgerTables>): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('ledger_peers')
      .select(['agent_id', 'peer_id'])
      .where('handle', 'is', null)
      .limit(step)
      .execute();
    for (const { agent_id, peer_id } of rows) await fill({ db, agentId: agent_id }, peer_id);
    if (rows.length < step) return;
  }
}

async function fill(scope: Scope, peerId: string): Promise<void> {
  const handle = plainHandle(peerId) ?? (await freeHandle(scope, peerId));
  await scope.db
    .updateTable('ledger_peers')
    .set({ handle })
    .where('agent_id', '=', scope.agentId)
    .where('peer_id', '=', peerId)
    .where('handle', 'is', null)
    .execute();
}

async function freeHandle(scope: Scope, peerId: string): Promise<string> {
  const candidate = createHandleKey();
  const key = (await keepValue(scope, handleKeyName, { first: candidate })) ?? candidate;
  for (const handle of derivedHandles(key, peerId)) {
    const owner = await scope.db
      .selectFrom('ledger_peers')
      .select('peer_id')
      .where('agent_id', '=', scope.agentId)
      .where('handle', '=', handle)
      .executeTakeFirst();
    if (!owner) return handle;
  }
  throw new Error('Every handle of this peer is taken.');
}
