import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sanitizeRemoteText } from '@bonafide/internal';
import { createKyselyLedgerStore } from '@bonafide/ledger-core/kysely';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { listErasure } from '../../erasures.ts';
import { CliError } from '../../errors.ts';
import { counted, peerName } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath, openLedger, requirePeer } from '../../workspace.ts';

/**
 * Runs `bonafide ledger forget <peer>`: erases a peer from the ledger's file and names the backups that still contain it.
 * Without `--yes` it only shows what would be erased.
 */
export async function ledgerForget(
  who: string,
  options: LedgerCommandOptions & { readonly because: string; readonly yes: boolean },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const path = databasePath(options, io.env);
  await using open = await openLedger(path, options.agent, options.yes ? 'write' : 'read');
  const peer = await requirePeer(open.ledger, who);
  const backups = await backupsWith(path, options.agent, peer.peerId);
  if (!options.yes) {
    throw new CliError(
      'USAGE',
      `This erases ${peerName(peer)} with ${counted(peer.interactionCount, 'interaction')} and ${counted(peer.assessmentCount, 'rationale')}; an anonymous peer keeps the counts.${stillIn(backups)} Pass --yes to erase it.`,
    );
  }
  // Overwrites the erased pages in the file, and removes them from the write-ahead log.
  await sql`pragma secure_delete = on`.execute(open.db);
  // Listed first: after a crash between the two, a restore erases what this command did not.
  listErasure(path, { agent: options.agent, peerId: peer.peerId, at: Date.now() });
  const forgotten = await open.ledger.forgetPeer(peer.peerId, { reason: options.because });
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(open.db);
  const logKept = rows[0]?.busy === 1;
  if (options.json) {
    print.json({ ...forgotten, backups, logKept });
    return;
  }
  print.line(
    `Erased ${counted(forgotten.interactions, 'interaction')}. The counts are under ${forgotten.tombstoneId}.`,
  );
  if (backups.length > 0) print.message(stillIn(backups).trim());
  if (logKept)
    print.message('Another process is reading: the write-ahead log keeps old text until it has finished.');
}

function stillIn(backups: readonly string[]): string {
  if (backups.length === 0) return '';
  const names = backups.map((backup) => sanitizeRemoteText(backup, 300)).join(', ');
  return ` These backups still contain the peer, and restoring one erases it again: ${names}.`;
}

/** Lists the backups beside the ledger that contain the peer. */
async function backupsWith(path: string, agentId: string, peerId: string): Promise<readonly string[]> {
  const folder = join(dirname(path), 'backups');
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.db'))) {
    const file = join(folder, name);
    try {
      const db = openSqlite<unknown>({ path: file, readonly: true });
      try {
        if (await createKyselyLedgerStore(db, { agentId }).getPeer(peerId)) found.push(file);
      } finally {
        await db.destroy();
      }
    } catch {
      // A backup that cannot be read may contain the peer.
      found.push(file);
    }
  }
  return found;
}
