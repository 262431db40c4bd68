/**
 * The ledger in SQLite or Postgres, through any Kysely instance.
 * @packageDocumentation
 */
import { migrate } from '@bonafide/storage';
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Assessment, Interaction, OutcomeEvent, OutcomeResult, PeerOrder } from '../records.ts';
import type { HistoryQuery, LedgerStore, RecordedOutcome, StoredPeer } from '../store.ts';
import { ledgerMigrations } from './migrations.ts';
import { prepare } from './prepared.ts';
import type { LedgerTables } from './tables.ts';

export { ledgerMigrations } from './migrations.ts';

// biome-ignore lint/suspicious/noExplicitAny: the host's database has tables of its own, whatever they are.
type AnyKysely = Kysely<any>;

/** Options of `createKyselyLedgerStore`. */
export interface KyselyLedgerStoreOptions {
  /**
   * Whose journal this is, when several agents of one operator share a database (LED-24). Every query is bound to it.
   * @default 'default'
   */
  readonly agentId?: string;
}

/**
 * Creates the ledger's tables, or brings them up to date. Harmless when they are. Throws a `StorageError`, among them
 * `SCHEMA_NEWER` when a newer version has been here.
 */
export async function migrateLedger(db: AnyKysely): Promise<void> {
  await migrate(db, { name: 'ledger', migrations: ledgerMigrations });
}

/**
 * A store in the database behind `db`, which stays the caller's to close. Run `migrateLedger(db)` first.
 *
 * @example
 * const db = openSqlite({ path: 'ledger.db' });
 * await migrateLedger(db);
 * const ledger = createLedger({ store: createKyselyLedgerStore(db) });
 */
export function createKyselyLedgerStore(db: AnyKysely, options: KyselyLedgerStoreOptions = {}): LedgerStore {
  const { agentId = 'default' } = options;
  const database: Kysely<LedgerTables> = db;
  const prepared = prepareQueries(database, agentId);

  return {
    agentId,

    async recordInteraction({ peer, interaction, outcome }) {
      const { peerId } = peer;
      const { interactionId, externalId } = interaction;
      try {
        await database.transaction().execute(async (trx) => {
          await prepared.touchPeer(trx, {
            peer_id: peerId,
            native_id: peer.nativeId,
            channel: peer.channel,
            alias: peer.alias,
            at: interaction.createdAt,
          });
          const inserted = await prepared.insertInteraction(trx, {
            interaction_id: interactionId,
            peer_id: peerId,
            direction: interaction.direction,
            channel: peer.channel,
            content: interaction.content,
            content_length: interaction.contentLength,
            redacted: interaction.redacted ? 1 : 0,
            correlation_id: interaction.correlationId,
            external_id: externalId,
            evidence: toJson(interaction.evidence),
            metrics: toJson(interaction.metrics),
            created_at: interaction.createdAt,
          });
          if (Number(inserted.numAffectedRows) === 0)
            throw new Repeated(`'${interactionId}' is there already`);
          if (outcome) await appendOutcome(trx, agentId, { ...outcome, peerId });
        });
      } catch (error) {
        // Thrown to undo what touchPeer did.
        if (!(error instanceof Repeated) || externalId === null) throw error;
        const earlier = await database
          .selectFrom('ledger_interactions')
          .select('interaction_id')
          .where('agent_id', '=', agentId)
          .where('peer_id', '=', peerId)
          .where('external_id', '=', externalId)
          .executeTakeFirstOrThrow();
        return { interactionId: earlier.interaction_id, recorded: false };
      }
      return { interactionId, recorded: true };
    },

    async recordOutcome(write) {
      const peerIds =
        write.peerId === null ? await peersOf(database, agentId, write.correlationId) : [write.peerId];
      if (peerIds.length > 1) return { kind: 'ambiguous', peerIds };
      const [peerId] = peerIds;
      if (peerId === undefined) return { kind: 'unknown' };
      return await database.transaction().execute(async (trx) => {
        const known = await lockPeer(trx, agentId, peerId);
        return known ? appendOutcome(trx, agentId, { ...write, peerId }) : { kind: 'unknown' };
      });
    },

    async recordAssessment(peerId, assess) {
      return await database.transaction().execute(async (trx) => {
        await lockPeer(trx, agentId, peerId);
        const row = await selectPeers(trx, agentId).where('peer.peer_id', '=', peerId).executeTakeFirst();
        if (!row) return null;
        const { peer, latest } = toStoredPeer(row);
        const assessment = assess(peer, latest);
        await trx.insertInto('ledger_assessments').values(fromAssessment(agentId, assessment)).execute();
        const isLatest =
          !latest ||
          assessment.createdAt > latest.createdAt ||
          (assessment.createdAt === latest.createdAt && assessment.assessmentId > latest.assessmentId);
        await trx
          .updateTable('ledger_peers')
          .set({
            assessment_count: peer.assessmentCount + 1,
            ...(isLatest && {
              latest_assessment_id: assessment.assessmentId,
              latest_assessed_at: assessment.createdAt,
              latest_trust: assessment.trust,
            }),
          })
          .where('agent_id', '=', agentId)
          .where('peer_id', '=', peerId)
          .execute();
        return assessment;
      });
    },

    async getPeer(peerId) {
      const { rows } = await prepared.getPeer(database, { peer_id: peerId });
      return rows[0] ? toStoredPeer(rows[0]) : null;
    },

    async listPeers({ orderBy, limit, after, nativeId, peerIdPrefix, trustBelow }) {
      const column = orderColumn[orderBy];
      let query = selectPeers(database, agentId);
      if (after) {
        query = query.where(sql<boolean>`(${sql.ref(column)}, peer.peer_id) < (${after.value}, ${after.id})`);
      }
      if (nativeId !== undefined) query = query.where('peer.native_id', '=', nativeId);
      if (peerIdPrefix !== undefined) {
        query = query
          .where('peer.peer_id', '>=', peerIdPrefix)
          .where('peer.peer_id', '<', `${peerIdPrefix}\u{10FFFF}`);
      }
      if (trustBelow !== undefined) query = query.where('peer.latest_trust', '<', trustBelow);
      const rows = await query.orderBy(column, 'desc').orderBy('peer.peer_id', 'desc').limit(limit).execute();
      return rows.map(toStoredPeer);
    },

    async listInteractions({ peerId, order, limit, after }) {
      const { rows } = after
        ? {
            rows: await selectInteractions(database, agentId, order)
              .where('peer_id', '=', peerId)
              .where(
                sql<boolean>`(created_at, interaction_id) ${comparison(order)} (${after.value}, ${after.id})`,
              )
              .limit(limit)
              .execute(),
          }
        : await prepared.listInteractions(order, limit)(database, { peer_id: peerId });
      const last = await lastOutcomes(database, agentId, peerId, rows);
      return rows.map((row) => toInteraction(row, last.get(row.correlation_id)));
    },

    async listOutcomes({ peerId, order, limit, after }) {
      const direction = order === 'newest' ? 'desc' : 'asc';
      let query = database
        .selectFrom('ledger_outcomes')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where('peer_id', '=', peerId);
      if (after) {
        query = query.where(
          sql<boolean>`(created_at, outcome_id) ${comparison(order)} (${after.value}, ${after.id})`,
        );
      }
      const rows = await query
        .orderBy('created_at', direction)
        .orderBy('outcome_id', direction)
        .limit(limit)
        .execute();
      return rows.map(toOutcome);
    },

    async listAssessments({ peerId, order, limit, after }) {
      if (peerId !== null && !after) {
        const { rows } = await prepared.listAssessments(order, limit)(database, { peer_id: peerId });
        return rows.map(toAssessment);
      }
      let query = selectAssessments(database, agentId, order);
      if (peerId !== null) query = query.where('peer_id', '=', peerId);
      if (after) {
        query = query.where(
          sql<boolean>`(created_at, assessment_id) ${comparison(order)} (${after.value}, ${after.id})`,
        );
      }
      return (await query.limit(limit).execute()).map(toAssessment);
    },

    async getTotals() {
      const counts = await database
        .selectFrom('ledger_peers')
        .select(({ fn }) => [
          fn.countAll<number>().as('peers'),
          fn.sum<number | null>('interaction_count').as('interactions'),
          fn.sum<number | null>('assessment_count').as('assessments'),
        ])
        .where('agent_id', '=', agentId)
        .executeTakeFirstOrThrow();
      const positive = await database
        .selectFrom('ledger_assessments')
        .select(({ fn }) => fn.countAll<number>().as('assessments'))
        .where('agent_id', '=', agentId)
        .where('trust', '>', 0)
        .executeTakeFirstOrThrow();
      const trusts = await database
        .selectFrom('ledger_peers')
        .select(({ fn }) => ['latest_trust', fn.countAll<number>().as('peers')])
        .where('agent_id', '=', agentId)
        .where('latest_trust', 'is not', null)
        .groupBy('latest_trust')
        .orderBy('latest_trust')
        .execute();
      return {
        peers: Number(counts.peers),
        interactions: Number(counts.interactions),
        assessments: Number(counts.assessments),
        positiveAssessments: Number(positive.assessments),
        trustDistribution: trusts.map((row) => ({
          trust: Number(row.latest_trust),
          peers: Number(row.peers),
        })),
      };
    },

    async prune(before) {
      let pruned = 0;
      let peerId: string | null = '';
      for (;;) {
        peerId = await nextPeer(database, agentId, peerId);
        if (peerId === null) return pruned;
        pruned += await prunePeer(database, agentId, peerId, before);
      }
    },
  };
}

/** Rows that one step of a prune changes, so that a running agent never waits for long. */
const pruneStep = 500;

async function nextPeer(db: Kysely<LedgerTables>, agentId: string, after: string): Promise<string | null> {
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
async function prunePeer(
  db: Kysely<LedgerTables>,
  agentId: string,
  peerId: string,
  before: number,
): Promise<number> {
  let pruned = 0;
  let after: { readonly created_at: number; readonly interaction_id: string } | undefined;
  for (;;) {
    let query = db
      .selectFrom('ledger_interactions')
      .select(['interaction_id', 'created_at', 'pruned'])
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', peerId)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .orderBy('interaction_id')
      .limit(pruneStep);
    if (after) {
      const { created_at, interaction_id } = after;
      query = query.where(sql<boolean>`(created_at, interaction_id) > (${created_at}, ${interaction_id})`);
    }
    const rows = await query.execute();
    const ids = rows.filter((row) => Number(row.pruned) === 0).map((row) => row.interaction_id);
    if (ids.length > 0) {
      const { numUpdatedRows } = await db
        .updateTable('ledger_interactions')
        .set({ content: '', evidence: null, pruned: 1 })
        .where('agent_id', '=', agentId)
        .where('interaction_id', 'in', ids)
        .where('pruned', '=', 0)
        .executeTakeFirst();
      pruned += Number(numUpdatedRows);
    }
    after = rows.at(-1);
    if (!after || rows.length < pruneStep) return pruned;
  }
}

/** The last outcome of each piece of work that the rows belong to, by correlationId. */
async function lastOutcomes(
  db: Kysely<LedgerTables>,
  agentId: string,
  peerId: string,
  rows: readonly { readonly correlation_id: string | null }[],
): Promise<ReadonlyMap<string | null, LastOutcome>> {
  const works = [...new Set(rows.flatMap(({ correlation_id }) => correlation_id ?? []))];
  if (works.length === 0) return new Map();
  const found = await db
    .selectFrom('ledger_outcomes')
    .select(['correlation_id', 'outcome', 'metrics'])
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .where('correlation_id', 'in', works)
    .orderBy('created_at')
    .orderBy('outcome_id')
    .execute();
  // The later ones overwrite the earlier.
  return new Map(found.map((row) => [row.correlation_id, row]));
}

type LastOutcome = Pick<Selectable<LedgerTables['ledger_outcomes']>, 'outcome' | 'metrics'>;

/** An interaction of the same externalId, or of the same id, is there already. */
class Repeated extends Error {}

const orderColumn = {
  lastSeenAt: 'peer.last_seen_at',
  firstSeenAt: 'peer.first_seen_at',
  interactionCount: 'peer.interaction_count',
} as const satisfies Record<PeerOrder, string>;

const countColumn = {
  success: 'success_count',
  failure: 'failure_count',
  open: 'open_count',
} as const satisfies Record<OutcomeResult, string>;

function comparison(order: HistoryQuery['order']) {
  return order === 'newest' ? sql`<` : sql`>`;
}

/** The queries of the ways that every message goes. */
function prepareQueries(db: Kysely<LedgerTables>, agentId: string) {
  return {
    getPeer: prepare<{ peer_id: string }, PeerRow>((argument) =>
      selectPeers(db, agentId).where('peer.peer_id', '=', argument('peer_id')),
    ),

    /** Creates the peer, or counts one more interaction with it; first and last seen only ever widen. */
    touchPeer: prepare<TouchArguments, unknown>((argument) =>
      db
        .insertInto('ledger_peers')
        .values({
          agent_id: agentId,
          peer_id: argument('peer_id'),
          native_id: argument('native_id'),
          channel: argument('channel'),
          alias: argument('alias'),
          first_seen_at: argument('at'),
          last_seen_at: argument('at'),
          interaction_count: 1,
        })
        .onConflict((conflict) =>
          conflict.columns(['agent_id', 'peer_id']).doUpdateSet({
            alias: sql`case when excluded.last_seen_at >= ledger_peers.last_seen_at
              then coalesce(excluded.alias, ledger_peers.alias)
              else coalesce(ledger_peers.alias, excluded.alias) end`,
            first_seen_at: sql`case when excluded.first_seen_at < ledger_peers.first_seen_at
              then excluded.first_seen_at else ledger_peers.first_seen_at end`,
            last_seen_at: sql`case when excluded.last_seen_at > ledger_peers.last_seen_at
              then excluded.last_seen_at else ledger_peers.last_seen_at end`,
            interaction_count: sql`ledger_peers.interaction_count + 1`,
          }),
        ),
    ),

    insertInteraction: prepare<Omit<Insertable<LedgerTables['ledger_interactions']>, 'agent_id'>, unknown>(
      (argument) =>
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
          })
          .onConflict((conflict) => conflict.doNothing()),
    ),

    listInteractions: byLimit((order, limit) =>
      prepare<{ peer_id: string }, InteractionRow>((argument) =>
        selectInteractions(db, agentId, order).where('peer_id', '=', argument('peer_id')).limit(limit),
      ),
    ),

    listAssessments: byLimit((order, limit) =>
      prepare<{ peer_id: string }, Selectable<LedgerTables['ledger_assessments']>>((argument) =>
        selectAssessments(db, agentId, order).where('peer_id', '=', argument('peer_id')).limit(limit),
      ),
    ),
  };
}

interface TouchArguments {
  readonly peer_id: string;
  readonly native_id: string;
  readonly channel: string;
  readonly alias: string | null;
  readonly at: number;
}

/**
 * One query per order and limit, made when it is first asked for. The limit stands in the text: as a parameter it makes
 * SQLite prepare the statement anew for every value it is given, which costs twice the look-up.
 */
function byLimit<Query>(
  build: (order: HistoryQuery['order'], limit: RawBuilder<number>) => Query,
): (order: HistoryQuery['order'], limit: number) => Query {
  const known = { newest: new Map<number, Query>(), oldest: new Map<number, Query>() };
  return (order, limit) => {
    const query = known[order].get(limit) ?? build(order, sql.lit(limit));
    known[order].set(limit, query);
    return query;
  };
}

/**
 * Takes the row before it is read, so that what is derived from it holds until the transaction ends: a write that
 * changes nothing locks the row in Postgres and the file in SQLite. False when there is no such peer.
 */
async function lockPeer(trx: Kysely<LedgerTables>, agentId: string, peerId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('ledger_peers')
    .set((eb) => ({ interaction_count: eb.ref('interaction_count') }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peerId)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

async function peersOf(
  db: Kysely<LedgerTables>,
  agentId: string,
  correlationId: string,
): Promise<readonly string[]> {
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

/** Appends an outcome and moves the counts. The peer's row must be locked by this transaction. */
async function appendOutcome(
  trx: Kysely<LedgerTables>,
  agentId: string,
  event: OutcomeEvent,
): Promise<RecordedOutcome> {
  const ofPeer = trx
    .selectFrom('ledger_outcomes')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', event.peerId);

  if (event.externalId !== null) {
    const earlier = await ofPeer.where('external_id', '=', event.externalId).executeTakeFirst();
    if (earlier) return { kind: 'repeated', event: toOutcome(earlier) };
  }
  const previous = await ofPeer
    .where('correlation_id', '=', event.correlationId)
    .orderBy('created_at', 'desc')
    .orderBy('outcome_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  await trx
    .insertInto('ledger_outcomes')
    .values({
      agent_id: agentId,
      outcome_id: event.outcomeId,
      peer_id: event.peerId,
      correlation_id: event.correlationId,
      outcome: event.outcome,
      result: event.result,
      metrics: toJson(event.metrics),
      external_id: event.externalId,
      created_at: event.createdAt,
    })
    .execute();

  const before = previous && toOutcome(previous);
  const isLast =
    !before ||
    event.createdAt > before.createdAt ||
    (event.createdAt === before.createdAt && event.outcomeId > before.outcomeId);
  if (isLast && before?.result !== event.result) {
    await trx
      .updateTable('ledger_peers')
      .set((eb) => ({
        [countColumn[event.result]]: eb(countColumn[event.result], '+', 1),
        ...(before && { [countColumn[before.result]]: eb(countColumn[before.result], '-', 1) }),
      }))
      .where('agent_id', '=', agentId)
      .where('peer_id', '=', event.peerId)
      .execute();
  }
  return { kind: 'recorded', event };
}

function selectPeers(db: Kysely<LedgerTables>, agentId: string) {
  return db
    .selectFrom('ledger_peers as peer')
    .leftJoin('ledger_assessments as latest', (join) =>
      join
        .onRef('latest.agent_id', '=', 'peer.agent_id')
        .onRef('latest.assessment_id', '=', 'peer.latest_assessment_id'),
    )
    .select([
      'peer.peer_id',
      'peer.native_id',
      'peer.channel',
      'peer.alias',
      'peer.first_seen_at',
      'peer.last_seen_at',
      'peer.interaction_count',
      'peer.assessment_count',
      'peer.success_count',
      'peer.failure_count',
      'peer.open_count',
      'latest.assessment_id',
      'latest.info_score',
      'latest.trust',
      'latest.rationale',
      'latest.source',
      'latest.assessor',
      'latest.created_at',
    ])
    .where('peer.agent_id', '=', agentId);
}

function selectInteractions(db: Kysely<LedgerTables>, agentId: string, order: HistoryQuery['order']) {
  const direction = order === 'newest' ? 'desc' : 'asc';
  return db
    .selectFrom('ledger_interactions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('created_at', direction)
    .orderBy('interaction_id', direction);
}

type InteractionRow = Selectable<LedgerTables['ledger_interactions']>;

function selectAssessments(db: Kysely<LedgerTables>, agentId: string, order: HistoryQuery['order']) {
  const direction = order === 'newest' ? 'desc' : 'asc';
  return db
    .selectFrom('ledger_assessments')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('created_at', direction)
    .orderBy('assessment_id', direction);
}

type PeerRow = Awaited<ReturnType<ReturnType<typeof selectPeers>['executeTakeFirstOrThrow']>>;

function toStoredPeer(row: PeerRow): StoredPeer {
  return {
    peer: {
      peerId: row.peer_id,
      nativeId: row.native_id,
      channel: row.channel,
      alias: row.alias,
      firstSeenAt: Number(row.first_seen_at),
      lastSeenAt: Number(row.last_seen_at),
      interactionCount: Number(row.interaction_count),
      assessmentCount: Number(row.assessment_count),
      successCount: Number(row.success_count),
      failureCount: Number(row.failure_count),
      openCount: Number(row.open_count),
    },
    latest:
      row.assessment_id === null || row.rationale === null || row.source === null
        ? null
        : {
            assessmentId: row.assessment_id,
            peerId: row.peer_id,
            infoScore: Number(row.info_score),
            trust: Number(row.trust),
            rationale: row.rationale,
            source: row.source,
            assessor: row.assessor,
            createdAt: Number(row.created_at),
          },
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
    correlationId: row.correlation_id,
    externalId: row.external_id,
    evidence: fromJson(row.evidence),
    outcome: last?.outcome ?? null,
    metrics: fromJson(row.metrics) ?? fromJson(last?.metrics ?? null),
    createdAt: Number(row.created_at),
  };
}

function toOutcome(row: Selectable<LedgerTables['ledger_outcomes']>): OutcomeEvent {
  return {
    outcomeId: row.outcome_id,
    peerId: row.peer_id,
    correlationId: row.correlation_id,
    outcome: row.outcome,
    result: row.result,
    metrics: fromJson(row.metrics),
    externalId: row.external_id,
    createdAt: Number(row.created_at),
  };
}

function toAssessment(row: Selectable<LedgerTables['ledger_assessments']>): Assessment {
  return {
    assessmentId: row.assessment_id,
    peerId: row.peer_id,
    infoScore: Number(row.info_score),
    trust: Number(row.trust),
    rationale: row.rationale,
    source: row.source,
    assessor: row.assessor,
    createdAt: Number(row.created_at),
  };
}

function fromAssessment(agentId: string, assessment: Assessment) {
  return {
    agent_id: agentId,
    assessment_id: assessment.assessmentId,
    peer_id: assessment.peerId,
    info_score: assessment.infoScore,
    trust: assessment.trust,
    rationale: assessment.rationale,
    source: assessment.source,
    assessor: assessment.assessor,
    created_at: assessment.createdAt,
  };
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Reads what `toJson` wrote; nothing else writes these columns. */
function fromJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
