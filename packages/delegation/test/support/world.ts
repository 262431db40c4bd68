import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { createMemoryRoutingStore, createRoutingMatrix } from '@bonafide/routing-matrix';
import { DelegationError } from '../../src/errors.ts';
import {
  type Answer,
  createDelegation,
  createMemoryDelegationStore,
  type DelegationOptions,
  type JobRequest,
  type Jobs,
  type JudgeVerdict,
  type Matrix,
  type PlatformRef,
  type RequestedJob,
} from '../../src/index.ts';

/** A scripted platform: its answer to a request, or how it fails. */
export type Reply = string | 'never' | { readonly fails: string; readonly timeoutClass?: string };

/** Jobs whose platforms answer as the script says, once per idempotency key. */
export function scriptedJobs(
  reply: (request: JobRequest) => Reply,
  { invoiceMsat = null, event = {} }: { readonly invoiceMsat?: number | null; readonly event?: object } = {},
) {
  const answers = new Map<string, (content: string) => void>();
  const jobs = new Map<string, RequestedJob & { state: string; request: JobRequest }>();
  const cancelled: string[] = [];
  const port: Jobs = {
    async requestJob(request, { idempotencyKey }) {
      const known = jobs.get(idempotencyKey);
      if (known !== undefined) return known;
      const jobId = `job ${jobs.size + 1}`;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      promise.catch(() => {});
      const job = {
        jobId,
        request,
        state: 'delivered',
        result: promise,
        async cancel() {
          cancelled.push(jobId);
          job.state = 'cancelled';
          reject(new DelegationError('JOB_CANCELLED' as 'CLOSED', 'cancelled'));
        },
      };
      jobs.set(idempotencyKey, job);
      answers.set(jobId, (content) => {
        job.state = 'completed';
        resolve({
          content,
          latencyMs: 10,
          recovered: false,
          amountMsat: invoiceMsat,
          event: { id: `answer of ${jobId}`, ...event },
        });
      });
      const said = reply(request);
      if (typeof said === 'object') {
        job.state = 'failed';
        const error = new DelegationError(said.fails as 'CLOSED', said.fails);
        reject(Object.assign(error, { timeoutClass: said.timeoutClass ?? null }));
      } else if (said !== 'never') {
        answers.get(jobId)?.(said);
      }
      return job;
    },
    getByKey: async (key) => jobs.get(key) ?? null,
  };
  /** Answers a job whose platform was silent. */
  const answer = (jobId: string, content: string) => answers.get(jobId)?.(content);
  return { port, jobs, cancelled, answer };
}

/** A judge that reads its verdict from the answer. */
export const scriptedJudge = {
  run: async ({ artifact }: { artifact: { source: string } }): Promise<JudgeVerdict> => {
    const outcomes = { right: 'SUCCESS', nearly: 'PARTIAL', attack: 'SECURITY_VIOLATION' } as const;
    const outcome = outcomes[artifact.source as 'right'] ?? ('FAILURE' as 'SUCCESS');
    return {
      outcome,
      errorKind: null,
      summary: `it was ${artifact.source}`,
      passRate: artifact.source === 'right' ? 1 : 0.5,
      compositePassRate: null,
      tests: [{ status: artifact.source === 'right' ? 'passed' : 'failed' }],
      metrics: { wallMs: 5, softLimits: { cpu: false, memory: false } },
      violations: artifact.source === 'attack' ? [{ kind: 'path', evidence: 'it looked around' }] : [],
    };
  },
};

export const key = (number: number) => number.toString(16).padStart(64, 'a');
export const platform = (number: number) => ({ pubkey: key(number), d: 'x' });
const platforms = (count: number) => Array.from({ length: count }, (_, index) => platform(index + 1));

/** Chooses a platform first for the order `a`, and leaves every other choice to the matrix. */
export const selectsFirst =
  (matrix: Matrix, first: PlatformRef, listed: readonly PlatformRef[]): Matrix['select'] =>
  (task, { n, exclude }) => {
    const others = listed.filter(({ pubkey }) => pubkey !== first.pubkey);
    return matrix.select(task, { n, exclude: task.jobId === 'a#1.1' ? others : exclude });
  };

/** An agent with the real matrix and ledger, and scripted strangers. */
export async function startWorld(
  reply: (request: JobRequest) => Reply,
  options: Partial<DelegationOptions> & {
    readonly count?: number;
    readonly prices?: readonly (number | null)[];
    /** The platforms, in place of `count` with a key each. */
    readonly refs?: readonly PlatformRef[];
    /** What every answer asks for. */
    readonly invoiceMsat?: number;
    /** Further fields of the events of answers. */
    readonly event?: object;
  } = {},
) {
  const { count = 3, prices = [], refs = platforms(count), invoiceMsat, event, ...rest } = options;
  const jobs = scriptedJobs(reply, {
    ...(invoiceMsat === undefined ? {} : { invoiceMsat }),
    ...(event && { event }),
  });
  let draws = 0;
  const random = () => {
    draws += 1;
    return (draws * 0.618_034) % 1;
  };
  const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), random });
  const journal = createLedger({ store: createMemoryLedgerStore() });
  const listed = refs.map((ref, index) => ({
    ...ref,
    relayHints: ['wss://relay'],
    card: { name: `P${index + 1}`, pricing: { amountMsat: prices[index] ?? null } },
  }));
  const source = {
    async *find() {
      for (const entry of listed) yield { entry };
    },
    get: async (pubkey: string, d: string) =>
      listed.find((each) => each.pubkey === pubkey && each.d === d) ?? null,
  };
  const qualifyAll = async () => {
    for (const { pubkey, d } of listed)
      for (const attempt of [1, 2, 3])
        await matrix.recordBenchmark({
          platform: { pubkey, d },
          taskType: 'code',
          attemptId: `${attempt}${listed.findIndex((each) => each.d === d)}${pubkey}`,
          verdict: { outcome: 'SUCCESS', passRate: 1 },
        });
  };
  const store = options.store ?? createMemoryDelegationStore();
  const ports = { store, source, jobs: jobs.port, matrix, journal, judge: scriptedJudge, ...rest };
  const create = (over: Partial<DelegationOptions> = {}) => createDelegation({ ...ports, ...over });
  return { ...jobs, listed, matrix, journal, store, source, qualifyAll, ports, create, delegation: create() };
}
