import type * as Package from '../../src/index.ts';
import { signerOf } from '../signers.ts';
import { guarantee } from './agreements.ts';
import {
  type Api,
  type AttackCase,
  cheat,
  codeOf,
  day,
  hour,
  now,
  type Outcome,
  tried,
  victim,
} from './attack.ts';
import { lax, perfect } from './reports.ts';

const rate = (api: Api, tasks: readonly Package.DelegatedTask[], most: number): Outcome => {
  const { value } = api.taskSuccessRate(tasks);
  return { text: `rate ${value.toFixed(3)}`, succeeded: value > most };
};

const agreement = {
  guarantees: [
    { ...guarantee, target: 0.995 },
    { ...guarantee, metric: 'success_rate' },
    { ...guarantee, metric: 'latency_p99', target: 4_000, breachThreshold: 7_000 },
  ],
};
const friends = Array.from({ length: 12 }, (_, i) => signerOf(`friend ${i}`));
const known = Object.fromEntries(friends.map(({ publicKey }) => [publicKey, 1]));
async function withReceipts(
  api: Api,
  options: {
    readonly count: number;
    readonly signers: readonly (typeof cheat)[];
    readonly change?: (i: number) => Partial<Package.ReceiptOutcome>;
    readonly own?: (receipts: readonly Package.Receipt[]) => Partial<Package.TrustPolicy>;
    readonly attach?: (receipts: readonly Package.Receipt[]) => readonly Package.Receipt[];
  },
): Promise<Outcome> {
  const { count, signers, change = () => ({}), own = () => ({}), attach = (list) => list } = options;
  const receipts = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      api.createReceipt(
        {
          ...{ jobId: `job ${i}`, provider: cheat.publicKey, outcome: 'success' as const },
          ...{ completedAt: now - (i + 1) * hour, ...change(i) },
        },
        signers[i % signers.length] ?? cheat,
      ),
    ),
  );
  const tierEvidence = { ...perfect.tierEvidence, sla: agreement };
  const made = await api.createTrustReport(
    { ...perfect, tierEvidence, receipts: attach(receipts), policy: { ...lax } },
    cheat,
  );
  const policy = { knownCustomers: known, ...own(receipts) };
  const { computed, receipts: counted } = api.auditTrustScore(made, policy);
  const isHigh = computed.tier === 'trusted' || computed.tier === 'highly_trusted';
  return {
    text: `${computed.tier.replace('_', ' ')}, receipts that count: ${counted.accepted}`,
    succeeded: isHigh,
  };
}

/** Attacks on the record of work: tasks and receipts. */
export const attacksOnWork: readonly AttackCase[] = [
  {
    group: 'Many tasks',
    attack: '10 of 100 hard jobs, and 19 capabilities with one easy job each',
    before: 'rate 0.955',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 100 }, (_, i) => ({
            ...({ outcome: i < 10 ? 'success' : 'agent_error', capability: 'hard' } as const),
          })),
          ...Array.from({ length: 19 }, (_, i) => ({ outcome: 'success', capability: `easy ${i}` }) as const),
        ],
        0.5,
      ),
    cost: 'as many easy jobs of each kind as hard ones',
  },
  {
    group: 'Many tasks',
    attack: '50 jobs of 1 sat done, one of 1,000,000 sat failed',
    before: 'rate 0.980',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 50 }, () => ({ outcome: 'success', valueMsat: 1_000 }) as const),
          { outcome: 'agent_error', valueMsat: 1e9 },
        ],
        0.5,
      ),
    cost: 'a failure weighs up to 100 median jobs',
  },
  {
    group: 'Many tasks',
    attack: 'one bought success of 1 BTC after 20 failures',
    before: 'rate 0.048',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 20 }, () => ({ outcome: 'agent_error', valueMsat: 1_000 }) as const),
          { outcome: 'success', valueMsat: 1e11 },
        ],
        0.5,
      ),
    cost: 'a success weighs at most 10 median jobs',
  },
  {
    group: 'Many tasks',
    attack: '20 failures and one bought success of difficulty 1,000,000',
    before: 'rate 1.000',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 20 }, () => ({ outcome: 'agent_error' }) as const),
          { outcome: 'success', difficulty: 1e6 },
        ],
        0.5,
      ),
    cost: 'a success weighs at most 10 median jobs',
  },
  {
    group: 'Many tasks',
    attack: 'difficulties of 1e308, so that the rate is NaN',
    before: 'rate NaN',
    run: (api) =>
      tried(() => {
        const hard = { outcome: 'agent_error', difficulty: 1e308 } as const;
        return `rate ${api.taskSuccessRate([hard, hard, hard]).value}`;
      }),
    cost: 'refused',
  },
  {
    group: 'Receipts',
    attack: '200 receipts of 50 keys that the provider made',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 200,
        signers: Array.from({ length: 50 }, (_, i) => signerOf(`minted ${i}`)),
      }),
    cost: 'customers that the verifier knows',
  },
  {
    group: 'Receipts',
    attack: 'one known customer signs 200 receipts for a friend',
    before: 'no receipts; own counts sufficed',
    run: (api) => withReceipts(api, { count: 200, signers: friends.slice(0, 1) }),
    cost: 'ten known customers; each counts for a fifth at most',
  },
  {
    group: 'Receipts',
    attack: 'one receipt attached 110 times',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 1,
        signers: friends,
        attach: ([first]) => (first === undefined ? [] : Array.from({ length: 110 }, () => first)),
      }),
    cost: 'the jobs',
  },
  {
    group: 'Receipts',
    attack: 'receipts about another provider',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, { count: 110, signers: friends, change: () => ({ provider: victim.publicKey }) }),
    cost: 'the other provider’s key',
  },
  {
    group: 'Receipts',
    attack: 'receipts of two years ago',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 110,
        signers: friends,
        change: (i) => ({ completedAt: now - 730 * day + i }),
      }),
    cost: 'work within a year',
  },
  {
    group: 'Receipts',
    attack: 'a provider signs a receipt for itself',
    before: 'no receipts; own counts sufficed',
    run: async (api) => {
      const outcome = {
        jobId: 'x',
        provider: cheat.publicKey,
        outcome: 'success',
        completedAt: now,
      } as const;
      return api.createReceipt(outcome, cheat).then(
        () => ({ text: 'signed', succeeded: true }),
        (error: unknown) => ({ text: `refused: ${codeOf(error)}`, succeeded: false }),
      );
    },
    cost: 'another key, which the verifier does not know',
  },
  {
    group: 'Receipts',
    attack: 'a violation left out, when the verifier has its receipt',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 112,
        signers: friends,
        change: (i) => (i === 111 ? { outcome: 'violation' } : {}),
        attach: (list) => list.slice(0, 111),
        own: (list) => ({ ownReceipts: list.slice(111) }),
      }),
    cost: 'a victim that keeps silent',
  },
  {
    group: 'Receipts',
    attack: '5,000 self-claimed successes over 90 failures that 12 known customers signed',
    before: '0.981 verified',
    run: async (api) => {
      const receipts = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          api.createReceipt(
            {
              ...{ jobId: `job ${i}`, provider: cheat.publicKey, completedAt: now - (i + 1) * hour },
              outcome: i < 10 ? 'success' : 'failure',
            },
            friends[i % friends.length] ?? cheat,
          ),
        ),
      );
      const tierEvidence = { ...perfect.tierEvidence, sla: agreement };
      const evidence = { ...perfect.evidence, successRate: { successful: 5_000, failed: 90 } };
      const made = await api.createTrustReport(
        { ...perfect, evidence, tierEvidence, receipts, policy: { ...lax } },
        cheat,
      );
      const { computed } = api.auditTrustScore(made, { knownCustomers: known });
      const text = `${computed.trustScore.toFixed(3)} ${computed.tier.replace('_', ' ')}`;
      return { text, succeeded: computed.tier !== 'unverified' };
    },
    cost: 'as many successes that known customers signed',
  },
];
