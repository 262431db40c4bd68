import { dialectOf } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { messageWords } from '../message-words.ts';
import type { LedgerTables } from './tables.ts';

/** Messages per step. */
const step = 500;
/** Different words of one message that are found, the first ones. */
const mostWords = 50_000;

/** Returns the different words of a text, separated by spaces, as Postgres stores them. */
export function wordsColumn(text: string): string {
  return [...new Set(messageWords(text))].slice(0, mostWords).join(' ');
}

/** Turns a parameter of `wordsColumn` into the array that Postgres stores. */
export const wordArray = (words: string) => sql<string[]>`string_to_array(${words}, ' ')`;

/**
 * Splits the messages of a Postgres database into words that were recorded before the column existed. Can be interrupted
 * and repeated. Postgres's own parser is not used: it takes addresses and numbers for one word.
 */
export async function fillSearchWords(db: Kysely<LedgerTables>): Promise<void> {
  if (dialectOf(db) !== 'postgres') return;
  for (;;) {
    const rows = await db
      .selectFrom('ledger_interactions')
      .select(['agent_id', 'interaction_id', 'content'])
      .where('search_words', 'is', null)
      .where('content', '<>', '')
      .limit(step)
      .execute();
    for (const { agent_id, interaction_id, content } of rows) {
      await db
        .updateTable('ledger_interactions')
        .set({ search_words: wordArray(wordsColumn(content)) })
        .where('agent_id', '=', agent_id)
        .where('interaction_id', '=', interaction_id)
        // Erased meanwhile.
        .where('content', '<>', '')
        .execute();
    }
    if (rows.length < step) return;
  }
}
