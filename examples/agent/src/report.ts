import { codeGeneration } from '@bonafide/example-strangers';
import {
  attestationFreshnessScore,
  computeTrustScore,
  endorsementScore,
  successRateScore,
  testCoverageScore,
  uptimeScore,
} from '@bonafide/trust-score';
import Table from 'cli-table3';
import type { Agent } from './agent.ts';
import type { Stranger } from './run.ts';
import { coloured } from './say.ts';
import type { Work } from './workspace.ts';

const hourMs = 3_600_000;
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** What anybody could compute from the same record: the multi-factor score of one platform. */
function trustScoreOf(work: readonly Work[], since: number, now: number): number {
  const jobs = work.filter(({ kind }) => kind === 'job');
  const good = jobs.filter(({ outcome }) => outcome === 'SUCCESS' || outcome === 'PARTIAL').length;
  const silentHours = sum(work.map(({ latencyMs }) => (latencyMs === null ? 0.1 : 0)));
  const last = Math.max(since, ...work.map(({ endedAt }) => endedAt));
  return computeTrustScore({
    testCoverage: testCoverageScore(
      sum(work.map(({ passed }) => passed)),
      sum(work.map(({ tests }) => tests)),
    ),
    uptime: uptimeScore((now - since) / hourMs, silentHours),
    successRate: successRateScore(good, jobs.length - good),
    endorsements: endorsementScore(0, 0, 0),
    attestationFreshness: attestationFreshnessScore((now - last) / hourMs),
  }).value;
}

/** Gathers every view of the run (AGT-3); the README says what the fields mean. Later packages fill the empty ones. */
export async function buildReport(agent: Agent, strangers: readonly Stranger[], work: readonly Work[]) {
  const now = Date.now();
  const platforms = await Promise.all(
    strangers.map(async ({ platform, name, npub }) => {
      const entry = await agent.matrix.entry(codeGeneration, platform);
      const peer = await agent.ledger.getPeer(platform.pubkey);
      const own = work.filter(({ pubkey }) => pubkey === platform.pubkey);
      return {
        name,
        npub,
        status: entry?.status ?? 'UNKNOWN',
        reason: entry?.statusReason ?? '',
        tier: entry?.tier ?? 'none',
        trust: entry?.trustScore ?? null,
        score: trustScoreOf(own, peer?.firstSeenAt ?? now, now),
      };
    }),
  );
  const { items } = await agent.ledger.listPeers({ limit: 1_000 });
  const peers = await Promise.all(
    items.map(async ({ peerId, alias, interactionCount }) => {
      const summary = await agent.ledger.getPeerAssessmentSummary(peerId);
      return {
        peerId,
        alias,
        interactions: interactionCount,
        infoScore: summary?.infoScoreNow ?? 0,
        trust: summary?.latest?.trust ?? null,
        rationale: summary?.latest?.rationale ?? null,
      };
    }),
  );
  const beliefs = agent.cortex
    .beliefs()
    .map(({ key, value, peerId }) => ({ key, value, peerId: peerId ?? null }));
  return { platforms, jobs: work, peers, beliefs, reviews: [], thresholds: [], wasted: null };
}

const signed = (trust: number | null) => (trust === null ? '–' : `${trust > 0 ? '+' : ''}${trust}`);

/** What `--json` prints. */
export type Report = Awaited<ReturnType<typeof buildReport>>;

/** Prints a table per view. */
export function printReport(report: Report, stream: NodeJS.WriteStream): void {
  const names = new Map(report.peers.map(({ peerId, alias }) => [peerId, alias ?? peerId]));
  const show = (
    title: string,
    head: readonly string[],
    rows: readonly (readonly string[])[],
    widths: readonly (number | null)[] = [],
  ) => {
    const table = new Table({
      head: [...head],
      style: { head: [], border: [] },
      wordWrap: true,
      colWidths: [...widths],
    });
    table.push(...rows.map((row) => row.map((cell) => coloured(cell, stream))));
    stream.write(`\n${title}\n${table.toString()}\n`);
  };
  show(
    'Platforms: whom to ask',
    ['platform', 'status', 'tier', 'trust', 'score', 'why'],
    report.platforms.map(({ name, status, tier, trust, score, reason }) => [
      name,
      status,
      tier,
      trust?.toFixed(2) ?? '–',
      score.toFixed(2),
      reason,
    ]),
    [null, null, null, null, null, 60],
  );
  show(
    'Jobs: what came of them',
    ['platform', 'trials', 'jobs', 'success', 'partial', 'failure', 'error', 'violation', 'tests passed'],
    report.platforms.map(({ name }) => {
      const own = report.jobs.filter(({ platform }) => platform === name);
      const ended = (wanted: string) => String(own.filter(({ outcome }) => outcome === wanted).length);
      const kind = (wanted: string) => String(own.filter((work) => work.kind === wanted).length);
      const tests = `${sum(own.map(({ passed }) => passed))}/${sum(own.map((work) => work.tests))}`;
      return [
        name,
        kind('trial'),
        kind('job'),
        ...['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION'].map(ended),
        tests,
      ];
    }),
  );
  show(
    'Ledger: what the agent makes of its peers',
    ['peer', 'messages', 'info', 'trust', 'latest rationale'],
    report.peers.map(({ peerId, interactions, infoScore, trust, rationale }) => [
      names.get(peerId) ?? peerId,
      String(interactions),
      `${infoScore}/10`,
      signed(trust),
      rationale ?? 'not assessed yet',
    ]),
    [null, null, null, null, 80],
  );
  show(
    'Beliefs: what the cortex holds',
    ['about', 'belief'],
    report.beliefs.map(({ key, value, peerId }) => [
      peerId === null ? key : `${names.get(peerId) ?? peerId}: ${key}`,
      value,
    ]),
    [null, 90],
  );
}
