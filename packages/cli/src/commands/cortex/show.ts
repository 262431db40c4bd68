import { sanitizeRemoteText } from '@bonafide/internal';
import { counted, moment, peerName } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { type CortexCommandOptions, openCortex } from './open.ts';

/** `bonafide cortex beliefs`: the active beliefs, oldest first. */
export async function cortexBeliefs(options: CortexCommandOptions, io: CliIo, print: Printer): Promise<void> {
  await using open = await openCortex(options, io);
  const beliefs = open.cortex.beliefs();
  if (options.json) {
    print.json({ beliefs });
    return;
  }
  if (beliefs.length === 0) {
    print.line('No active beliefs.');
    return;
  }
  const peers = new Map<string, string>();
  for (const { peerId } of beliefs) {
    const peer = peerId === null ? null : await open.ledger.getPeer(peerId);
    if (peer !== null) peers.set(peer.peerId, peerName(peer));
  }
  print.table(
    [
      { title: 'Key' },
      { title: 'About' },
      { title: 'By' },
      { title: 'Until' },
      { title: 'Belief', atLeast: 30 },
    ],
    beliefs.map(({ key, handle, peerId, kind, pinned, confirmedAt, ttlMinutes, value }) => [
      sanitizeRemoteText(key, 64),
      peers.get(peerId ?? '') ?? sanitizeRemoteText(handle ?? peerId ?? 'itself', 60),
      kind === 'note' ? 'model' : kind === 'template' ? 'facts' : 'operator',
      pinned ? 'pinned' : moment(confirmedAt + ttlMinutes * 60_000),
      sanitizeRemoteText(value, 200),
    ]),
  );
}

/** `bonafide cortex history`: the last cycles, newest first, with what was limited and dropped. */
export async function cortexHistory(
  options: CortexCommandOptions & { readonly limit: number },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openCortex(options, io);
  const cycles = open.cortex.history().slice(0, options.limit);
  const { days, skips } = open.cortex.costs();
  if (options.json) {
    print.json({ cycles, days, skips });
    return;
  }
  if (cycles.length === 0) print.line('No cycles yet.');
  else {
    print.table(
      [
        { title: 'Cycle', align: 'right' },
        { title: 'When' },
        { title: 'Trigger' },
        { title: 'Result' },
        { title: 'Peers', align: 'right' },
        { title: 'Assessed', align: 'right' },
        { title: 'Limited', align: 'right', yields: 3 },
        { title: 'Dropped', align: 'right', yields: 2 },
        { title: 'Tokens', align: 'right', yields: 4 },
        { title: 'Seconds', align: 'right', yields: 1 },
      ],
      cycles.map((record) => [
        String(record.cycle),
        moment(record.startedAt),
        sanitizeRemoteText(record.triggers.join(', '), 60),
        record.revertedAt === null ? (record.failure?.code ?? record.status) : 'reverted',
        String(record.peers.length),
        String(record.assessments.length),
        String(record.assessments.filter(({ guards }) => guards.length > 0).length),
        String(record.dropped.length),
        `${record.cost.inputTokens + record.cost.outputTokens}${record.cost.estimated ? '~' : ''}`,
        (record.durationMs / 1_000).toFixed(1),
      ]),
    );
  }
  for (const { at, limit, wanted, allowed, reserved } of skips.slice(-5)) {
    const share = reserved ? ' for strangers' : '';
    print.line(`${moment(at)}  not called: ${limit}${share}, ${wanted} of ${allowed}`);
  }
}

/** `bonafide cortex replay <cycle>`: repeats the decisions of a cycle. Returns false when they differ. */
export async function cortexReplay(
  cycle: number,
  options: CortexCommandOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  await using open = await openCortex(options, io);
  const replay = await open.cortex.replay(cycle);
  if (options.json) print.json(replay);
  else if (replay.identical) {
    print.line(`Cycle ${cycle} gives the same ${counted(replay.assessments.length, 'decision')} again.`);
  } else for (const difference of replay.differences) print.line(sanitizeRemoteText(difference, 400));
  return replay.identical;
}

/** `bonafide cortex consult <peer> <request>`: the verdict by the record, without a model. */
export async function cortexConsult(
  question: { readonly peer: string; readonly request: string },
  options: CortexCommandOptions & { readonly amount?: number },
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openCortex(options, io, 'write');
  const { peer: peerId, request } = question;
  const stakes = options.amount === undefined ? {} : { stakes: { amountMsat: options.amount } };
  const consultation = await open.cortex.consult({ peerId, request, ...stakes });
  if (options.json) {
    print.json(consultation);
    return;
  }
  print.line(`${consultation.verdict}: ${sanitizeRemoteText(consultation.reasoning, 600)}`);
  for (const condition of consultation.conditions) print.line(`  - ${sanitizeRemoteText(condition, 200)}`);
}
