import type { CycleRecord } from '@bonafide/cortex';
import type { Ledger } from '@bonafide/ledger-core';
import { peerName, signed } from './format.ts';

/** Describes what a cycle of the cortex decided about each peer: the name, the trust, and the trust before where it differs. */
export async function describeTrust(
  ledger: Pick<Ledger, 'getPeer'>,
  { assessments }: Pick<CycleRecord, 'assessments'>,
): Promise<string> {
  const parts = assessments.map(async ({ peerId, trust, base }) => {
    const peer = await ledger.getPeer(peerId);
    const before = base === trust ? '' : ` (before: ${base === null ? 'none' : signed(base)})`;
    return `${peerName(peer ?? { handle: peerId, alias: null })} ${signed(trust)}${before}`;
  });
  return parts.length === 0 ? 'no trust has changed' : `trust ${(await Promise.all(parts)).join(', ')}`;
}
