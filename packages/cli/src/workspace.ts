import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { sanitizeRemoteText } from '@bonafide/internal';
import { createLedger, type Ledger, type PeerOverview } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, ledgerMigrations } from '@bonafide/ledger-core/kysely';
import { migrationStatus, openErasureList, openSqlite } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { CliError } from './errors.ts';
import type { CliIo } from './io.ts';

/** Location of the agent's files. */
export interface WorkspaceOptions {
  readonly workspace?: string | undefined;
  readonly db?: string | undefined;
}

/** Returns the path of the ledger: `--db`, else `<workspace>/ledger.db`, else `~/.bonafide/ledger.db`. */
export function databasePath(options: WorkspaceOptions, env: CliIo['env']): string {
  if (options.db !== undefined) return resolve(options.db);
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  return resolve(options.workspace ?? join(home, '.bonafide'), 'ledger.db');
}

/** Schema for checking the ledger's tables. */
export const ledgerSchema = { name: 'ledger', migrations: ledgerMigrations } as const;

/** An open ledger. */
export interface OpenLedger extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly db: Kysely<unknown>;
}

async function requireMigrated(db: Kysely<unknown>, path: string): Promise<void> {
  const { pending, problem } = await migrationStatus(db, ledgerSchema);
  if (problem !== null) throw problem;
  if (pending.length === 0) return;
  throw new CliError(
    'NOT_MIGRATED',
    `The ledger at ${path} was made by an older version, or has no tables yet. Start the agent once, which migrates it.`,
  );
}

/** @throws `DATABASE_NOT_FOUND` */
export function requireLedgerFile(path: string): void {
  if (existsSync(path)) return;
  throw new CliError(
    'DATABASE_NOT_FOUND',
    `There is no ledger at ${path}. Name the agent's folder with --workspace <dir>, or the file with --db <file>.`,
  );
}

/**
 * Opens a ledger, also while an agent uses it: for reading, which creates and changes nothing, or for short writes, each
 * in a transaction that waits for the lock.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function openLedger(
  path: string,
  agentId: string,
  mode: 'read' | 'write' = 'read',
): Promise<OpenLedger> {
  requireLedgerFile(path);
  const db = openSqlite<unknown>({ path, readonly: mode === 'read' });
  try {
    await requireMigrated(db, path);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const erasures = openErasureList(path);
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

/** @throws `PEER_NOT_FOUND` */
export async function requirePeer(ledger: Ledger, who: string): Promise<PeerOverview> {
  const peer = await ledger.resolvePeer(who);
  if (peer !== null) return peer;
  throw new CliError(
    'PEER_NOT_FOUND',
    `The ledger has no peer '${sanitizeRemoteText(who, 100)}'. List its peers with 'bonafide ledger list', and name one by its id, in parentheses: peers choose their aliases.`,
  );
}
