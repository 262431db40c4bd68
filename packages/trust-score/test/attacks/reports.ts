import type * as Package from '../../src/index.ts';
import { type Api, type AttackCase, cheat, codeOf, day, now, type Outcome, tried, victim } from './attack.ts';

type Input = Package.TrustReportInput;
export const perfect: Input = {
  agentId: cheat.publicKey,
  evidence: {
    testCoverage: { passing: 400, total: 400 },
    uptime: { periodHours: 2_160, downtimeHours: 0 },
    successRate: { successful: 5_000, failed: 0 },
    endorsements: { total: 60, unique: 60, endorserTrustAvg: 1 },
    attestationFreshness: { hours: 0 },
  },
  tierEvidence: {
    ...{ uptime7d: 1, uptime30d: 1, uptime90d: 1, testCoverage: 1, endorsements: 60 },
    successfulDelegations: 5_000,
  },
  clock: () => now,
};
const bad: Input['evidence'] = {
  testCoverage: { passing: 1, total: 1 },
  uptime: { periodHours: 720, downtimeHours: 700 },
  successRate: { successful: 1, failed: 900 },
  endorsements: { total: 60, unique: 1, endorserTrustAvg: 0.1 },
  attestationFreshness: { hours: 0 },
};
/** The policy by which an attacker states its report: it asks for nothing. */
export const lax = {
  requireSla: false,
  proof: {},
  endorsementBase: 'total',
  minTests: 0,
  maxValidityHours: 1e12,
} as const;

/** Creates a report as the attacker likes it, and judges it as a verifier with default rules would. */
export async function report(
  api: Api,
  input: Partial<Input>,
  options: {
    readonly change?: (made: Package.TrustReport) => unknown;
    readonly signer?: typeof cheat;
    readonly verify?: Package.VerifyOptions;
    readonly policy?: Partial<Package.TrustPolicy>;
    readonly at?: number;
    /** What the attacker wants: a tier above `verified`, or merely a valid signature. */
    readonly wants?: 'tier' | 'valid';
  } = {},
): Promise<Outcome> {
  const { change = (made) => made, signer = cheat, policy = {}, at = now, wants = 'tier' } = options;
  const stated = { ...lax, weights: input.weights, ...policy };
  const { weights, ...rest } = stated;
  const all = { ...rest, ...(weights === undefined ? {} : { weights }) };
  const made = change(await api.createTrustReport({ ...perfect, ...input, policy: all }, signer));
  try {
    const { status } = api.verifyTrustReport(made, { now: at, policy, ...options.verify });
    // A document that is not a report has nothing to audit.
    if (status === 'malformed') return { text: status, succeeded: false };
    const { agrees, computed } = api.auditTrustScore(made, policy);
    const isHigh = computed.tier === 'trusted' || computed.tier === 'highly_trusted';
    const passes = status === 'valid' && (wants === 'valid' || (agrees && isHigh));
    const text = `${computed.trustScore.toFixed(3)} ${computed.tier.replace('_', ' ')}, ${status.replaceAll('_', ' ')}, audit ${agrees ? 'agrees' : 'disagrees'}`;
    return { text, succeeded: passes };
  } catch (error) {
    return { text: `verification throws ${codeOf(error)}`, succeeded: true };
  }
}
const weightOn = (name: keyof Package.FactorWeights): Package.FactorWeights => ({
  ...{ testCoverage: 0, uptime: 0, successRate: 0, endorsements: 0, attestationFreshness: 0 },
  [name]: 1,
});
let deep: unknown = 1;
for (let level = 0; level < 9_000; level += 1) deep = { deep };

/** Attacks on reports: their weights, evidence, dates, keys and form. */
export const attacksOnReports: readonly AttackCase[] = [
  {
    group: 'Weights and formulas',
    attack: 'all weight on test coverage, 1 of 1 tests; 1 of 901 jobs, 700 of 720 h down',
    before: '1.000 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: bad, weights: weightOn('testCoverage') }),
    cost: 'the weights are the verifier’s: a real record',
  },
  {
    group: 'Weights and formulas',
    attack: 'all weight on attestation freshness',
    before: '1.000 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: bad, weights: weightOn('attestationFreshness') }),
    cost: 'as above',
  },
  {
    group: 'Weights and formulas',
    attack: 'the more generous endorsement curve',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { endorsementOptions: { endorsementCurve: 'table' } }),
    cost: 'the curve is the verifier’s',
  },
  {
    group: 'Weights and formulas',
    attack: '100 endorsements of one endorser',
    before: '0.945 trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        evidence: { ...perfect.evidence, endorsements: { total: 100, unique: 1, endorserTrustAvg: 1 } },
      }),
    cost: '33 distinct endorsers of full trust',
  },
  {
    group: 'Weights and formulas',
    attack: 'an attestation that is valid for 1e9 hours',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        evidence: { ...perfect.evidence, attestationFreshness: { hours: 5_000, validityHours: 1e9 } },
      }),
    cost: 'an attestation each day',
  },
  {
    group: 'Evidence',
    attack: 'perfect counts, stated by the agent alone',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}),
    cost: 'free up to verified; above it receipts of customers that the verifier knows',
  },
  {
    group: 'Evidence',
    attack: '5,000 delegations for the tier, one in the factor',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, successRate: { successful: 1, failed: 0 } } }),
    cost: 'the jobs, with receipts',
  },
  {
    group: 'Evidence',
    attack: 'uptime of 100 % over 30 days for the tier, 150 of 720 h down in the factor',
    before: '0.943 trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 720, downtimeHours: 150 } } }),
    cost: 'being up',
  },
  {
    group: 'Evidence',
    attack: 'uptime over 90 days from a period of one hour',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 1, downtimeHours: 0 } } }),
    cost: 'observing 90 days',
  },
  {
    group: 'Evidence',
    attack: 'negative downtime of 500 h',
    before: '0.985 highly trusted, valid, audit disagrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 720, downtimeHours: -500 } } }),
    cost: 'listed as impossible',
  },
  {
    group: 'Evidence',
    attack: 'one test that passes',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: { ...perfect.evidence, testCoverage: { passing: 1, total: 1 } } }),
    cost: '10 tests for verified; receipts above',
  },
  {
    group: 'Evidence',
    attack: 'no service level agreement, the member left out',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}, { policy: { proof: {} } }),
    cost: 'an agreement with acceptable terms',
  },
  {
    group: 'Evidence',
    attack: 'figures of an agreement without its terms',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        tierEvidence: { ...perfect.tierEvidence, sla: { uptime: 1, successRate: 1, latencyP99Ms: 1 } },
      }),
    cost: 'an agreement with acceptable terms',
  },
  {
    group: 'Dates and keys',
    attack: 'a report of 2016',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { clock: () => Date.UTC(2016, 0, 1) }, { wants: 'valid' }),
    cost: 'a new report each week',
  },
  {
    group: 'Dates and keys',
    attack: 'a report of 2099',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { clock: () => Date.UTC(2099, 0, 1) }, { wants: 'valid' }),
    cost: 'refused beyond 10 minutes',
  },
  {
    group: 'Dates and keys',
    attack: 'a good report, shown again a month later',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}, { wants: 'valid', at: now + 30 * day }),
    cost: 'a new report each week',
  },
  {
    group: 'Dates and keys',
    attack: 'a report about another agent’s key, signed by the attacker',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { agentId: victim.publicKey }, { wants: 'valid' }),
    cost: 'the other agent’s key',
  },
  {
    group: 'Dates and keys',
    attack: 'another agent’s good report, shown as one’s own',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        { agentId: victim.publicKey },
        { wants: 'valid', signer: victim, verify: { subject: cheat.publicKey } },
      ),
    cost: 'refused when the verifier names the subject',
  },
  {
    group: 'Dates and keys',
    attack: 'an attestation dated 1,000 hours after the report',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        { evidence: { ...perfect.evidence, attestationFreshness: { hours: -1_000 } } },
        { wants: 'valid' },
      ),
    cost: 'refused beyond 10 minutes',
  },
  {
    group: 'Documents',
    attack: 'a report with a `__proto__` member',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        {},
        {
          wants: 'valid',
          change: (made) =>
            JSON.parse(JSON.stringify(made).replace('{', '{"__proto__":{"tier":"highly_trusted"},')),
        },
      ),
    cost: 'refused',
  },
  {
    group: 'Documents',
    attack: '9,000 levels of nesting in an extra member',
    before: 'verification throws RangeError',
    run: (api) => report(api, {}, { wants: 'valid', change: (made) => ({ ...made, extra: deep }) }),
    cost: 'refused at 32 levels',
  },
  {
    group: 'Documents',
    attack: 'a getter that changes its value after the check',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => {
      let reads = 0;
      return report(
        api,
        {},
        {
          wants: 'valid',
          change: (made) =>
            Object.defineProperty({ ...made }, 'trust_score', {
              enumerable: true,
              get: () => {
                reads += 1;
                return reads > 0 ? made.trust_score : 1;
              },
            }),
        },
      );
    },
    cost: 'accessors are refused, and documents are copied once',
  },
  {
    group: 'Documents',
    attack: '`undefined` in an array of an extra member',
    before: 'verification throws TypeError',
    run: (api) => report(api, {}, { wants: 'valid', change: (made) => ({ ...made, extra: [undefined] }) }),
    cost: 'refused',
  },
  {
    group: 'Documents',
    attack: '20,000 empty receipts: length of the error message',
    before: '11,262,229 characters',
    run: async (api) => {
      const made = await api.createTrustReport({ ...perfect, policy: lax }, cheat);
      const receipts = Array.from({ length: 20_000 }, () => ({}));
      const { message } = api.verifyTrustReport({ ...made, receipts }, { now });
      return {
        text: `${message.length.toLocaleString('en')} characters`,
        succeeded: message.length > 10_000,
      };
    },
    cost: '10,000 receipts at most; 20 faults are named',
  },
  {
    group: 'Dates and keys',
    attack: 'a verifier’s policy whose longest age is `undefined`: a report of last month',
    before: 'valid',
    run: async (api) => {
      const made = await api.createTrustReport({ ...perfect, policy: lax }, cheat);
      const policy = { maxReportAgeMs: undefined } as never;
      return tried(() => api.verifyTrustReport(made, { now: now + 30 * day, policy }).status);
    },
    cost: 'refused: INVALID_CONFIG names the rule',
  },
  {
    group: 'Dates and keys',
    attack: 'limits of agreements with NaN: a breach threshold of 0',
    before: '0 terms refused',
    run: (api) => {
      const limits = {
        ...api.strictTrustPolicy.sla,
        maxBreachMargin: { higherIsBetter: Number.NaN, lowerIsBetter: 1 },
      };
      const sla = {
        guarantees: [
          {
            ...{ metric: 'uptime', target: 0.99, measurementWindow: '30 days', breachThreshold: 0 },
            penalty: { type: 'trust_score_reduction', amount: 0.1 },
          },
        ],
      };
      return tried(() => `${api.boundSlaTerms(sla, limits).violations.length} terms refused`);
    },
    cost: 'as above',
  },
  {
    group: 'Dates and keys',
    attack: 'an attestation of the report’s date, six days later',
    before: 'score 0.985',
    run: async (api) => {
      const made = await api.createTrustReport(
        { ...perfect, evidence: { ...perfect.evidence, attestationFreshness: { hours: 0 } }, policy: lax },
        cheat,
      );
      const audit = api.auditTrustScore(made, {}, { now: now + 6 * day });
      const { trustScore } = audit.current ?? audit.computed;
      return { text: `score ${trustScore.toFixed(3)}`, succeeded: trustScore > 0.9 };
    },
    cost: 'an attestation each day: `current` ages it',
  },
  {
    group: 'Texts for people',
    attack: 'a made-up .999, highly trusted, in `renderTrustReport`',
    before: '0.999, no warning above',
    run: async (api) => {
      const made = await api.createTrustReport({ ...perfect, evidence: bad, policy: lax }, cheat);
      const lie = { ...made, trust_score: 0.999, tier: 'highly_trusted' };
      const text = api.renderTrustReport(lie);
      const shown = /^Trust score: .*$/mu.exec(text)?.[0] ?? '';
      const warns = text.includes('Do not rely on this report');
      return {
        text: `${shown.slice(13, 18)}, ${warns ? 'with a warning' : 'no warning above'}`,
        succeeded: !warns,
      };
    },
    cost: 'the computed score is shown first',
  },
];
