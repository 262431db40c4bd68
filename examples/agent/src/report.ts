import {
  type Column,
  createPrinter,
  paintStatusWords,
  processIo,
  sanitizeRemoteText,
  signed,
} from '@bonafide/cli/terminal';
import { codeGeneration } from '@bonafide/example-strangers';
import { computeTrustScore, scoreFactors } from '@bonafide/trust-score';
import type { Agent } from './agent.ts';
import type { Stranger } from './stranger.ts';
import type { Work } from './work.ts';

const hourMs = 3_600_000;
const outcomes = ['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION'];
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Computes the multi-factor trust score of one platform from its work. */
function trustScoreOf(work: readonly Work[], since: number, now: number): number {
  const jobs = work.filter(({ kind }) => kind === 'job');
  const good = jobs.filter(({ outcome }) => outcome === 'SUCCESS' || outcome === 'PARTIAL').length;
  const last = Math.max(since, ...work.map(({ endedAt }) => endedAt));
  const factors = scoreFactors({
    testCoverage: {
      passing: sum(work.map(({ passed }) => passed)),
      total: sum(work.map(({ tests }) => tests)),
    },
    uptime: { periodHours: (now - since) / hourMs, downtimeHours: 0 },
    successRate: { successful: good, failed: jobs.length - good },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: (now - last) / hourMs },
  });
  return computeTrustScore(factors).value;
}

/** Collects every view of the run. The README describes the fields. */
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
  return { platforms, jobs: work, peers, beliefs, reviews: [], thresholds: [] };
}

/** Document of `--json`. */
export interface Report extends Awaited<ReturnType<typeof buildReport>> {
  /** Money in work that was not worth it, msat; null without `--compare`. */
  readonly wasted: { readonly with: number; readonly without: number } | null;
}

const left = (...titles: string[]): Column[] => titles.map((title) => ({ title }));
const right = (...titles: string[]): Column[] => titles.map((title) => ({ title, align: 'right' }));

/** Prints a table per view, or one JSON document. */
export function printReport(report: Report, json: boolean): void {
  const { platforms, jobs, peers, beliefs, wasted } = report;
  const { paint, line, table, json: printJson } = createPrinter(processIo());
  if (json) {
    printJson(report);
    return;
  }
  const names = new Map(peers.map(({ peerId, alias }) => [peerId, sanitizeRemoteText(alias ?? peerId, 24)]));
  const nameOf = (peerId: string) => names.get(peerId) ?? peerId;
  const show = (title: string, columns: readonly Column[], rows: readonly string[][]) => {
    line(`\n${paint('bold', title)}\n`);
    const painted = rows.map((row) => row.map((cell) => paintStatusWords(cell, paint)));
    table(columns, painted);
  };
  show(
    'Platforms (trust 0–0.9 of the routing matrix, score 0–1 of the trust factors)',
    [...left('platform', 'status', 'tier'), ...right('trust', 'score'), ...left('why')],
    platforms.map(({ name, status, tier, trust, score, reason }) => {
      return [name, status, tier, trust?.toFixed(2) ?? '–', score.toFixed(2), reason];
    }),
  );
  show(
    'Jobs by outcome',
    [
      ...left('platform'),
      ...right('trials', 'jobs', 'success', 'partial', 'failure', 'error', 'violation', 'tests passed'),
    ],
    platforms.map(({ name }) => {
      const own = jobs.filter(({ platform }) => platform === name);
      const count = (test: (work: Work) => boolean) => String(own.filter(test).length);
      return [
        name,
        count(({ kind }) => kind === 'trial'),
        count(({ kind }) => kind === 'job'),
        ...outcomes.map((wanted) => count(({ outcome }) => outcome === wanted)),
        `${sum(own.map(({ passed }) => passed))}/${sum(own.map(({ tests }) => tests))}`,
      ];
    }),
  );
  show(
    'Ledger (info 0–10 computed, trust −10…+10 judged)',
    [...left('peer'), ...right('messages', 'info', 'trust'), ...left('latest rationale')],
    peers.map(({ peerId, interactions, infoScore, trust, rationale }) => {
      const reason = rationale ?? 'not assessed yet';
      return [nameOf(peerId), String(interactions), `${infoScore}/10`, signed(trust), reason];
    }),
  );
  show(
    'Beliefs of the cortex',
    left('about', 'key', 'belief'),
    beliefs.map(({ key, value, peerId }) => [peerId === null ? 'itself' : nameOf(peerId), key, value]),
  );
  if (wasted === null) return;
  const share = wasted.without === 0 ? 0 : 1 - wasted.with / wasted.without;
  const saved = `${Math.round(share * 100)} % less`;
  line(
    `\nSpent on bad work: ${wasted.with} msat, trials included; without memory ${wasted.without} msat: ${saved}.`,
  );
}
