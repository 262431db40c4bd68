import { seededRandom } from '@bonafide/internal';
import type * as Package from '../../src/index.ts';
import { otc } from '../networks.ts';
import { attackEdges, chainAttack } from '../sybil-attack.ts';
import { type Api, type AttackCase, day, now, type Outcome } from './attack.ts';

const ring = (count: number, make: (i: number) => Partial<Package.Endorsement>) =>
  Array.from(
    { length: count },
    (_, i): Package.Endorsement => ({ endorser: `sybil ${i}`, at: now - day, ...make(i) }),
  );
const endorsed = (api: Api, list: readonly Package.Endorsement[]): Outcome => {
  const { verdict, endorsementMultiplier } = api.detectEndorsementGaming(list, now);
  return {
    text: `${verdict.replace('_', ' ')}, × ${endorsementMultiplier}`,
    succeeded: endorsementMultiplier === 1,
  };
};
const leaf = [...new Set(otc.map(({ source }) => source))].find(
  (node) => otc.filter(({ source }) => source === node).length === 1,
);
function web(api: Api, attack: Parameters<typeof attackEdges>[0], target = '3744'): Outcome {
  const view = (edges: readonly Package.Edge[]) => {
    const found = api.personalTrust(edges, '35', target) as unknown as {
      trust?: number;
      value?: number | null;
    };
    return found.trust ?? found.value ?? 0;
  };
  const [before, after] = [view(otc), view([...otc, ...attackEdges(attack, target)])];
  return { text: `${before.toFixed(3)} → ${after.toFixed(3)}`, succeeded: Math.abs(after - before) > 0.1 };
}

/** Attacks on opinions: webs of trust and endorsements. */
export const attacksOnWebs: readonly AttackCase[] = [
  {
    group: 'Webs of trust',
    attack: 'one edge of a rater with one rating, 10,000 Sybils in a chain',
    before: '-0.875 → 0.983',
    run: (api) => web(api, chainAttack(leaf ?? '', 10_000)),
    cost: 'edges of many raters near the observer; at most the bound moves',
  },
  {
    group: 'Webs of trust',
    attack: 'an edge of a direct contact of the observer, and 400 Sybils that the target rates',
    before: '-0.875 → 0.622',
    run: (api) => web(api, { ...chainAttack('4002', 400), shape: 'ring', helpers: 400 }),
    cost: 'as above',
  },
  {
    group: 'Webs of trust',
    attack: '1,000 strangers slander a target',
    before: '0.316 → 0.302',
    run: (api) => web(api, { ...chainAttack('', 1_000), seller: null, rating: -1 }, '4'),
    cost: 'strangers weigh nothing',
  },
  {
    group: 'Webs of trust',
    attack: 'ten new keys accuse an honest target of an exit scam',
    before: 'confirmed',
    run: (api) => {
      const random = seededRandom(4);
      const honest = Array.from({ length: 12 }, (_, i) => [
        { source: 'founder', target: `rater ${i}`, weight: 0.5, at: i },
        { source: `rater ${i}`, target: 'victim', weight: 0.3 + 0.3 * random(), at: 100 + i },
      ]).flat();
      const lies = Array.from({ length: 10 }, (_, i) => ({
        ...{ source: `new ${i}`, target: 'victim', weight: -1, at: 1_000 + i },
      }));
      if (api.scanTrajectories === undefined) {
        const series = [...honest, ...lies].filter(({ target }) => target === 'victim');
        const found = api.detectBuildThenExploit(
          series.map(({ at, weight }) => ({ at, trust: weight * 10 })),
        );
        return { text: found.verdict, succeeded: found.verdict === 'confirmed' };
      }
      const { verdict = 'none', negativeMass = 0 } =
        api.scanTrajectories([...honest, ...lies]).get('victim') ?? {};
      return {
        text: `${verdict}, negative mass ${negativeMass.toFixed(3)}`,
        succeeded: verdict === 'exploited',
      };
    },
    cost: 'raters with their own reputation',
  },
  {
    group: 'Webs of trust',
    attack: 'thirty Sybils that first praise each other accuse an honest target',
    before: 'confirmed',
    run: (api) => {
      const honest = Array.from({ length: 12 }, (_, i) => [
        { source: 'founder', target: `rater ${i}`, weight: 0.5, at: i },
        { source: `rater ${i}`, target: 'victim', weight: 0.5, at: 100 + i },
      ]).flat();
      const lies = Array.from({ length: 30 }, (_, i) => [
        { source: `new ${i}`, target: `new ${(i + 1) % 30}`, weight: 1, at: 500 },
        { source: `new ${i}`, target: 'victim', weight: -1, at: 1_000 + i },
      ]).flat();
      const all = [...honest, ...lies];
      const raterWeights = new Map(
        [...api.personalView(all, 'founder')].map(([name, { trust }]) => [name, Math.max(0, trust)]),
      );
      const { verdict = 'none' } =
        api.scanTrajectories(all, { raterWeights, priorMass: 0 }).get('victim') ?? {};
      return {
        text: `${verdict}, with raters weighed by the observer’s view`,
        succeeded: verdict === 'exploited',
      };
    },
    cost: 'edges of raters that the observer trusts; without `raterWeights` it works',
  },
  {
    group: 'Webs of trust',
    attack: 'three free −1 ratings dated 1970, before an exit scam',
    before: 'insufficient',
    run: (api) => {
      const honest = Array.from({ length: 10 }, (_, i) => [
        { source: 'founder', target: `rater ${i}`, weight: 1, at: 1_000 + i },
        { source: `rater ${i}`, target: 'scammer', weight: 0.2, at: 1_100 + i },
        { source: `rater ${i}`, target: 'scammer', weight: -1, at: 2_000 + i },
      ]).flat();
      const free = Array.from({ length: 3 }, (_, i) => ({
        ...{ source: `new ${i}`, target: 'scammer', weight: -1, at: i },
      }));
      const { verdict = 'none' } = api.scanTrajectories([...honest, ...free]).get('scammer') ?? {};
      return { text: verdict, succeeded: verdict !== 'exploited' };
    },
    cost: 'raters with a reputation, who never praised it',
  },
  {
    group: 'Webs of trust',
    attack: 'a direct contact of the observer sells its rating of the target itself',
    before: 'moves trust by 0.181, bound 0.053',
    open: true,
    run: (api) => {
      const before = api.personalView(otc, '35').get('3744');
      const sold = [...otc, { source: '4002', target: '3744', weight: 1 }];
      const after = api.personalView(sold, '35').get('3744');
      const moved = Math.abs((after?.trust ?? 0) - (before?.trust ?? 0));
      const { raterBound } = (before ?? {}) as { readonly raterBound?: number };
      const stated =
        raterBound === undefined
          ? `bound ${before?.bound.toFixed(3)}`
          : `raterBound ${raterBound.toFixed(3)}`;
      return {
        text: `moves trust by ${moved.toFixed(3)}, ${stated}`,
        succeeded: moved > (raterBound ?? 0) || moved > 0.1,
      };
    },
    cost: 'the observer’s own contact; `raterBound` says how much',
  },
  {
    group: 'Endorsements',
    attack: '40 Sybils: one old key, 61 minutes apart, in a chain',
    before: 'clean, × 1',
    run: (api) =>
      endorsed(
        api,
        ring(40, (i) => ({
          at: now - 3 * day + i * 61 * 60_000,
          endorserCreatedAt: now - (i === 0 ? 400 : 5) * day,
          endorses: i < 39 ? [`sybil ${i + 1}`] : [],
        })),
      ),
    cost: 'aged keys, irregular times, links to outsiders',
  },
  {
    group: 'Endorsements',
    attack: 'a quarter of earlier accomplices beside 30 new Sybils at irregular times',
    before: 'suspicious, × 0.5',
    run: (api) => {
      const random = seededRandom(8);
      return endorsed(
        api,
        ring(40, (i) => ({
          at: now - random() * 20 * day,
          endorserCreatedAt: now - (i < 10 ? 300 + 40 * i : 25 + random()) * day,
          endorses: [`sybil ${(i + 1) % 40}`],
        })),
      );
    },
    cost: 'as above',
  },
  {
    group: 'Endorsements',
    attack: 'bought old keys at random times with outside links',
    before: 'clean, × 1',
    open: true,
    run: (api) => {
      const random = seededRandom(9);
      return endorsed(
        api,
        ring(40, (i) => ({
          at: now - random() * 90 * day,
          endorserCreatedAt: now - (100 + 700 * random()) * day,
          endorserLastActiveAt: now - random() * 10 * day,
          endorses: [`outsider ${i}`],
        })),
      );
    },
    cost: 'the price of 40 old keys, for at most .135 of the score and no tier above verified',
  },
];
