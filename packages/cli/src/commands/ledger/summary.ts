import { sanitizeRemoteText } from '@bonafide/internal';
import type { LedgerSummary, PeerOverview } from '@bonafide/ledger-core';
import { counted, moment, npubOf, peerName, signed, trustCell } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import { type OpenLedger, openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

const percent = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)} %`);
const longestBar = 30;

function facts(rows: readonly (readonly [string, string])[], print: Printer): void {
  for (const [name, value] of rows) print.line(`${print.paint('dim', name.padEnd(13))}${value}`);
}

function heading(text: string, print: Printer): void {
  print.line();
  print.line(print.paint('bold', text));
}

function distribution({ trustDistribution }: LedgerSummary, print: Printer): void {
  if (trustDistribution.length === 0) return;
  heading('Peers by latest trust', print);
  const most = Math.max(...trustDistribution.map(({ peers }) => peers));
  for (const { trust, peers } of trustDistribution) {
    const bar = '█'.repeat(Math.max(1, Math.round((peers / most) * longestBar)));
    print.line(`${signed(trust).padStart(3)}  ${bar} ${peers}`);
  }
}

function flagged({ flagged: peers, flaggedCount }: LedgerSummary, print: Printer): void {
  if (peers.length === 0) return;
  heading(
    peers.length < flaggedCount ? `Flagged, the first ${peers.length} of ${flaggedCount}` : 'Flagged',
    print,
  );
  for (const peer of peers) {
    const trust = trustCell(peer.latest?.trust ?? null, print.paint);
    print.line(`${peerName(peer)}  Info ${peer.infoScoreNow}/10  Trust ${trust}`);
    print.paragraph(sanitizeRemoteText(peer.latest?.rationale ?? '', 400), 4);
  }
}

const overWords = {
  'too-often': 'more than two a day',
  'nothing-new': 'nothing happened between the first and the last',
} as const;

async function overAssessed({ ledger }: OpenLedger, summary: LedgerSummary, print: Printer): Promise<void> {
  if (summary.overAssessed.length === 0) return;
  heading('Assessed too often', print);
  for (const { peerId, assessments, spanMs, reason } of summary.overAssessed) {
    const peer = await ledger.getPeer(peerId);
    const days = Math.max(1, Math.ceil(spanMs / 86_400_000));
    const name = peer === null ? sanitizeRemoteText(peerId, 60) : peerName(peer);
    print.line(`${name}  ${assessments} assessments in ${counted(days, 'day')}: ${overWords[reason]}`);
  }
}

async function summarizeAll(open: OpenLedger, json: boolean, print: Printer): Promise<void> {
  const summary = await open.ledger.getSummary();
  const { assessments, positiveAssessments } = summary;
  const positiveShare = assessments === 0 ? null : positiveAssessments / assessments;
  if (json) {
    const assessors = await open.ledger.assessorReport();
    print.json({ ...summary, positiveShare, assessors });
    return;
  }
  facts(
    [
      ['Peers', `${summary.peers}, ${summary.assessedPeers} of them assessed`],
      ['Interactions', String(summary.interactions)],
      ['Assessments', `${assessments}, ${percent(positiveShare)} positive`],
      ['Flagged', String(summary.flaggedCount)],
    ],
    print,
  );
  distribution(summary, print);
  flagged(summary, print);
  await overAssessed(open, summary, print);
}

async function summarizePeer(
  open: OpenLedger,
  peer: PeerOverview,
  json: boolean,
  print: Printer,
): Promise<void> {
  const { ledger } = open;
  const aggregates = await ledger.getPeerAggregates(peer.peerId);
  const trajectory = await ledger.getTrajectory(peer.peerId);
  const audit = await ledger.auditAssessments(peer.peerId);
  const { verdict } = await ledger.getBriefing(peer.peerId);
  if (json) {
    print.json({ peer: { ...peer, npub: npubOf(peer.peerId) }, aggregates, trajectory, audit, verdict });
    return;
  }
  const latency = aggregates?.latencyMs;
  const trend = aggregates?.trend ?? 'unknown';
  facts(
    [
      ['Peer', peerName(peer)],
      ['Interactions', `${peer.interactionCount}, ${moment(peer.firstSeenAt)} to ${moment(peer.lastSeenAt)}`],
      ['Info', `${peer.infoScoreNow}/10`],
      ['Trust', trustCell(peer.latest?.trust ?? null, print.paint)],
      ['Success', `${percent(aggregates?.successRate ?? null)}${trend === 'unknown' ? '' : `, ${trend}`}`],
      ['Answers in', latency ? `${Math.round(latency.p50)} ms, p95 ${Math.round(latency.p95)} ms` : '–'],
      ['Policy', `${verdict.verdict}: ${sanitizeRemoteText(verdict.reason, 200)}`],
    ],
    print,
  );
  if (trajectory !== null && trajectory.alarms.length > 0) {
    heading(`Build-then-exploit ${trajectory.verdict}`, print);
    for (const { at, finding } of trajectory.alarms) print.line(`${moment(at)}  ${finding}`);
  }
  if (audit.length > 0) heading('Assessments to look at', print);
  for (const { assessment, finding } of audit) {
    print.line(
      `${moment(assessment.createdAt)}  Trust ${trustCell(assessment.trust, print.paint)}  ${sanitizeRemoteText(finding, 200)}`,
    );
  }
}

/** `bonafide ledger summary [peer]`: the whole ledger in a few numbers, or one peer's work and what looks odd. */
export async function ledgerSummary(
  who: string | undefined,
  options: LedgerCommandOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent);
  if (who === undefined) await summarizeAll(open, options.json, print);
  else await summarizePeer(open, await requirePeer(open.ledger, who), options.json, print);
}
