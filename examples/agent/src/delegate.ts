import { jobKind } from '@bonafide/example-strangers';
import type { Verdict } from '@bonafide/judge-runner';
import { JobEndedError } from '@bonafide/nip90-jobs';
import type { Measurements, Outcome } from '@bonafide/routing-matrix';
import type { Agent } from './agent.ts';
import type { Stranger } from './stranger.ts';
import type { TestedTask } from './tasks.ts';
import type { Work } from './workspace.ts';

/** A piece of work and who is to do it. `key` is unique: the same order again asks for nothing twice. */
export type Order = TestedTask & Stranger & Pick<Work, 'key' | 'kind' | 'bidMsat'>;

/** What came of an order, for the matrix and for the report. */
export interface Delivery {
  readonly work: Work;
  readonly outcome: Outcome;
  readonly measurements: Measurements & { readonly passRate: number };
}

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

/** Asks a platform for a solution, judges what comes back, and writes everything into the ledger. Safe to repeat. */
export async function delegate(agent: Agent, order: Order, signal: AbortSignal): Promise<Delivery> {
  const { key, kind, platform, name, task, suite, bidMsat, relays } = order;
  const { cortex, jobs, judge, ledger } = agent;

  const handle = await jobs.requestJob(
    { kind: jobKind, provider: platform.pubkey, d: key, inputs: [{ data: task.prompt }], bidMsat },
    // Without the signal, which would cancel the job: one that is stopped goes on when the agent does.
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
    // Found after a restart: how long it took says nothing about the provider.
    const latencyMs = recovered ? null : result.latencyMs;
    const told = { ...thread, content, externalId: event.id };
    await ledger.recordIncoming({ ...told, outcome: 'delivered', evidence: { ...event } });
    cortex.hooks.onMessage(told);

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
    if (!(error instanceof JobEndedError) || error.code === 'JOB_CANCELLED') throw error;
    const late = error.code === 'JOB_TIMED_OUT';
    await ledger.recordOutcome(jobId, late ? 'timeout' : 'declined', { externalId: `end:${jobId}` });
    return {
      outcome: 'ERROR',
      measurements: { passRate: 0, errorKind: late ? 'timeout' : 'crash' },
      work: report('ERROR', { cause: error.message, passed: 0, latencyMs: null }),
    };
  }
}
