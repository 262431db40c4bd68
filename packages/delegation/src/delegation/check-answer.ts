import { isBonafideError } from '@bonafide/internal';
import type { OrderEvent } from '../flow/events.ts';
import { unchecked } from '../flow/finished.ts';
import type { JsonValue } from '../json.ts';
import type { CheckResult, OrderState, Replica, StoredAnswer } from '../order.ts';
import type { Answer, JudgeVerdict } from '../ports.ts';
import type { DelegationContext } from './context.ts';

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
  const artifact = artifactOf?.(content, order) ?? { language: order.language, source: content };
  try {
    return checkOf(await port.run({ artifact, suite: order.suite, signal }));
  } catch (error) {
    // The answer is nothing that could be run.
    if (isBonafideError(error, 'ARTIFACT_INVALID'))
      return { ...unchecked, checkedBy: 'judge', outcome: 'FAILURE', passRate: 0, summary: error.message };
    throw error;
  }
}

function checkOf(verdict: JudgeVerdict): CheckResult {
  const { outcome, errorKind, summary, passRate, compositePassRate, tests, metrics, violations } = verdict;
  return {
    outcome,
    checkedBy: 'judge',
    passRate: compositePassRate ?? passRate,
    passed: tests.filter(({ status }) => status === 'passed').length,
    tests: tests.length,
    executionMs: metrics.wallMs,
    softLimitExceeded: metrics.softLimits.cpu || metrics.softLimits.memory,
    errorKind,
    summary: violations[0]?.evidence ?? summary,
    violations: violations.map((violation) => ({ ...violation })) as unknown as readonly JsonValue[],
  };
}

async function accept(
  context: DelegationContext,
  { order }: OrderState,
  stored: StoredAnswer,
  replica: Replica,
): Promise<CheckResult | null> {
  const check = order.accept === null ? context.acceptors.get(order.id) : context.checks?.[order.accept];
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
  const accepted = await check(answer);
  return {
    ...unchecked,
    checkedBy: 'accept',
    outcome: accepted ? 'SUCCESS' : 'FAILURE',
    passRate: accepted ? 1 : 0,
    summary: accepted
      ? 'Accepted by the caller.'
      : `The caller did not accept the answer of job ${replica.jobId}.`,
  };
}
