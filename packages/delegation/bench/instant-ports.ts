import type { RequestedJob } from '../src/index.ts';

const key = 'a'.repeat(64);
const platform = { pubkey: key, d: 'x' };

/** Ports that do nothing: platforms answer at once, or never. */
export function instantPorts({ isSilent = false } = {}) {
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
        const result = Promise.resolve({
          content: 'x'.repeat(500),
          latencyMs: 1,
          recovered: false,
          amountMsat: null,
          event: { ...event, content: 'x'.repeat(500) },
        });
        const job = isSilent
          ? {
              jobId: idempotencyKey,
              state: 'delivered',
              result: new Promise<never>(() => {}),
              cancel: nothing,
            }
          : { jobId: idempotencyKey, state: 'completed', result, cancel: nothing };
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
