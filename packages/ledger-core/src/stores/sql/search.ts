import { dialectOf, keyset } from '@bonafide/storage';
import { type SqlBool, sql } from 'kysely';
import type { Interaction } from '../../records.ts';
import type { SearchQuery } from '../../store.ts';
import { containsWords } from '../message-words.ts';
import { inOrder } from './history.ts';
import { interactionColumns, withOutcomes } from './interactions.ts';
import type { Scope } from './scope.ts';
import { hasSearchIndex } from './search-index.ts';
import { wordArray, wordsColumn } from './search-words.ts';

/** Number of messages read at a time where there is no index. */
const scanPage = 500;

/** Searches messages by their words: FTS5 in SQLite, an array in Postgres, every message in a SQLite without FTS5. */
export async function searchInteractions(scope: Scope, search: SearchQuery): Promise<readonly Interaction[]> {
  const { db, agentId } = scope;
  const { words, limit, after } = search;
  if (dialectOf(db) === 'sqlite' && !(await hasSearchIndex(db))) return await scanInteractions(scope, search);
  // Every word is a quoted phrase: what a user writes is never an operator of the query language.
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  const matches =
    dialectOf(db) === 'sqlite'
      ? sql<SqlBool>`interaction_id in (
          select found.interaction_id from ledger_search
          join ledger_search_rows as found on found.id = ledger_search.rowid
          where ledger_search match ${phrases} and found.agent_id = ${agentId})`
      : sql<SqlBool>`search_words @> ${wordArray(wordsColumn(words.join(' ')))}`;
  const rows = await keyset(
    candidates(scope, search).where(matches),
    inOrder('interaction_id', 'newest', after),
  )
    .limit(limit)
    .execute();
  return await withOutcomes(scope, rows);
}

async function scanInteractions(scope: Scope, search: SearchQuery): Promise<readonly Interaction[]> {
  const matches = containsWords(search.words);
  const found: LedgerDatabaseRow[] = [];
  let { after } = search;
  while (found.length < search.limit) {
    const rows = await keyset(candidates(scope, search), inOrder('interaction_id', 'newest', after))
      .limit(scanPage)
      .execute();
    found.push(...rows.filter(({ content }) => matches(content)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < scanPage) break;
    after = { value: Number(last.created_at), id: last.interaction_id };
  }
  return await withOutcomes(scope, found.slice(0, search.limit));
}

/** Returns the query of all messages that a search may find. */
function candidates({ db, agentId }: Scope, { peerId }: SearchQuery) {
  const query = db
    .selectFrom('ledger_interactions')
    .select(interactionColumns)
    .where('agent_id', '=', agentId)
    .where('voided_at', 'is', null);
  return peerId === null ? query : query.where('peer_id', '=', peerId);
}

type LedgerDatabaseRow = Awaited<ReturnType<ReturnType<typeof candidates>['execute']>>[number];
