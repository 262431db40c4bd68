import { sanitizeRemoteText } from '@bonafide/internal';
import type { Assessment, Interaction, Ledger, PeerOverview } from '@bonafide/ledger-core';
import { moment, npubOf, trustCell } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

const shown = 20;

/** The newest interactions, oldest first: the last `shown`, or all. */
async function interactions(ledger: Ledger, peerId: string, all: boolean): Promise<readonly Interaction[]> {
  const rows: Interaction[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Ledger['getInteractions']>> = await ledger.getInteractions(peerId, {
      limit: all ? 1_000 : shown,
      cursor,
    });
    rows.push(...page.items);
    cursor = all ? page.nextCursor : null;
  } while (cursor !== null);
  return rows.toReversed();
}

function describe(peer: PeerOverview, print: Printer): void {
  const { paint } = print;
  const npub = npubOf(peer.peerId);
  const rate = peer.successRate === null ? '–' : `${Math.round(peer.successRate * 100)} %`;
  const alias = peer.alias === null ? '' : sanitizeRemoteText(peer.alias, 80);
  const rows: readonly (readonly [string, string])[] = [
    ...(alias === '' ? [] : [['Calls itself', alias] as const]),
    ['Handle', sanitizeRemoteText(peer.handle, 60)],
    ['Id', sanitizeRemoteText(peer.peerId, 400)],
    ...(npub === null ? [] : [['npub', npub] as const]),
    ['Channel', sanitizeRemoteText(peer.channel, 80)],
    ['Interactions', String(peer.interactionCount)],
    ['Seen', `${moment(peer.firstSeenAt)} to ${moment(peer.lastSeenAt)}`],
    ['Info', `${peer.infoScoreNow}/10`],
    ['Trust', trustCell(peer.latest?.trust ?? null, paint)],
    ...(peer.lastViolationAt === null
      ? []
      : [
          [
            'Violations',
            paint('red', `${peer.violationCount}, last ${moment(peer.lastViolationAt)}`),
          ] as const,
        ]),
    ['Work', `${peer.successCount} ended well, ${peer.failureCount} badly, ${peer.openCount} open (${rate})`],
  ];
  for (const [name, value] of rows) print.line(`${paint('dim', name.padEnd(13))}${value}`);
}

function listInteractions(rows: readonly Interaction[], total: number, print: Printer): void {
  print.line();
  print.line(
    print.paint(
      'bold',
      rows.length < total ? `Last ${rows.length} of ${total} interactions` : 'Interactions',
    ),
  );
  print.table(
    [
      { title: 'When' },
      { title: 'Direction' },
      { title: 'Outcome' },
      { title: 'Length', align: 'right', yields: 1 },
      { title: 'Text', atLeast: 30 },
    ],
    rows.map((row) => [
      moment(row.createdAt),
      row.direction,
      row.outcome ?? '–',
      String(row.contentLength),
      row.voided
        ? print.paint('dim', '(voided)')
        : row.pruned
          ? print.paint('dim', '(text removed)')
          : sanitizeRemoteText(row.content, 60),
    ]),
  );
}

function listAssessments(rows: readonly Assessment[], print: Printer): void {
  const { paint } = print;
  print.line();
  print.line(paint('bold', 'Assessments'));
  if (rows.length === 0) print.line(paint('dim', 'Not assessed yet.'));
  for (const row of rows) {
    const by = row.assessor === null ? row.source : `${row.source}, ${sanitizeRemoteText(row.assessor, 60)}`;
    const trust = trustCell(row.trust, paint);
    print.line(
      `${moment(row.createdAt)}  Info ${row.infoScore}/10  Trust ${trust}  ${paint('dim', `(${by})`)}`,
    );
    print.paragraph(sanitizeRemoteText(row.rationale, 4_000), 4);
  }
}

/** `bonafide ledger show <peer>`: one peer, its last interactions and the timeline of assessments. */
export async function ledgerShow(
  who: string,
  options: LedgerCommandOptions & { readonly all: boolean },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent);
  const { ledger } = open;
  const peer = await requirePeer(ledger, who);
  const rows = await interactions(ledger, peer.peerId, options.all);
  const assessments = await ledger.getAssessments(peer.peerId);
  if (options.json) {
    print.json({ peer: { ...peer, npub: npubOf(peer.peerId) }, interactions: rows, assessments });
    return;
  }
  describe(peer, print);
  listInteractions(rows, peer.interactionCount, print);
  listAssessments(assessments, print);
}
