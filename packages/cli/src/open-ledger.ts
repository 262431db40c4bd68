import { mostSimilar, sanitizeRemoteText } from '@bonafide/internal';
import { createLedger, type Ledger, type PeerOverview } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, ledgerMigrations } from '@bonafide/ledger-core/kysely';
import type { Kysely } from 'kysely';
import { type AgentSchema, openDatabase } from './databases.ts';
import { openErasures } from './erasure-lists.ts';
import { CliError } from './errors.ts';
import { peerName } from './format.ts';

/** Tables of the ledger. */
export const ledgerSchema = {
  name: 'ledger',
  migrations: ledgerMigrations,
  missing: 'There is no ledger',
} as const satisfies AgentSchema;

/** An open ledger. */
export interface OpenLedger extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly db: Kysely<unknown>;
}

/** Opens the ledger in a database, as {@link openDatabase} does. */
export async function openLedger(
  path: string,
  agentId: string,
  mode: 'read' | 'write' = 'read',
): Promise<OpenLedger> {
  const db = await openDatabase(path, ledgerSchema, mode);
  const erasures = openErasures(path, db);
  const ledger = createLedger({ store: createKyselyLedgerStore(db, { agentId }), erasures });
  return {
    ledger,
    db,
    async [Symbol.asyncDispose]() {
      await ledger.close();
      await db.destroy();
    },
  };
}

/** Peers that are compared with a name that the ledger does not know. */
const comparedPeers = 1_000;

/** @throws `PEER_NOT_FOUND`, naming peers with a similar name */
export async function requirePeer(ledger: Ledger, who: string): Promise<PeerOverview> {
  const peer = await ledger.resolvePeer(who);
  if (peer !== null) return peer;
  const { items } = await ledger.listPeers({ limit: comparedPeers });
  const similar = mostSimilar(who, items, ({ handle, alias, nativeId }) => [handle, nativeId, alias ?? '']);
  const meant = similar.length === 0 ? '' : ` Did you mean ${similar.map(peerName).join(' or ')}?`;
  throw new CliError(
    'PEER_NOT_FOUND',
    `The ledger has no peer '${sanitizeRemoteText(who, 100)}'.${meant} List its peers with 'bonafide ledger list', and name one by its id, in parentheses: peers choose their aliases.`,
  );
}
