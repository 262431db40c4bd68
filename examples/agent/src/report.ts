import { runCli } from '@bonafide/cli';
import { createPrinter, processIo, sanitizeRemoteText, signed } from '@bonafide/cli/terminal';
import { codeGeneration } from '@bonafide/example-strangers';
import { computeTrustScore, scoreFactors } from '@bonafide/trust-score';
import type { Agent } from './agent.ts';
import type { Stranger } from './stranger.ts';
import type { correctThreshold } from './thresholds.ts';
import type { Work } from './work.ts';

const hourMs = 3_600_000;

/** Computes the multi-factor trust score of one platform from its work. */
function trustScoreOf(work: readonly Work[], since: number, now: number): number {
  const jobs = work.filter(({ kind }) => kind === 'job');
  const good = jobs.filter(({ outcome }) => outcome === 'SUCCESS' || outcome === 'PARTIAL').length;
  const last = Math.max(since, ...work.map(({ endedAt }) => endedAt));
  const passing = work.reduce((sum, { passed }) => sum + passed, 0);
  const total = work.reduce((sum, { tests }) => sum + tests, 0);
  const factors = scoreFactors({
    testCoverage: { passing, total },
    uptime: { periodHours: (now - since) / hourMs, downtimeHours: 0 },
    successRate: { successful: good, failed: jobs.length - good },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: (now - last) / hourMs },
  });
  return computeTrustScore(factors).value;
}

/** Collects every view of the run. The README describes the fields. */
export async function buildReport(
  agent: Agent,
  strangers: readonly Stranger[],
  work: readonly Work[],
  thresholds: Awaited<ReturnType<typeof correctThreshold>>,
) {
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
  platforms.sort((a, b) => (b.trust ?? 0) - (a.trust ?? 0));
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
  const beliefs = agent.cortex.beliefs();
  await agent.reputation.publishDue();
  const { items: published } = await agent.reputation.list({ state: 'published', limit: 500 });
  const reviews = published.map(({ key, review, events }) => ({
    id: events[0]?.id ?? key,
    subject: review.subject,
    rating: 1 + 4 * review.trustScore,
    summary: review.summary,
  }));
  return { platforms, jobs: work, peers, beliefs, reviews, thresholds };
}

/** Document of `--json`. */
export interface Report extends Awaited<ReturnType<typeof buildReport>> {
  /** Money in work that was not worth it, msat; null without `--compare`. */
  readonly wasted: { readonly with: number; readonly without: number } | null;
}

/** Views of the command line over the workspace. */
const views = [
  ['Platforms', 'routes'],
  ['Latest jobs', 'work', 'list', '--limit', '12'],
  ['Beliefs', 'cortex', 'beliefs'],
  ['Reviews: attacks are published at once, others after a day', 'reviews', 'list', '--limit', '12'],
] as const;

/** Prints the tables of the command line and what it has no table for, or one JSON document. */
export async function printReport(report: Report, json: boolean, folder: string): Promise<void> {
  const { peers, thresholds, wasted } = report;
  const { paint, line, table, json: printJson } = createPrinter(processIo());
  if (json) return printJson(report);
  for (const [title, ...command] of views) {
    line(`\n${paint('bold', title)} ${paint('dim', `(bonafide ${command.join(' ')} --workspace …)`)}\n`);
    await runCli([...command, '--workspace', folder]);
  }
  line(`\n${paint('bold', 'Ledger (info 0–10 computed, trust −10…+10 judged)')}\n`);
  table(
    ['peer', 'messages', 'info', 'trust', 'latest rationale'].map((title) => ({ title })),
    peers.map(({ peerId, alias, interactions, infoScore, trust, rationale }) => [
      sanitizeRemoteText(alias ?? peerId, 24),
      String(interactions),
      `${infoScore}/10`,
      signed(trust),
      rationale ?? 'not assessed yet',
    ]),
  );
  for (const { task, from, to, pattern, branch } of thresholds)
    line(
      `\nProposed for ${task}: threshold ${from} → ${to} (${pattern}), branch ${branch} of thresholds/thresholds.git`,
    );
  if (wasted === null) return;
  const saved = wasted.without === 0 ? 0 : Math.round((1 - wasted.with / wasted.without) * 100);
  line(
    `\nSpent on bad work: ${wasted.with} msat, trials included; without memory ${wasted.without} msat: ${saved} % less.`,
  );
}
