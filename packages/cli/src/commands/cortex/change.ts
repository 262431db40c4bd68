import { counted, peerName, signed } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { requirePeer } from '../../open-ledger.ts';
import type { Printer } from '../../print.ts';
import { type CortexCommandOptions, type OpenCortex, openCortex } from './open.ts';

/** Options of a command about one belief. */
export interface BeliefCommandOptions extends CortexCommandOptions {
  readonly peer?: string;
  /** Takes back what the command does. */
  readonly undo: boolean;
}

async function nameOf(open: OpenCortex, key: string, { peer }: BeliefCommandOptions) {
  return peer === undefined ? { key } : { key, peerId: (await requirePeer(open.ledger, peer)).peerId };
}

/** `bonafide cortex pin <key>`: exempts a belief from time to live and cap, or writes one in the operator's words. */
export async function cortexPin(
  key: string,
  options: BeliefCommandOptions & { readonly text?: string },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openCortex(options, io, 'write');
  const name = await nameOf(open, key, options);
  if (options.text === undefined) await open.cortex.pin(name, !options.undo);
  else await open.cortex.edit({ ...name, value: options.text });
  if (options.json) print.json({ beliefs: open.cortex.beliefs() });
  else print.line(options.undo ? `${key} expires again.` : `${key} is pinned.`);
}

/** `bonafide cortex veto <key>`: removes a belief permanently. */
export async function cortexVeto(
  key: string,
  options: BeliefCommandOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openCortex(options, io, 'write');
  await open.cortex.veto(await nameOf(open, key, options), !options.undo);
  if (options.json) print.json({ beliefs: open.cortex.beliefs() });
  else print.line(options.undo ? `${key} may be formed again.` : `${key} is gone and will not come back.`);
}

/** `bonafide cortex revert <cycle>`: undoes a cycle by corrections. */
export async function cortexRevert(
  cycle: number,
  options: CortexCommandOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openCortex(options, io, 'write');
  const reverted = await open.cortex.revert(cycle);
  if (options.json) {
    print.json(reverted);
    return;
  }
  const { assessments, removed, restored } = reverted;
  print.line(
    `Reverted cycle ${cycle}: ${counted(assessments.length, 'correction')}, ${counted(removed.length, 'belief')} removed, ${restored.length} restored.`,
  );
  for (const { peerId, from, to } of assessments) {
    const peer = await open.ledger.getPeer(peerId);
    print.line(`  ${peerName(peer ?? { handle: peerId, alias: null })}: ${signed(from)} to ${signed(to)}`);
  }
}
