import { sanitizeRemoteText } from '@bonafide/internal';
import { moment } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

/** Options of `bonafide ledger search`. */
export interface LedgerSearchOptions extends LedgerCommandOptions {
  readonly peer?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Runs `bonafide ledger search <words…>`: messages that contain every word, newest first. */
export async function ledgerSearch(
  words: readonly string[],
  options: LedgerSearchOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent);
  const { ledger } = open;
  const peerId = options.peer === undefined ? null : (await requirePeer(ledger, options.peer)).peerId;
  const { limit, cursor } = options;
  const page = await ledger.searchInteractions({ text: words.join(' '), peerId, limit, cursor });
  if (options.json) {
    print.json({ interactions: page.items, nextCursor: page.nextCursor });
    return;
  }
  if (page.items.length === 0) {
    print.message('No message contains all of these words.');
    return;
  }
  const handles = new Map<string, string>();
  for (const id of new Set(page.items.map((row) => row.peerId))) {
    handles.set(id, (await ledger.getPeer(id))?.handle ?? id);
  }
  print.table(
    [{ title: 'When' }, { title: 'Peer' }, { title: 'Direction' }, { title: 'Text', atLeast: 30 }],
    page.items.map((row) => [
      moment(row.createdAt),
      sanitizeRemoteText(handles.get(row.peerId) ?? '', 60),
      row.direction,
      sanitizeRemoteText(row.content, 60),
    ]),
  );
  if (page.nextCursor !== null) print.message(`There are more: --cursor ${page.nextCursor}`);
}
