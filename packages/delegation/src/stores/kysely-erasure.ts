import { newTombstone, type PeerEraser } from '@bonafide/internal';
import { dialectOf, inTransaction } from '@bonafide/storage';
import { type Kysely, sql, type Transaction } from 'kysely';
import { beginErasure, type Erasure, eraseFromNote, eraseFromOrder, platformsNamed } from '../erase-peer.ts';
import type { PlatformRef } from '../platform.ts';
import { requirePreview } from '../schemas.ts';
import { type DelegationTables, type OrderRow, recordOf, rowOf } from './kysely-tables.ts';

/** Number of orders that are read at once. */
const pageSize = 200;

/** Result of erasing an operator from orders. */
interface ErasedOrders {
  readonly erased: number;
  readonly kept: ReadonlySet<string>;
  readonly platforms: readonly PlatformRef[];
}

/** Creates the erasure of a delegation store. */
export function createKyselyErasure(db: Kysely<DelegationTables>, agentId: string): PeerEraser {
  /** Reads the orders that contain a key, page by page. */
  async function* ordersWith(
    transaction: Transaction<DelegationTables>,
    pubkey: string,
  ): AsyncGenerator<OrderRow> {
    let last = '';
    for (;;) {
      const rows = await transaction
        .selectFrom('delegation_orders')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where('id', '>', last)
        .where('state', 'like', `%${pubkey}%`)
        .orderBy('id')
        .limit(pageSize)
        .execute();
      yield* rows;
      last = rows.at(-1)?.id ?? '';
      if (rows.length < pageSize) return;
    }
  }

  const deleteWakes = (transaction: Transaction<DelegationTables>, id: string) =>
    transaction.deleteFrom('delegation_wakes').where('agent_id', '=', agentId).where('id', '=', id).execute();

  const eraseOrders = async (
    transaction: Transaction<DelegationTables>,
    erasure: Erasure,
    preview: boolean,
  ): Promise<ErasedOrders> => {
    const kept = new Set<string>();
    const platforms = new Map<string, PlatformRef>();
    let erased = 0;
    for await (const row of ordersWith(transaction, erasure.pubkey)) {
      const record = recordOf(row);
      const change = eraseFromOrder(record, erasure);
      for (const platform of platformsNamed(record, erasure)) platforms.set(platform.d, platform);
      if (change.action === 'keep') kept.add(record.id);
      if (change.action === 'keep' || change.action === 'none') continue;
      erased += 1;
      if (preview) continue;
      if (change.action === 'replace') {
        const { revision, state } = rowOf(agentId, change.row);
        await transaction
          .updateTable('delegation_orders')
          .set({ revision, state })
          .where('agent_id', '=', agentId)
          .where('id', '=', record.id)
          .execute();
      } else {
        await transaction
          .deleteFrom('delegation_orders')
          .where('agent_id', '=', agentId)
          .where('id', '=', record.id)
          .execute();
        await deleteWakes(transaction, record.id);
      }
    }
    return { erased, kept, platforms: [...platforms.values()] };
  };

  const eraseNotes = async (
    transaction: Transaction<DelegationTables>,
    erasure: Erasure,
    orders: ErasedOrders,
    preview: boolean,
  ): Promise<{ readonly erased: number; readonly kept: number }> => {
    const context = { platforms: orders.platforms, isKept: (id: string) => orders.kept.has(id) };
    const notes = await transaction
      .selectFrom('delegation_notes')
      .selectAll()
      .where('agent_id', '=', agentId)
      .execute();
    let [erased, kept] = [0, 0];
    for (const { name, revision, value } of notes) {
      const change = eraseFromNote({ name, value }, erasure, context);
      if (change.action === 'none') continue;
      if (change.action === 'keep') {
        kept += 1;
        continue;
      }
      erased += 1;
      if (preview) continue;
      if (change.action === 'replace') {
        await transaction
          .updateTable('delegation_notes')
          .set({ revision: Number(revision) + 1, value: change.row })
          .where('agent_id', '=', agentId)
          .where('name', '=', name)
          .execute();
      } else {
        await transaction
          .deleteFrom('delegation_notes')
          .where('agent_id', '=', agentId)
          .where('name', '=', name)
          .execute();
        await deleteWakes(transaction, name);
      }
    }
    return { erased, kept };
  };

  return {
    async erasePeer(peer, options) {
      const preview = requirePreview(options);
      const erasure = beginErasure(peer, newTombstone());
      const erase = async (transaction: Transaction<DelegationTables>) => {
        // Other processes wait until it is done: what they write is erased as well, or comes later.
        if (!preview && dialectOf(db) === 'postgres')
          await sql`lock table delegation_orders, delegation_notes in exclusive mode`.execute(transaction);
        const orders = await eraseOrders(transaction, erasure, preview);
        const notes = await eraseNotes(transaction, erasure, orders, preview);
        return {
          erased: { orders: orders.erased, notes: notes.erased },
          kept: { orders: orders.kept.size, notes: notes.kept },
        };
      };
      return inTransaction(db, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  };
}
