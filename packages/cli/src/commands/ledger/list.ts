import { sanitizeRemoteText } from '@bonafide/internal';
import { moment, npubOf, peerName, trustCell } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

/** `bonafide ledger list`: lists the peers, most recently seen first. */
export async function ledgerList(
  options: LedgerCommandOptions & { readonly limit: number; readonly cursor?: string; readonly why: boolean },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent);
  const { limit, cursor, why } = options;
  const page = await open.ledger.listPeers({ limit, cursor, orderBy: 'lastSeenAt' });
  if (options.json) {
    const peers = page.items.map((peer) => ({ ...peer, npub: npubOf(peer.peerId) }));
    print.json({ peers, nextCursor: page.nextCursor });
    return;
  }
  if (page.items.length === 0) {
    print.message('The ledger is empty: this agent has not met a peer yet.');
    return;
  }
  print.table(
    [
      { title: 'Peer' },
      { title: 'Interactions', align: 'right' },
      { title: 'Last seen' },
      { title: 'Info', align: 'right' },
      { title: 'Trust', align: 'right' },
      ...(why ? [{ title: 'Why', width: 80, atLeast: 50 }] : []),
    ],
    page.items.map((peer) => [
      peerName(peer),
      String(peer.interactionCount),
      moment(peer.lastSeenAt),
      `${peer.infoScoreNow}/10`,
      trustCell(peer.latest?.trust ?? null, print.paint),
      ...(why ? [sanitizeRemoteText(peer.latest?.rationale ?? 'Not assessed yet.', 1_000)] : []),
    ]),
  );
  if (page.nextCursor !== null) print.message(`There are more: --cursor ${page.nextCursor}`);
}
