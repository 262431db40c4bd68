import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sanitizeRemoteText } from '@bonafide/internal';
import { parseNostrKey } from '@bonafide/ledger-core';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { emptyLog, rewriteFiles } from '../../databases.ts';
import { listedBackups, openErasures, readErasures } from '../../erasure-lists.ts';
import { CliError } from '../../errors.ts';
import { counted, peerName } from '../../format.ts';
import { findMentions, type Mention } from '../../mentions.ts';
import { openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import {
  eraseFromStores,
  findInStores,
  mayBeInStores,
  type PeerNames,
  type StoredPeer,
  storedIn,
} from '../../peer-stores.ts';
import type { Printer } from '../../print.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';
import { databasePath, isPostgres } from '../../workspace.ts';

/** Options of `bonafide ledger forget`. */
interface ForgetOptions extends LedgerCommandOptions {
  readonly because: string;
  readonly keepVerdict: boolean;
  readonly yes: boolean;
}

/**
 * Runs `bonafide ledger forget <peer>`: erases a peer from the stores of other packages and then from the ledger, and names the
 * backups and the rows that still contain it. A key that the ledger does not know is erased from the other stores, so that the
 * command can be repeated when a job has ended.
 * Without `--yes` it only shows what would be erased.
 */
export async function ledgerForget(
  who: string,
  options: ForgetOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  const path = databasePath(options, io.env);
  await using open = await openLedger(path, options.agent, options.yes ? 'write' : 'read');
  const peer = await open.ledger.resolvePeer(who);
  const key = parseNostrKey(peer?.peerId ?? who);
  if (peer === null && key === null) await requirePeer(open.ledger, who);
  const peerId = peer?.peerId ?? key ?? who;
  const preview = await findInStores(path, { peerId, key }, options.agent);
  if (peer === null && preview.length === 0) await requirePeer(open.ledger, who);
  const backups = isPostgres(path)
    ? []
    : await whileSaying(io, 'Looking through backups', () =>
        backupsWith(path, options.agent, { peerId, key }),
      );
  if (!options.yes) {
    const inLedger =
      peer === null
        ? 'The ledger does not know this peer.'
        : `This erases ${peerName(peer)} with ${counted(peer.interactionCount, 'interaction')} and ${counted(peer.assessmentCount, 'rationale')}; an anonymous peer keeps the counts.`;
    const mentions = await mentionsOutside(path, key, preview);
    throw new CliError(
      'USAGE',
      `${inLedger}${storedIn(preview, 'It also erases')}${stillIn(backups)}${mentionedIn(mentions)} Pass --yes to erase it.`,
    );
  }
  io.progress.say('Erasing');
  // The ledger lists what it erases, for the time after a restore. It does not know this key.
  if (peer === null)
    await openErasures(path, open.db).add({
      ...{ agentId: options.agent, peerId, externalIds: [], at: Date.now(), keptValues: [] },
    });
  // The ledger last: until then the peer can be named, and an interrupted erasure be repeated.
  const stores = await eraseFromStores(path, preview, { peerId, key }, options.agent);
  const forgotten =
    peer === null
      ? null
      : await open.ledger.forgetPeer(peer.peerId, {
          reason: options.because,
          keepVerdict: options.keepVerdict,
        });
  const changed = new Set([...(forgotten ? [path] : []), ...stores.map(({ file }) => file)]);
  const isRewritten = await rewriteFiles(path, [...changed]);
  const logKept = await emptyLog(open.db, path);
  // What is left of a store that kept nothing is a row that its package does not count as the peer's.
  const kept = stores.filter((store) => Object.keys(store.kept).length > 0);
  const mentions = await mentionsOutside(path, key, kept);
  if (options.json) {
    print.json({ ...forgotten, stores, backups, mentions, logKept, rewritten: isRewritten });
    return;
  }
  if (forgotten !== null)
    print.line(
      `Erased ${counted(forgotten.interactions, 'interaction')}. The counts are under ${forgotten.tombstoneId}.`,
    );
  if (forgotten?.keptVerdict) print.line('The peer stays refused if it returns.');
  if (stores.length > 0) print.line(storedIn(stores, 'Erased').trim());
  if (stores.length > 0) print.message('Processes that run keep what they have read: start the agent again.');
  if (backups.length > 0) print.message(stillIn(backups).trim());
  if (mentions.length > 0) print.message(mentionedIn(mentions).trim());
  if (forgotten?.textStays && isPostgres(path)) print.message(forgotten.textStays);
  if (!isRewritten)
    print.message(
      'Unused parts of the files may keep copies of erased rows, because an agent runs or there is no space to rewrite them. Stop it, and run: bonafide ledger erase-again --yes',
    );
  if (logKept)
    print.message('Another process is reading: the write-ahead log keeps old text until it has finished.');
}

/** Lists the rows that contain the key and that no store of a known package answers for. */
async function mentionsOutside(
  path: string,
  key: string | null,
  stores: readonly StoredPeer[],
): Promise<readonly Mention[]> {
  if (key === null || isPostgres(path)) return [];
  const mentions = await findMentions(path, key);
  const answered = (mention: Mention) =>
    stores.some(
      (store) =>
        store.file === mention.file && !store.otherVersion && mention.table.startsWith(`${store.package}_`),
    );
  return mentions.filter((mention) => !answered(mention));
}

function mentionedIn(mentions: readonly Mention[]): string {
  if (mentions.length === 0) return '';
  const tables = mentions.map(
    ({ file, table, rows }) => `${sanitizeRemoteText(file, 300)} (${table}: ${counted(rows, 'row')})`,
  );
  return ` These tables contain the peer's key as well, and are not changed: ${tables.join(', ')}.`;
}

function stillIn(backups: readonly string[]): string {
  if (backups.length === 0) return '';
  const names = backups.map((backup) => sanitizeRemoteText(backup, 300)).join(', ');
  return ` These backups still contain the peer: ${names}. Restoring one erases it again.`;
}

/**
 * Lists the backups that contain the peer, or may: those that were made of databases of the agent, those in the folder beside the
 * ledger, databases that a restore has replaced, and copies that a killed command has left.
 */
async function backupsWith(path: string, agentId: string, peer: PeerNames): Promise<readonly string[]> {
  const folder = dirname(path);
  const namesIn = (directory: string, isBackup: (name: string) => boolean) =>
    existsSync(directory)
      ? readdirSync(directory)
          .filter(isBackup)
          .map((name) => join(directory, name))
      : [];
  const made = listedBackups(await readErasures(path)).map((backup) => resolve(backup.path));
  const beside = namesIn(join(folder, 'backups'), (name) => name.endsWith('.db'));
  const replaced = namesIn(folder, (name) => /\.(?:replaced-[\dTZ.-]+|restoring|unfinished)$/u.test(name));
  const files = new Set([...made, ...beside, ...replaced]);
  const found: string[] = [];
  for (const file of files) if (await mayContain(file, agentId, peer)) found.push(file);
  return found;
}

/** A backup that cannot be read, or was moved, may contain the peer. */
async function mayContain(file: string, agentId: string, peer: PeerNames): Promise<boolean> {
  try {
    return (await isInLedger(file, agentId, peer)) || (await mayBeInStores(file, peer, agentId));
  } catch {
    return true;
  }
}

async function isInLedger(file: string, agentId: string, { peerId }: PeerNames): Promise<boolean> {
  await using db = openSqlite<unknown>({ path: file, readonly: true });
  const { rows: tables } = await sql`select 1 from sqlite_schema where name = 'ledger_peers'`.execute(db);
  if (tables.length === 0) return false;
  const { rows } =
    await sql`select 1 from ledger_peers where agent_id = ${agentId} and peer_id = ${peerId}`.execute(db);
  return rows.length > 0;
}
