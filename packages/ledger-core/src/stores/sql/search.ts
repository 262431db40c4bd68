import { dialectOf, keyset } from '@bonafide/storage';
import { type SqlBool, sql } from 'kysely';
import type { Interaction } from '../../records.ts';
import type { SearchQuery } from '../../store.ts';
import { inOrder } from './history.ts';
import { withOutcomes } from './interactions.ts';
import type { Scope } from './scope.ts';

/** Searches messages by full text: FTS5 in SQLite, a GIN index in Postgres. */
export async function searchInteractions(
  scope: Scope,
  { words, peerId, limit, after }: SearchQuery,
): Promise<readonly Interaction[]> {
  const { db, agentId } = scope;
  // Every word is a quoted phrase: what a user writes is never an operator of the query language.
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  const matches =
    dialectOf(db) === 'sqlite'
      ? sql<SqlBool>`interaction_id in (
          select found.interaction_id from ledger_search
          join ledger_search_rows as found on found.id = ledger_search.rowid
          where ledger_search match ${phrases} and found.agent_id = ${agentId})`
      : sql<SqlBool>`to_tsvector('simple', left(content, 100000)) @@ plainto_tsquery('simple', ${words.join(' ')})`;
  let query = db
    .selectFrom('ledger_interactions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('voided_at', 'is', null)
    .where(matches);
  if (peerId !== null) query = query.where('peer_id', '=', peerId);
  const rows = await keyset(query, inOrder('interaction_id', 'newest', after))
    .limit(limit)
    .execute();
  return await withOutcomes(scope, rows);
}
