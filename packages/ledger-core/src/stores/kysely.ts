/**
 * The ledger in SQLite or Postgres, through any Kysely instance.
 * @packageDocumentation
 */
import { hasMethods } from '@bonafide/internal';
import { dialectOf, migrate, withTypedErrors } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { parseConfig } from '../parse.ts';
import type { LedgerStore } from '../store.ts';
import { ledgerMigrations } from './migrations.ts';
import { appendAssessment, assessmentReading } from './sql/assessments.ts';
import { forgetPeer, voidInteraction } from './sql/correction.ts';
import { fillHandles } from './sql/fill-handles.ts';
import { addHookFailures, listHookFailures } from './sql/hook-failures.ts';
import {
  interactionIdOf,
  interactionReading,
  peersOf,
  prepareInsertInteraction,
} from './sql/interactions.ts';
import { appendOutcome, hasVoided, listOutcomes } from './sql/outcomes.ts';
import { listOverAssessed } from './sql/over-assessed.ts';
import { lockPeer, peerReading, prepareCountContact, takePeer } from './sql/peers.ts';
import { prune } from './sql/prune.ts';
import { recount } from './sql/recount.ts';
import { inScope, type Scope } from './sql/scope.ts';
import { searchInteractions } from './sql/search.ts';
import { prepareSearchIndex } from './sql/search-index.ts';
import { fillSearchWords } from './sql/search-words.ts';
import { emptyLog, overwriteDeleted } from './sql/text-removal.ts';
import { getTotals } from './sql/totals.ts';
import { keepValue } from './sql/values.ts';

export { ledgerMigrations } from './migrations.ts';

// biome-ignore lint/suspicious/noExplicitAny: the host's database has tables of its own, whatever they are.
type AnyKysely = Kysely<any>;

/** Options of `createKyselyLedgerStore`. */
export interface KyselyLedgerStoreOptions {
  /**
   * The agent's scope, when several agents of one operator share a database. Every query is bound to it.
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
  await overwriteDeleted(db);
  await prepareSearchIndex(db);
  await fillHandles(db);
  await fillSearchWords(db);
  await optimize(db);
}

/** SQLite overwrites what it deletes (see `overwriteDeleted`), but not what it has copied to other pages before. */
const optionsSchema = z.strictObject({ agentId: z.string().min(1).default('default') });
const databaseSchema = z.custom(
  hasMethods('selectFrom', 'insertInto', 'transaction'),
  'must be a Kysely instance',
);

const staysInSqlite =
  'SQLite may keep copies of erased rows in unused parts of its pages, where it has moved rows. Run: vacuum. It blocks writers while it runs.';

const staysInPostgres =
  'PostgreSQL keeps erased text in the files of its tables until they are rewritten. Run: vacuum full ledger_peers, ledger_interactions, ledger_outcomes, ledger_assessments. It locks these tables while it runs. Archives of its write-ahead log and base backups keep the text longer.';

/**
 * A store in the database behind `db`, which stays the caller's to close. Run `migrateLedger(db)` first.
 *
 * @example
 * const db = openSqlite({ path: 'ledger.db' });
 * await migrateLedger(db);
 * const ledger = createLedger({ store: createKyselyLedgerStore(db) });
 * @throws LedgerError `INVALID_CONFIG`
 */
export function createKyselyLedgerStore(db: AnyKysely, options: KyselyLedgerStoreOptions = {}): LedgerStore {
  const { agentId } = parseConfig(optionsSchema, options, 'options');
  parseConfig(databaseSchema, db, 'db');
  const scope: Scope = { db, agentId };
  const countContact = prepareCountContact(scope);
  const insertInteraction = prepareInsertInteraction(scope);

  return withTypedErrors<LedgerStore>({
    agentId,
    erasedTextStays: dialectOf(db) === 'postgres' ? staysInPostgres : staysInSqlite,

    async recordInteraction(write) {
      const { peer, interaction, outcome } = write;
      const { peerId } = peer;
      const { interactionId, externalId, direction, correlationId } = interaction;
      try {
        await inScope(scope, async (transaction) => {
          await countContact(transaction, {
            peer_id: peerId,
            native_id: peer.nativeId,
            handle: peer.handle,
            channel: peer.channel,
            alias: peer.alias,
            at: interaction.createdAt,
          });
          if (!(await insertInteraction(transaction, write)))
            throw new Repeated(`'${interactionId}' is there already`);
          if (outcome) await appendOutcome(transaction, { ...outcome, peerId });
          // Outcomes of a work whose messages were all voided count again.
          else if (correlationId !== null && (await hasVoided(transaction, { peerId, correlationId })))
            await recount(transaction, peerId);
        });
      } catch (error) {
        // Thrown to undo what countContact did.
        if (!(error instanceof Repeated) || externalId === null) throw error;
        return {
          interactionId: await interactionIdOf(scope, peerId, direction, externalId),
          recorded: false,
        };
      }
      return { interactionId, recorded: true };
    },

    async recordOutcome(write) {
      const peerIds = write.peerId === null ? await peersOf(scope, write.correlationId) : [write.peerId];
      if (peerIds.length > 1) return { kind: 'ambiguous', peerIds };
      const [peerId] = peerIds;
      if (peerId === undefined) return { kind: 'unknown' };
      return await inScope(scope, async (transaction) =>
        (await lockPeer(transaction, peerId))
          ? appendOutcome(transaction, { ...write, peerId })
          : { kind: 'unknown' },
      );
    },

    async recordAssessment(peerId, assess) {
      return await inScope(scope, async (transaction) => {
        const found = await takePeer(transaction, peerId);
        if (!found) return null;
        const assessment = assess(found.peer, found.latest);
        await appendAssessment(transaction, found, assessment);
        return assessment;
      });
    },

    voidInteraction: (write) => inScope(scope, (transaction) => voidInteraction(transaction, write)),
    async forgetPeer(write) {
      await overwriteDeleted(db);
      const interactions = await inScope(scope, (transaction) => forgetPeer(transaction, write));
      await emptyLog(db);
      return interactions;
    },
    searchInteractions: (query) => searchInteractions(scope, query),
    ...peerReading(scope),
    ...interactionReading(scope),
    ...assessmentReading(scope),
    listOutcomes: (query) => listOutcomes(scope, query),
    keepValue: (name, write) => keepValue(scope, name, write),
    getTotals: () => getTotals(scope),
    listOverAssessed: (since) => listOverAssessed(scope, since),
    async prune(before) {
      await overwriteDeleted(db);
      const pruned = await prune(scope, before);
      await emptyLog(db);
      return pruned;
    },
    addHookFailures: (failures) => addHookFailures(scope, failures),
    listHookFailures: () => listHookFailures(scope),
  });
}

/** Updates the statistics of SQLite's query planner where they are missing or old. Takes milliseconds. */
async function optimize(db: AnyKysely): Promise<void> {
  if (dialectOf(db) === 'sqlite') await sql`pragma optimize = 0x10002`.execute(db);
}

/** An interaction of the same externalId, or of the same id, is there already. */
class Repeated extends Error {}
