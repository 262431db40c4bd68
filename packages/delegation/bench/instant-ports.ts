import type { RequestedJob } from '../src/index.ts';

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

const key = 'a'.repeat(64);
const platform = { pubkey: key, d: 'x' };

/** When platforms answer: with the request, some ms later, or never. */
export type Answers = 'at once' | 'later' | 'never';

/** Ports that do nothing. */
export function instantPorts(answers: Answers = 'at once') {
  const jobs = new Map<string, RequestedJob>();
  const view = { platform, taskType: 'code', status: 'ACTIVE', statusReason: '', trustScore: 1 };
  const nothing = async () => {};
  const event = {
    id: 'e'.repeat(64),
    pubkey: key,
    kind: 6000,
    created_at: 1,
    tags: [['e', 'x']],
    sig: 's'.repeat(128),
  };
  return {
    source: {
      async *find() {},
      get: async () => ({
        ...platform,
        relayHints: ['wss://relay'],
        card: { name: 'P', pricing: { amountMsat: 500 } },
      }),
    },
    jobs: {
      async requestJob(_request: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) {
        const answer = {
          content: 'x'.repeat(500),
          latencyMs: 1,
          recovered: false,
          amountMsat: null,
          event: { ...event, content: 'x'.repeat(500) },
        };
        const job: Mutable<RequestedJob> = {
          jobId: idempotencyKey,
          state: answers === 'at once' ? 'completed' : 'delivered',
          result: answers === 'at once' ? Promise.resolve(answer) : new Promise<never>(() => {}),
          cancel: nothing,
        };
        if (answers === 'later')
          job.result = new Promise((resolve) =>
            setTimeout(() => {
              job.state = 'completed';
              resolve(answer);
            }, 20),
          );
        jobs.set(idempotencyKey, job);
        return job;
      },
      getByKey: async (given: string) => jobs.get(given) ?? null,
    },
    matrix: {
      register: nothing,
      select: async () => ({
        picks: [{ platform, name: 'P', trust: 0.5, probability: 1, reason: 'because' }],
        excluded: [],
      }),
      recordOutcome: nothing,
      recordBenchmark: nothing,
      direct: nothing,
      entry: async () => ({ ...view, lastVerifiedAt: null, cooldownUntilAt: null }),
      entries: async () => [],
    },
    journal: { recordOutgoing: nothing, recordIncoming: nothing, recordOutcome: nothing },
    judge: {
      run: async () =>
        ({
          outcome: 'SUCCESS',
          errorKind: null,
          summary: 'right',
          passRate: 1,
          compositePassRate: null,
          tests: [],
          metrics: { wallMs: 1, softLimits: { cpu: false, memory: false } },
          violations: [],
        }) as const,
    },
  };
}
