import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sanitizeRemoteText } from '@bonafide/internal';
import { openErasureList, openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { CliError } from '../../errors.ts';
import { counted, peerName } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { findMentions, type Mention } from '../../mentions.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath, openLedger, requirePeer } from '../../workspace.ts';

/**
 * Runs `bonafide ledger forget <peer>`: erases a peer from the ledger's file, and names the backups and the databases of other
 * packages that still contain it.
 * Without `--yes` it only shows what would be erased.
 */
export async function ledgerForget(
  who: string,
  options: LedgerCommandOptions & {
    readonly because: string;
    readonly keepVerdict: boolean;
    readonly yes: boolean;
  },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const path = databasePath(options, io.env);
  await using open = await openLedger(path, options.agent, options.yes ? 'write' : 'read');
  const peer = await requirePeer(open.ledger, who);
  const backups = await backupsWith(path, options.agent, peer.peerId);
  const mentions = await findMentions(path, peer.peerId);
  if (!options.yes) {
    throw new CliError(
      'USAGE',
      `This erases ${peerName(peer)} with ${counted(peer.interactionCount, 'interaction')} and ${counted(peer.assessmentCount, 'rationale')}; an anonymous peer keeps the counts.${stillIn(backups)}${mentionedIn(mentions)} Pass --yes to erase it.`,
    );
  }
  const forgotten = await open.ledger.forgetPeer(peer.peerId, {
    reason: options.because,
    keepVerdict: options.keepVerdict,
  });
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(open.db);
  const logKept = rows[0]?.busy === 1;
  if (options.json) {
    print.json({ ...forgotten, backups, mentions, logKept });
    return;
  }
  print.line(
    `Erased ${counted(forgotten.interactions, 'interaction')}. The counts are under ${forgotten.tombstoneId}.`,
  );
  if (forgotten.keptVerdict !== null) print.line('The peer stays refused if it returns.');
  if (backups.length > 0) print.message(stillIn(backups).trim());
  if (mentions.length > 0) print.message(mentionedIn(mentions).trim());
  if (logKept)
    print.message('Another process is reading: the write-ahead log keeps old text until it has finished.');
}

function mentionedIn(mentions: readonly Mention[]): string {
  if (mentions.length === 0) return '';
  const tables = mentions.map(
    ({ file, table, rows }) => `${sanitizeRemoteText(file, 300)} (${table}: ${counted(rows, 'row')})`,
  );
  return ` These databases contain the peer's key as well, and are not changed: ${tables.join(', ')}.`;
}

function stillIn(backups: readonly string[]): string {
  if (backups.length === 0) return '';
  const names = backups.map((backup) => sanitizeRemoteText(backup, 300)).join(', ');
  return ` These backups still contain the peer, and restoring one erases it again: ${names}.`;
}

/** Lists the backups that contain the peer, or may: those that were made, and those in the folder beside the ledger. */
async function backupsWith(path: string, agentId: string, peerId: string): Promise<readonly string[]> {
  const folder = join(dirname(path), 'backups');
  const beside = existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith('.db')) : [];
  const made = openErasureList(path)
    .read()
    .backups.map((backup) => backup.path);
  const files = new Set([...made, ...beside.map((name) => join(folder, name))]);
  const found: string[] = [];
  for (const file of files) if (await mayContain(file, agentId, peerId)) found.push(file);
  return found;
}

/** A backup that cannot be read, or was moved, may contain the peer. */
async function mayContain(file: string, agentId: string, peerId: string): Promise<boolean> {
  try {
    const db = openSqlite<unknown>({ path: file, readonly: true });
    try {
      const rows =
        await sql`select 1 from ledger_peers where agent_id = ${agentId} and peer_id = ${peerId}`.execute(db);
      return rows.rows.length > 0;
    } finally {
      await db.destroy();
    }
  } catch {
    return true;
  }
}
