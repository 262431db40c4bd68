import { seededRandom } from '@bonafide/internal';
import { evaluatePolicy } from '@bonafide/ledger-core';
import { type AgentName, createAgent, type SocietyAgent } from './agents.ts';
import { createPeers, isHostile, type SocietyPeer } from './peers.ts';

/** What came of one agent in one world. Amounts are in the price of an ordinary job. */
export interface SocietyResult {
  /** Money lost on bad jobs, summed up by day. */
  readonly lossByDay: readonly number[];
  readonly lost: number;
  /** Hours from a hostile peer's first bad job to a trust below 0; hostile peers that cheated and never got there. */
  readonly hoursToDetect: readonly number[];
  readonly undetected: number;
  /** Honest peers that were ever refused, and the longest time of one, in hours. */
  readonly accused: number;
  readonly longestRefusalHours: number;
  readonly honestPeers: number;
}

const hourMs = 3_600_000;
/** Hours after which a refused peer gets a trial, and the part of the price that a trial costs. */
const trial = { everyHours: 24, price: 0.1 };

/** The agent's view of an offer: how likely it is chosen, and whether only as a trial. */
interface Offer {
  readonly peer: SocietyPeer;
  readonly weight: number;
  readonly refused: boolean;
}

async function offerOf(agent: SocietyAgent, peer: SocietyPeer): Promise<Offer> {
  const summary = (await agent.ledger?.getPeerAssessmentSummary(peer.peerId)) ?? null;
  if (agent.ledger === null) return { peer, weight: 1, refused: false };
  const trust = summary?.latest?.trust ?? 0;
  const refused = evaluatePolicy(summary).verdict === 'refuse';
  // A stranger is tried now and then; trust decides between known peers.
  return { peer, weight: 2 ** trust, refused };
}

function pick(offers: readonly Offer[], chance: number): Offer | undefined {
  let left = chance * offers.reduce((sum, { weight }) => sum + weight, 0);
  return offers.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
}

/** Runs one agent through one world: an hour is a job, and peers talk. Equal seeds give equal worlds to every agent. */
export async function runSociety(name: AgentName, seed: number, days: number): Promise<SocietyResult> {
  const hours = days * 24;
  const peers = createPeers(hours, seededRandom(seed));
  const random = seededRandom(seed * 7 + 1);
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  const roles = new Map(peers.map(({ peerId, role }) => [peerId, role]));
  const roleOf = (peerId: string) => roles.get(peerId) ?? 'honest';
  await using agent = await createAgent(name, { clock: () => now, roleOf, random: seededRandom(seed + 99) });

  const jobs = new Map<string, number>();
  const trials = new Map<string, number>();
  const firstBad = new Map<string, number>();
  const detected = new Map<string, number>();
  const refusedSince = new Map<string, number>();
  const accused = new Set<string>();
  let longest = 0;
  const lossByDay: number[] = Array.from({ length: days }, () => 0);
  const honest = peers.filter(({ role }) => role === 'honest');

  for (let hour = 0; hour < hours; hour += 1) {
    now = start + hour * hourMs;
    const present = peers.filter(({ from, until }) => from <= hour && hour < until);
    const offers = await Promise.all(present.map((peer) => offerOf(agent, peer)));
    const open = offers.filter(({ refused }) => !refused);
    const due = offers.filter(
      ({ refused, peer }) =>
        refused && hour - (trials.get(peer.peerId) ?? Number.NEGATIVE_INFINITY) >= trial.everyHours,
    );
    const chance = random();
    const result = random();
    const slandered = honest[Math.floor(random() * honest.length)]?.peerId ?? '';
    // Trials are small, and beside the job.
    const hired = [pick(open, chance), due[0]].filter((offer) => offer !== undefined);
    for (const { peer, refused } of hired) {
      const { peerId, role } = peer;
      const before = jobs.get(peerId) ?? 0;
      jobs.set(peerId, before + 1);
      if (refused) trials.set(peerId, hour);
      const outcome = peer.work(before, result);
      const said = peer.chat(slandered);
      if (outcome !== 'verified') {
        lossByDay[Math.floor(hour / 24)] =
          (lossByDay[Math.floor(hour / 24)] ?? 0) + (refused ? trial.price : 1);
        if (isHostile(role) && !firstBad.has(peerId)) firstBad.set(peerId, hour);
      }
      if (agent.ledger === null) continue;
      const about = { peerId, channel: 'nostr', correlationId: `${hour}-${peerId.slice(0, 8)}` };
      await agent.ledger.recordOutgoing({ ...about, content: 'Please do this.', outcome: 'requested' });
      await agent.ledger.recordIncoming({
        ...about,
        content: `Here it is. ${said ?? ''}`,
        outcome: 'delivered',
      });
      await agent.ledger.recordOutcome(about.correlationId, outcome);
      await agent.learn(peerId, outcome, said);
    }
    await agent.reflect();
    if (agent.ledger === null) continue;
    for (const { peerId, role } of present) {
      if (!jobs.has(peerId)) continue;
      const summary = await agent.ledger.getPeerAssessmentSummary(peerId);
      const refused = evaluatePolicy(summary).verdict === 'refuse';
      if (isHostile(role)) {
        const distrusted = (summary?.latest?.trust ?? 0) < 0;
        if (distrusted && firstBad.has(peerId) && !detected.has(peerId)) detected.set(peerId, hour);
      } else if (role === 'honest') {
        if (refused && !refusedSince.has(peerId)) refusedSince.set(peerId, hour);
        if (refused) accused.add(peerId);
        if (refused) longest = Math.max(longest, hour + 1 - (refusedSince.get(peerId) ?? hour));
        else refusedSince.delete(peerId);
      }
    }
  }
  return {
    lossByDay,
    lost: lossByDay.reduce((sum, loss) => sum + loss, 0),
    hoursToDetect: [...detected].map(([peerId, at]) => at - (firstBad.get(peerId) ?? at)),
    undetected: firstBad.size - detected.size,
    accused: accused.size,
    longestRefusalHours: longest,
    honestPeers: honest.length,
  };
}
