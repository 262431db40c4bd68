import { jobKind } from '@bonafide/example-strangers';
import type { Verdict } from '@bonafide/judge-runner';
import { isBonafideError } from '@bonafide/nip90-jobs';
import type { Measurements, Outcome } from '@bonafide/routing-matrix';
import type { Agent } from './agent.ts';
import type { Stranger } from './stranger.ts';
import type { TestedTask } from './tasks.ts';
import type { Work } from './workspace.ts';

/** A piece of work and its provider. `key` is the idempotency key: repeating an order requests nothing twice. */
export type Order = TestedTask & Stranger & Pick<Work, 'key' | 'kind' | 'bidMsat'>;

/** Result of an order, for the matrix and the report. */
export interface Delivery {
  readonly work: Work;
  readonly outcome: Outcome;
  readonly measurements: Measurements & { readonly passRate: number };
}

/** Ends of a job that are the provider's. */
const failures: ReadonlySet<string> = new Set(['JOB_FAILED', 'JOB_TIMED_OUT', 'PAYMENT_DECLINED']);

const succeeded = (outcome: Outcome) => outcome === 'SUCCESS' || outcome === 'PARTIAL';

function measured(verdict: Verdict, latencyMs: number | null): Delivery['measurements'] {
  const { passRate, compositePassRate, errorKind, metrics } = verdict;
  return {
    passRate: compositePassRate ?? passRate,
    latencyMs,
    executionMs: metrics.wallMs,
    softLimitExceeded: metrics.softLimits.cpu || metrics.softLimits.memory,
    errorKind,
  };
}

/** Requests a solution from a platform, judges it, and records everything in the ledger. Safe to repeat. */
export async function delegate(agent: Agent, order: Order, signal: AbortSignal): Promise<Delivery> {
  const { key, kind, platform, name, task, suite, bidMsat, relays } = order;
  const { cortex, jobs, judge, ledger } = agent;

  const handle = await jobs.requestJob(
    { kind: jobKind, provider: platform.pubkey, d: key, inputs: [{ data: task.prompt }], bidMsat },
    // Without the signal, which would cancel the job: an interrupted job resumes with the agent.
    { idempotencyKey: key, providerRelays: relays },
  );
  const { jobId } = handle;
  const thread = { peerId: platform.pubkey, channel: 'nostr', alias: name, correlationId: jobId };
  const asked = { ...thread, content: task.prompt, externalId: jobId };
  await ledger.recordOutgoing({ ...asked, outcome: 'requested' });
  cortex.hooks.afterSend(asked);

  const report = (outcome: Outcome, over: Pick<Work, 'cause' | 'passed' | 'latencyMs'>): Work => ({
    key,
    id: jobId,
    kind,
    task: task.task_id,
    platform: name,
    pubkey: platform.pubkey,
    bidMsat,
    outcome,
    tests: suite.cases.length,
    endedAt: Date.now(),
    ...over,
  });

  try {
    const { content, event, recovered, ...result } = await handle.result;
    // The latency of a result found after a restart says nothing about the provider.
    const latencyMs = recovered ? null : result.latencyMs;
    const received = { ...thread, content, externalId: event.id };
    await ledger.recordIncoming({ ...received, outcome: 'delivered', evidence: { ...event } });
    cortex.hooks.onMessage(received);

    const verdict = await judge.run({ artifact: { language: 'python', source: content }, suite, signal });
    const { outcome, passRate, summary, tests, violations } = verdict;
    const attacked = outcome === 'SECURITY_VIOLATION';
    await ledger.recordOutcome(jobId, attacked ? 'violation' : succeeded(outcome) ? 'verified' : 'rejected', {
      externalId: `verdict:${jobId}`,
      ...(attacked && { evidence: { violations } }),
      metrics: { ...(latencyMs === null ? {} : { latencyMs }), costMsat: bidMsat, score: passRate },
    });
    const passed = tests.filter(({ status }) => status === 'passed').length;
    return {
      outcome,
      measurements: measured(verdict, latencyMs),
      work: report(outcome, { cause: violations[0]?.evidence ?? summary, passed, latencyMs }),
    };
  } catch (error) {
    if (!isBonafideError(error) || !failures.has(error.code)) throw error;
    const late = error.code === 'JOB_TIMED_OUT';
    await ledger.recordOutcome(jobId, late ? 'timeout' : 'declined', { externalId: `end:${jobId}` });
    return {
      outcome: 'ERROR',
      measurements: { passRate: 0, errorKind: late ? 'timeout' : 'crash' },
      work: report('ERROR', { cause: error.message, passed: 0, latencyMs: null }),
    };
  }
}
