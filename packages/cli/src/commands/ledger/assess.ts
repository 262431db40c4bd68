import { npubOf, peerName, trustCell } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

/** `bonafide ledger assess <peer>`: the operator's own judgment, which the agent's policy follows. */
export async function ledgerAssess(
  who: string,
  options: LedgerCommandOptions & { readonly trust: number; readonly because: string },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent, 'write');
  const peer = await requirePeer(open.ledger, who);
  const assessment = await open.ledger.recordAssessment(peer.peerId, options.trust, options.because, {
    source: 'operator',
  });
  if (options.json) {
    print.json({ assessment: { ...assessment, npub: npubOf(peer.peerId) } });
    return;
  }
  const trust = trustCell(assessment.trust, print.paint);
  print.line(`Recorded for ${peerName(peer)}: Info ${assessment.infoScore}/10, Trust ${trust}.`);
}
