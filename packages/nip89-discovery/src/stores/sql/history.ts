import { pageOf } from '@bonafide/internal';
import { keyset } from '@bonafide/storage';
import { historyCursor } from '../../registry/cursors.ts';
import { readAuditRow } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { nameOf, type Scope } from './scope.ts';

/** Creates the verb that reads histories. */
export function createHistoryReads({ db, agentId }: Scope): Pick<DiscoveryStore, 'history'> {
  return {
    async history(pubkey, canonicalD, { limit, cursor }) {
      const query = db
        .selectFrom('discovery_audit')
        .select(['revision', 'position', 'row_json'])
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('canonical_d', '=', canonicalD);
      const rows = await keyset(query, {
        by: ['revision', 'position'],
        direction: 'desc',
        after: historyCursor.read(cursor),
      })
        .limit(limit + 1)
        .execute();
      const page = pageOf(rows, limit, (last) =>
        historyCursor.write(Number(last.revision), Number(last.position)),
      );
      const name = nameOf(pubkey, canonicalD);
      return {
        items: page.items.map((row) => readAuditRow(row.row_json, name)),
        nextCursor: page.nextCursor,
      };
    },
  };
}
