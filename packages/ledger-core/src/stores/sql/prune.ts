import { keyset } from '@bonafide/storage';
import type { Scope } from './scope.ts';
import { noText } from './text-removal.ts';

/** Rows that one step changes, so that a running agent never waits for long. */
const step = 500;

/** Removes text and evidence of what is older than `before`, peer by peer. Returns how many rows lost theirs. */
export async function prune(scope: Scope, before: number): Promise<number> {
  let pruned = 0;
  let peerId: string | null = '';
  for (;;) {
    peerId = await nextPeer(scope, peerId);
    if (peerId === null) return pruned;
    pruned += await prunePeer(scope, peerId, before);
  }
}

async function nextPeer({ db, agentId }: Scope, after: string): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_peers')
    .select('peer_id')
    .where('agent_id', '=', agentId)
    .where('peer_id', '>', after)
    .orderBy('peer_id')
    .limit(1)
    .executeTakeFirst();
  return row?.peer_id ?? null;
}

/** Goes through a peer's old interactions by their index, oldest first. */
async function prunePeer({ db, agentId }: Scope, peerId: string, before: number): Promise<number> {
  let pruned = 0;
  let after: readonly [createdAt: number, interactionId: string] | null = null;
  for (;;) {
    const old = db
      .selectFrom('ledger_interactions')
      .select(['interaction_id', 'created_at', 'pruned'])
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', peerId)
      .where('created_at', '<', before);
    const by = ['created_at', 'interaction_id'] as const;
    const rows = await keyset(old, { by, direction: 'asc', after }).limit(step).execute();
    const ids = rows.filter((row) => Number(row.pruned) === 0).map((row) => row.interaction_id);
    if (ids.length > 0) {
      const { numUpdatedRows } = await db
        .updateTable('ledger_interactions')
        .set({ ...noText(db), pruned: 1 })
        .where('agent_id', '=', agentId)
        .where('interaction_id', 'in', ids)
        .where('pruned', '=', 0)
        .executeTakeFirst();
      pruned += Number(numUpdatedRows);
    }
    const last = rows.at(-1);
    if (!last || rows.length < step) return pruned;
    after = [last.created_at, last.interaction_id];
  }
}
