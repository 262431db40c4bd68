/**
 * The cortex's state in SQLite or Postgres through Kysely, shared by all processes of an agent.
 * @packageDocumentation
 */
import { createSemaphore, maxIdentifierChars, type PeerEraser } from '@bonafide/internal';
import { migrate } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import { parseOptions, port } from '../host-options.ts';
import { erasePeerFromState } from '../operator/erase-peer.ts';
import type { SharedState, StatePort } from '../state/state-port.ts';
import { cortexMigrations } from './migrations.ts';

export { cortexMigrations } from './migrations.ts';

/** Table types for Kysely. */
export interface CortexTables {
  cortex_texts: { agent_id: string; name: string; revision: number; text: string };
  cortex_leases: { agent_id: string; name: string; holder: string; expires_at: number };
}

/** Options of {@link createKyselyCortexState}. */
export interface KyselyCortexStateOptions {
  /** Owner of the state. Several agents may share a database. @default 'default' */
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

/** Creates or updates the tables. Idempotent. */
export async function migrateCortex<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'cortex', migrations: cortexMigrations });
}

const escaped = '\u0001';

/** Postgres stores neither NUL nor half of a surrogate pair: a text with one is stored as JSON. */
const encode = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') && !text.startsWith(escaped)
    ? text
    : `${escaped}${JSON.stringify(text)}`;
const decode = (stored: string): string =>
  stored.startsWith(escaped) ? JSON.parse(stored.slice(escaped.length)) : stored;

/**
 * Creates a state over `db`, after {@link migrateCortex}. All processes of an agent share it: writes compare revisions,
 * and a lease admits one cycle at a time. It never closes `db`. `erasePeer` takes the ledger's full id of a peer of any
 * channel; see `erasePeerFromState`.
 */
export function createKyselyCortexState<Database>(
  db: Kysely<Database>,
  options: KyselyCortexStateOptions = {},
): StatePort & PeerEraser & { readonly shared: SharedState } {
  const { agentId } = parseOptions(optionsSchema, options, 'options');
  parseOptions(port('selectFrom', 'insertInto', 'updateTable', 'deleteFrom'), db, 'db');
  // Only this package's tables are used, so the caller's database type is irrelevant.
  const tables = db as unknown as Kysely<CortexTables>;

  const read = async (name: string) => {
    const row = await tables
      .selectFrom('cortex_texts')
      .select(['text', 'revision'])
      .where('agent_id', '=', agentId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? null : { text: decode(row.text), revision: Number(row.revision) };
  };

  // Several connections may overtake each other, and the last call has to win.
  const writing = createSemaphore(1);

  const store = async (name: string, text: string) => {
    await tables
      .insertInto('cortex_texts')
      .values({ agent_id: agentId, name, revision: 1, text: encode(text) })
      .onConflict((conflict) =>
        conflict.columns(['agent_id', 'name']).doUpdateSet((update) => ({
          text: update.ref('excluded.text'),
          revision: update('cortex_texts.revision', '+', 1),
        })),
      )
      .execute();
  };

  const state: StatePort & { readonly shared: SharedState } = {
    store: (name, text) => writing.run(() => store(name, text)),
    async retrieve(name) {
      return (await read(name))?.text ?? null;
    },
    shared: {
      read,
      async swap(name, text, revision) {
        if (revision === 0) {
          const inserted = await tables
            .insertInto('cortex_texts')
            .values({ agent_id: agentId, name, revision: 1, text: encode(text) })
            .onConflict((conflict) => conflict.columns(['agent_id', 'name']).doNothing())
            .returning('revision')
            .execute();
          return inserted.length === 1;
        }
        const updated = await tables
          .updateTable('cortex_texts')
          .set({ text: encode(text), revision: revision + 1 })
          .where('agent_id', '=', agentId)
          .where('name', '=', name)
          .where('revision', '=', revision)
          .returning('revision')
          .execute();
        return updated.length === 1;
      },
      async lease(name, holder, { now, until }) {
        const rows = await tables
          .insertInto('cortex_leases')
          .values({ agent_id: agentId, name, holder, expires_at: until })
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'name'])
              .doUpdateSet((update) => ({
                holder: update.ref('excluded.holder'),
                expires_at: update.ref('excluded.expires_at'),
              }))
              .where((where) =>
                where.or([
                  where('cortex_leases.holder', '=', holder),
                  where('cortex_leases.expires_at', '<=', now),
                ]),
              ),
          )
          .returning('holder')
          .execute();
        return rows[0]?.holder === holder;
      },
      async release(name, holder) {
        await tables
          .deleteFrom('cortex_leases')
          .where('agent_id', '=', agentId)
          .where('name', '=', name)
          .where('holder', '=', holder)
          .execute();
      },
    },
  };
  return {
    ...state,
    erasePeer: (peerId, erasure) => erasePeerFromState(state, peerId, erasure),
  };
}
