import { keyset } from '@bonafide/storage';
import { lockPeer } from './peers.ts';
import { inScope, type Scope } from './scope.ts';
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
async function prunePeer(scope: Scope, peerId: string, before: number): Promise<number> {
  const { db, agentId } = scope;
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
    if (ids.length > 0) pruned += await removeText(scope, peerId, ids);
    const last = rows.at(-1);
    if (!last || rows.length < step) return pruned;
    after = [last.created_at, last.interaction_id];
  }
}

/** Locks the peer first, as every write does: an erasure may go through the same rows in another order. */
function removeText(scope: Scope, peerId: string, ids: readonly string[]): Promise<number> {
  return inScope(scope, async (transaction) => {
    const { db, agentId } = transaction;
    // Without the peer, its rows have lost their text.
    if (!(await lockPeer(transaction, peerId))) return 0;
    const { numUpdatedRows } = await db
      .updateTable('ledger_interactions')
      .set({ ...noText(db), pruned: 1 })
      .where('agent_id', '=', agentId)
      .where('interaction_id', 'in', ids)
      .where('pruned', '=', 0)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });
}
