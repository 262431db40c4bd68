import { isBonafideError, parseOrThrow, sanitizeRemoteText } from '@bonafide/internal';
import * as z from 'zod';
import { DelegationError } from '../errors.ts';
import type { OrderEvent } from '../flow/events.ts';
import { unchecked } from '../flow/finished.ts';
import type { Accept, CheckResult, OrderState, Replica, StoredAnswer } from '../order.ts';
import type { Answer, JudgeVerdict } from '../ports.ts';
import type { DelegationContext } from './context.ts';
import { withinTime } from './within-time.ts';

/**
 * Checks an answer with the judge or the caller's check. Returns null when the caller's function is not known to this
 * process: it has to be passed again.
 */
export async function checkAnswer(
  context: DelegationContext,
  state: OrderState,
  replica: Replica,
  signal: AbortSignal,
): Promise<OrderEvent | null> {
  const { answer } = replica;
  if (answer?.content == null) return null;
  const check =
    state.order.check === 'suite'
      ? await judge(context, state, answer.content, signal)
      : await accept(context, state, answer, replica);
  return check === null ? null : { type: 'checked', at: context.clock(), replica: replica.number, check };
}

async function judge(
  context: DelegationContext,
  { order }: OrderState,
  content: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { judge: port, artifactOf } = context;
  if (port === undefined) throw new Error(`Order '${order.id}' has a suite, and this process has no judge.`);
  const failure = (error: unknown): CheckResult => ({
    ...unchecked,
    checkedBy: 'judge',
    outcome: 'FAILURE',
    passRate: 0,
    summary: textOf(error),
  });
  let artifact: unknown;
  try {
    artifact = artifactOf?.(content, order) ?? { language: order.language, source: content };
  } catch (error) {
    // The answer is nothing that could be run.
    return failure(error);
  }
  try {
    const run = () =>
      withinTime(context.timers, context.settings.checkTimeoutMs, (late) =>
        port.run({ artifact, suite: order.suite, signal: AbortSignal.any([signal, late]) }),
      );
    return checkOf(await context.judging.run(run, signal));
  } catch (error) {
    if (isBonafideError(error, 'ARTIFACT_INVALID')) return failure(error);
    throw error;
  }
}

const maxEvidence = 20;
const unit = (share: number | null) => (share === null ? null : Math.min(1, Math.max(0, share)));

/** Checks what a judge of any make says: what is recorded from it has to be storable everywhere. */
const verdictSchema = z.object({
  outcome: z.enum(['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION']),
  errorKind: z.string().nullable(),
  summary: z.string(),
  passRate: z.number(),
  compositePassRate: z.number().nullable(),
  tests: z.array(z.object({ status: z.string() })),
  metrics: z.object({
    wallMs: z.number().min(0),
    softLimits: z.object({ cpu: z.boolean(), memory: z.boolean() }),
  }),
  violations: z.array(z.object({ kind: z.string(), evidence: z.string() })),
});

const invalidVerdict = (message: string, options?: ErrorOptions) =>
  new DelegationError('INVALID_INPUT', `The judge's verdict is invalid. ${message}`, options);

function checkOf(given: JudgeVerdict): CheckResult {
  const verdict = parseOrThrow(verdictSchema, given, 'verdict', invalidVerdict);
  const { outcome, errorKind, summary, passRate, compositePassRate, tests, metrics, violations } = verdict;
  return {
    outcome,
    checkedBy: 'judge',
    passRate: unit(compositePassRate ?? passRate),
    passed: tests.filter(({ status }) => status === 'passed').length,
    tests: tests.length,
    executionMs: metrics.wallMs,
    softLimitExceeded: metrics.softLimits.cpu || metrics.softLimits.memory,
    errorKind,
    summary: sanitizeRemoteText(violations[0]?.evidence ?? summary, 1_000),
    // The verdict quotes the answer.
    violations: violations.slice(0, maxEvidence).map(({ kind, evidence }) => ({
      kind,
      evidence: sanitizeRemoteText(evidence, 1_000),
    })),
  };
}

/** Returns the check with this name; undefined for a name that was not given, such as that of a method of every object. */
export const checkNamed = (checks: DelegationContext['checks'], name: string): Accept | undefined =>
  checks !== undefined && Object.hasOwn(checks, name) ? checks[name] : undefined;

async function accept(
  context: DelegationContext,
  { order }: OrderState,
  stored: StoredAnswer,
  replica: Replica,
): Promise<CheckResult | null> {
  const check =
    order.accept === null ? context.acceptors.get(order.id) : checkNamed(context.checks, order.accept);
  if (check === undefined) {
    context.logger.warn({ orderId: order.id }, 'Order waits for its check: delegate it again with `accept`');
    return null;
  }
  const answer: Answer = {
    content: stored.content ?? '',
    latencyMs: stored.latencyMs ?? 0,
    recovered: stored.latencyMs === null,
    amountMsat: stored.invoicedMsat,
    event: { id: stored.externalId },
  };
  const given = { ...unchecked, checkedBy: 'accept' } as const;
  const rejected = (summary: string) => ({ ...given, outcome: 'FAILURE', passRate: 0, summary }) as const;
  try {
    const { timers, settings } = context;
    if (await withinTime(timers, settings.checkTimeoutMs, async () => check(answer)))
      return { ...given, outcome: 'SUCCESS', passRate: 1, summary: 'Accepted by the caller.' };
    return rejected(`The caller did not accept the answer of job ${replica.jobId}.`);
  } catch (error) {
    // Most checks throw because of the answer. It was not accepted, whatever the reason.
    return rejected(`The check of the answer of job ${replica.jobId} failed: ${textOf(error)}`);
  }
}

const textOf = (error: unknown) =>
  sanitizeRemoteText(error instanceof Error ? error.message : String(error), 1_000);
