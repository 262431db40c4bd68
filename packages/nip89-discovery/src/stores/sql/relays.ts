import { readRelayRecord } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import type { Scope } from './scope.ts';

/** The verbs about relays: how far each was read, where it stands and what it gave us. */
export function createRelayTables({
  db,
  agentId,
}: Scope): Pick<DiscoveryStore, 'getWatermark' | 'setWatermark' | 'getRelays' | 'putRelays'> {
  return {
    async getWatermark(relay, key) {
      const row = await db
        .selectFrom('discovery_watermarks')
        .select('seconds')
        .where('agent_id', '=', agentId)
        .where('relay', '=', relay)
        .where('filter_key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : Number(row.seconds);
    },

    async setWatermark(relay, key, seconds) {
      await db
        .insertInto('discovery_watermarks')
        .values({ agent_id: agentId, relay, filter_key: key, seconds })
        .onConflict((conflict) =>
          conflict.columns(['agent_id', 'relay', 'filter_key']).doUpdateSet({ seconds }),
        )
        .execute();
    },

    async getRelays() {
      const rows = await db
        .selectFrom('discovery_relays')
        .select(['relay', 'record'])
        .where('agent_id', '=', agentId)
        .execute();
      return rows.map(({ relay, record }) => readRelayRecord(record, relay));
    },

    async putRelays(records) {
      if (records.length === 0) return;
      const rows = records.map((record) => ({
        agent_id: agentId,
        relay: record.relay,
        record: JSON.stringify(record),
      }));
      await db
        .insertInto('discovery_relays')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['agent_id', 'relay'])
            .doUpdateSet(({ ref }) => ({ record: ref('excluded.record') })),
        )
        .execute();
    },
  };
}
