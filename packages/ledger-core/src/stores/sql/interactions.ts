import { dialectOf, keyset, prepare } from '@bonafide/storage';
import type { Insertable, Selectable } from 'kysely';
import type { Direction, Interaction } from '../../records.ts';
import type { HistoryQuery, InteractionWrite, LedgerStore } from '../../store.ts';
import { byLimit, inOrder } from './history.ts';
import { fromJson, toJson } from './json.ts';
import { type LastOutcome, lastOutcomes } from './outcomes.ts';
import type { Scope } from './scope.ts';
import { wordArray, wordsColumn } from './search-words.ts';
import type { LedgerTables } from './tables.ts';

type InteractionsTable = LedgerTables['ledger_interactions'];
type InteractionRow = Omit<Selectable<InteractionsTable>, 'agent_id' | 'search_words'>;

/** The verb that reads messages. */
export function interactionReading(scope: Scope): Pick<LedgerStore, 'listInteractions'> {
  const newestOrOldest = byLimit((order, limit) =>
    prepare<{ peer_id: string }, InteractionRow>((argument) =>
      keyset(selectInteractions(scope, argument('peer_id')), inOrder('interaction_id', order)).limit(limit),
    ),
  );

  async function read({ peerId, order, limit, after }: HistoryQuery): Promise<readonly InteractionRow[]> {
    if (!after) return (await newestOrOldest(order, limit)(scope.db, { peer_id: peerId })).rows;
    return await keyset(selectInteractions(scope, peerId), inOrder('interaction_id', order, after))
      .limit(limit)
      .execute();
  }

  return {
    async listInteractions(query) {
      return await withOutcomes(scope, await read(query));
    },
  };
}

/** Adds to each row the last outcome of its piece of work. */
export async function withOutcomes(
  scope: Scope,
  rows: readonly InteractionRow[],
): Promise<readonly Interaction[]> {
  const byPeer = new Map<string, Awaited<ReturnType<typeof lastOutcomes>>>();
  for (const [peerId, ofPeer] of Map.groupBy(rows, (row) => row.peer_id)) {
    byPeer.set(peerId, await lastOutcomes(scope, peerId, ofPeer));
  }
  return rows.map((row) => toInteraction(row, byPeer.get(row.peer_id)?.get(row.correlation_id)));
}

/** Returns the id of the peer's message with this direction and externalId, which there is. */
export async function interactionIdOf(
  { db, agentId }: Scope,
  peerId: string,
  direction: Direction,
  externalId: string,
): Promise<string> {
  const row = await db
    .selectFrom('ledger_interactions')
    .select('interaction_id')
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .where('external_id', '=', externalId)
    .where('direction', '=', direction)
    .executeTakeFirstOrThrow();
  return row.interaction_id;
}

/** Lists the peers with messages of this correlationId, ordered by id. */
export async function peersOf({ db, agentId }: Scope, correlationId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ledger_interactions')
    .select('peer_id')
    .distinct()
    .where('agent_id', '=', agentId)
    .where('correlation_id', '=', correlationId)
    .orderBy('peer_id')
    .execute();
  return rows.map((row) => row.peer_id);
}

type InsertArguments = Omit<
  Insertable<InteractionsTable>,
  'agent_id' | 'pruned' | 'voided_at' | 'void_reason' | 'search_words'
> & { readonly words: string };

/** Inserts a message; false when one of its id, or of its direction and externalId for the peer, is there already. */
export function prepareInsertInteraction({ db, agentId }: Scope) {
  const isPostgres = dialectOf(db) === 'postgres';
  const insert = prepare<InsertArguments, unknown>((argument) =>
    db
      .insertInto('ledger_interactions')
      .values({
        agent_id: agentId,
        interaction_id: argument('interaction_id'),
        peer_id: argument('peer_id'),
        direction: argument('direction'),
        channel: argument('channel'),
        content: argument('content'),
        content_length: argument('content_length'),
        redacted: argument('redacted'),
        correlation_id: argument('correlation_id'),
        external_id: argument('external_id'),
        evidence: argument('evidence'),
        metrics: argument('metrics'),
        created_at: argument('created_at'),
        received_at: argument('received_at'),
        ...(isPostgres && { search_words: wordArray(argument('words')) }),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return async (transaction: Scope, write: InteractionWrite): Promise<boolean> => {
    const { numAffectedRows } = await insert(transaction.db, {
      ...fromInteraction(write),
      words: isPostgres ? wordsColumn(write.interaction.content) : '',
    });
    return Number(numAffectedRows) > 0;
  };
}

/** The columns of a message without those for searches. */
export const interactionColumns = [
  'interaction_id',
  'peer_id',
  'direction',
  'channel',
  'content',
  'content_length',
  'redacted',
  'pruned',
  'voided_at',
  'void_reason',
  'correlation_id',
  'external_id',
  'evidence',
  'metrics',
  'created_at',
  'received_at',
] as const satisfies readonly (keyof InteractionRow)[];

function selectInteractions({ db, agentId }: Scope, peerId: string) {
  return db
    .selectFrom('ledger_interactions')
    .select(interactionColumns)
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId);
}

function fromInteraction({ peer, interaction }: InteractionWrite): Omit<InsertArguments, 'words'> {
  return {
    interaction_id: interaction.interactionId,
    peer_id: peer.peerId,
    direction: interaction.direction,
    channel: peer.channel,
    content: interaction.content,
    content_length: interaction.contentLength,
    redacted: interaction.redacted ? 1 : 0,
    correlation_id: interaction.correlationId,
    external_id: interaction.externalId,
    evidence: toJson(interaction.evidence),
    metrics: toJson(interaction.metrics),
    created_at: interaction.createdAt,
    received_at: interaction.receivedAt,
  };
}

function toInteraction(row: InteractionRow, last: LastOutcome | undefined): Interaction {
  return {
    interactionId: row.interaction_id,
    peerId: row.peer_id,
    direction: row.direction,
    channel: row.channel,
    content: row.content,
    contentLength: Number(row.content_length),
    redacted: Number(row.redacted) === 1,
    pruned: Number(row.pruned) === 1,
    voided: row.voided_at === null ? null : { at: Number(row.voided_at), reason: row.void_reason ?? '' },
    correlationId: row.correlation_id,
    externalId: row.external_id,
    evidence: fromJson(row.evidence),
    outcome: last?.outcome ?? null,
    metrics: fromJson(row.metrics) ?? fromJson(last?.metrics ?? null),
    createdAt: Number(row.created_at),
    receivedAt: Number(row.received_at ?? row.created_at),
  };
}
