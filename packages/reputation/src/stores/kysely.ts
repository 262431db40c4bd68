/**
 * The review queue in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
import { maxIdentifierChars, type PeerEraser } from '@bonafide/internal';
import { inTransaction, keyset, migrate } from '@bonafide/storage';
import type { Kysely, Transaction } from 'kysely';
import * as z from 'zod';
import { parseConfig } from '../errors.ts';
import { port } from '../ports.ts';
import { type QueuedReview, type ReviewStore, unsentStates } from '../store.ts';
import { reputationMigrations } from './migrations.ts';
import { pageSize, readPosition, requirePreview, requireSubject, reviewPage } from './position.ts';

export { reputationMigrations } from './migrations.ts';

/** Table types for Kysely. */
export interface ReputationTables {
  reputation_reviews: {
    agent_id: string;
    key: string;
    revision: number;
    state: string;
    subject: string;
    opinion: string;
    completed_at: number;
    due_at: number | null;
    created_at: number;
    data: string;
  };
  reputation_events: { agent_id: string; event_id: string; key: string };
}

/** Options of {@link createKyselyReviewStore}. */
export interface KyselyReviewStoreOptions {
  /** Owner of the queue. Several agents may share a database; each reads its own reviews only. @default 'default' */
  readonly agentId?: string;
}

const optionsSchema = z.strictObject({
  agentId: z
    .string()
    .min(1)
    .max(maxIdentifierChars)
    .refine((id) => id.isWellFormed() && !id.includes('\0'), 'Not well-formed text')
    .default('default'),
});
const databaseSchema = port('selectFrom', 'insertInto', 'updateTable', 'transaction');

/** Creates or updates the tables. Idempotent. */
export async function migrateReputation<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'reputation', migrations: reputationMigrations });
}

/**
 * Creates a review store over `db`, after {@link migrateReputation}. It never closes `db`.
 *
 * @throws ReputationError `INVALID_CONFIG`
 */
export function createKyselyReviewStore<Database>(
  db: Kysely<Database>,
  options: KyselyReviewStoreOptions = {},
): ReviewStore & PeerEraser {
  const { agentId } = parseConfig(optionsSchema, 'options', options);
  parseConfig(databaseSchema, 'db', db);
  // Only this package's tables are used, so the caller's database type is irrelevant.
  const tables = db as unknown as Kysely<ReputationTables>;
  const reviews = () =>
    tables.selectFrom('reputation_reviews').select('data').where('agent_id', '=', agentId);
  const read = (row: { readonly data: string } | undefined): QueuedReview | null =>
    row === undefined ? null : JSON.parse(row.data);

  async function indexEvents(transaction: Transaction<ReputationTables>, { key, events }: QueuedReview) {
    if (events.length === 0) return;
    await transaction
      .insertInto('reputation_events')
      .values(events.map(({ id }) => ({ agent_id: agentId, event_id: id, key })))
      .onConflict((conflict) => conflict.columns(['agent_id', 'event_id']).doNothing())
      .execute();
  }

  return {
    async insert(review) {
      const stored = { ...review, revision: 1 };
      const row = toRow(agentId, stored);
      return inTransaction(tables, async (transaction) => {
        const inserted = await transaction
          .insertInto('reputation_reviews')
          .values(row)
          .onConflict((conflict) => conflict.columns(['agent_id', 'key']).doNothing())
          .executeTakeFirst();
        if (Number(inserted.numInsertedOrUpdatedRows) === 0) return false;
        await indexEvents(transaction, stored);
        return true;
      });
    },

    async get(key) {
      return read(await reviews().where('key', '=', key).executeTakeFirst());
    },

    async update(review) {
      const { agent_id, key, ...values } = toRow(agentId, review);
      return inTransaction(tables, async (transaction) => {
        const updated = await transaction
          .updateTable('reputation_reviews')
          .set(values)
          .where('agent_id', '=', agent_id)
          .where('key', '=', key)
          .where('revision', '=', review.revision - 1)
          .executeTakeFirst();
        if (Number(updated.numUpdatedRows) === 0) return false;
        await indexEvents(transaction, review);
        return true;
      });
    },

    async due(now, limit) {
      const rows = await reviews()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('key')
        .limit(limit)
        .execute();
      return rows.flatMap((row) => read(row) ?? []);
    },

    async lastPublished(opinion) {
      const row = await reviews()
        .where('opinion', '=', opinion)
        .where('state', 'in', ['published', 'disputed'])
        .orderBy('completed_at', 'desc')
        .orderBy('key', 'desc')
        .executeTakeFirst();
      return read(row);
    },

    async findByEvent(eventId) {
      const row = await reviews()
        .where('key', 'in', (inner) =>
          inner
            .selectFrom('reputation_events')
            .select('key')
            .where('agent_id', '=', agentId)
            .where('event_id', '=', eventId),
        )
        .executeTakeFirst();
      return read(row);
    },

    async list({ state, subject, opinion, limit, cursor }) {
      const size = pageSize(limit);
      let query = reviews();
      if (state !== undefined) query = query.where('state', '=', state);
      if (subject !== undefined) query = query.where('subject', '=', subject);
      if (opinion !== undefined) query = query.where('opinion', '=', opinion);
      const after = readPosition(cursor);
      const rows = await keyset(query, { by: ['created_at', 'key'], direction: 'desc', after })
        .limit(size + 1)
        .execute();
      return reviewPage(
        rows.flatMap((row) => read(row) ?? []),
        size,
      );
    },

    async erasePeer(peer, options) {
      const preview = requirePreview(options);
      const subject = requireSubject(peer);
      const erase = async (transaction: Transaction<ReputationTables>) => {
        const rows = await transaction
          .selectFrom('reputation_reviews')
          .select('key')
          .select(({ or, and, eb }) =>
            or([
              eb('state', 'in', unsentStates),
              and([eb('state', '=', 'withdrawn'), eb('due_at', 'is', null)]),
            ]).as('is_erasable'),
          )
          .where('agent_id', '=', agentId)
          .where('subject', '=', subject)
          .execute();
        const erasable = rows.filter(({ is_erasable }) => Boolean(is_erasable));
        if (!preview)
          for (const { key } of erasable)
            for (const table of ['reputation_events', 'reputation_reviews'] as const)
              await transaction
                .deleteFrom(table)
                .where('agent_id', '=', agentId)
                .where('key', '=', key)
                .execute();
        return { erased: { reviews: erasable.length }, kept: { reviews: rows.length - erasable.length } };
      };
      return inTransaction(tables, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  };
}

function toRow(agentId: string, review: QueuedReview): ReputationTables['reputation_reviews'] {
  const { key, revision, state, opinion, completedAt, dueAt, createdAt } = review;
  return {
    agent_id: agentId,
    key,
    revision,
    state,
    subject: review.review.subject,
    opinion,
    completed_at: completedAt,
    due_at: dueAt,
    created_at: createdAt,
    data: JSON.stringify(review),
  };
}
