import { sanitizeRemoteText } from '@bonafide/internal';
import type { ChosenPlatform, OrderEvent } from '../flow/events.ts';
import type { Step } from '../flow/next-step.ts';
import type { Exclusion, OrderState } from '../order.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import type { ListedPlatform } from '../ports.ts';
import type { DelegationContext } from './context.ts';
import { priceOf, registerPlatform } from './register-platform.ts';
import { similarityFor } from './similarity.ts';

type ChooseStep = Extract<Step, { type: 'choose' }>;

/** Number of times that the matrix is asked again for platforms in place of those that cannot be used; each time others. */
const maxDraws = 1_000;
/** Most platforms that the matrix is asked to leave out. */
const maxExcluded = 10_000;
const maxRelays = 20;

/** Number of platforms that are asked at least when none has earned such a job. */
const degradedReplicas = 2;

/**
 * Chooses platforms for an order, each of another operator, and bids. When the matrix says that none has earned such a job, a second one is
 * asked as well, as far as the money permits. Repeating it gives the same platforms as far as they are known to the matrix.
 */
export async function choosePlatforms(
  context: DelegationContext,
  state: OrderState,
  step: ChooseStep,
): Promise<OrderEvent> {
  const { order } = state;
  const { round, wanted, budgetMsat } = step;
  const at = context.clock();
  let count = wanted;
  let limitMsat = Math.floor(budgetMsat / wanted);
  const exclusions: Exclusion[] = [];
  const picks: ChosenPlatform[] = [];
  const operators = new Set(step.exclude.map(({ pubkey }) => pubkey));

  const consider = async (pick: Omit<ChosenPlatform, 'relays' | 'bidMsat'>): Promise<void> => {
    const reject = (reason: string) => exclusions.push({ platformId: platformId(pick.platform), reason });
    const { pubkey, d } = pick.platform;
    if (operators.has(pubkey)) return void reject('its operator was asked already');
    const listed = await context.source.get(pubkey, d);
    if (listed === null) return void reject('not listed any more');
    const price = priceOf(listed);
    if (price !== null && price > limitMsat) {
      // The matrix decided by an earlier price.
      await registerPlatform(context, listed, order.taskType);
      return void reject(`its price of ${price} msat is above the limit of ${limitMsat} msat`);
    }
    const bidMsat = bidOf(context, state, listed, limitMsat);
    if (bidMsat === null) return void reject('the option `bid` failed for it');
    operators.add(pubkey);
    const name = pick.name ?? listed.card.name;
    picks.push({
      ...pick,
      name: name === null ? null : sanitizeRemoteText(name, 128),
      relays: listed.relayHints.slice(0, maxRelays),
      bidMsat,
    });
  };

  if (order.trial !== null) {
    const { platform } = order.trial;
    await consider({
      platform,
      name: null,
      reason: 'a trial',
      trust: null,
      probability: null,
      decisionId: null,
    });
  } else {
    const tried = [...step.exclude, ...(await servicesOf(context, order.taskType, operators))];
    const similarity = count + step.exclude.length > 1 ? await similarityFor(context, order.taskType) : null;
    for (let draw = 1; draw <= maxDraws && picks.length < count; draw += 1) {
      const decisionId = `${step.key}.${draw}`;
      const decision = await context.matrix.select(
        {
          taskType: order.taskType,
          jobId: decisionId,
          valueMsat: order.valueMsat,
          ...(order.deadlineAt === null
            ? {}
            : { deadlineMs: Math.max(1, order.deadlineAt - state.createdAt) }),
        },
        {
          n: count - picks.length,
          exclude: tried.slice(-maxExcluded),
          ...(similarity === null
            ? {}
            : { similarity, besides: [...step.exclude, ...picks.map(({ platform }) => platform)] }),
        },
      );
      const known = new Set(tried.map(platformId));
      exclusions.push(...decision.excluded.filter((exclusion) => !known.has(exclusion.platformId)));
      if (decision.picks.length === 0) break;
      for (const { platform, name, reason, trust, probability } of decision.picks) {
        // A decision of an interrupted choice may have more: cards have changed since, and fewer are wanted now.
        if (picks.length >= count) break;
        tried.push(platform);
        await consider({ platform, name, reason, trust, probability, decisionId });
      }
      if (decision.degraded !== true || count >= degradedReplicas || picks.length === 0) continue;
      const leftMsat = budgetMsat - picks.reduce((sum, { bidMsat }) => sum + bidMsat, 0);
      if (budgetMsat > 0 && leftMsat <= 0) break;
      [count, limitMsat] = [degradedReplicas, leftMsat];
    }
  }
  return { type: 'chosen', at, round, wanted, picks, exclusions };
}

/** Returns every service of these operators that the matrix knows for a task type. */
async function servicesOf(
  { matrix }: DelegationContext,
  taskType: string,
  operators: ReadonlySet<string>,
): Promise<readonly PlatformRef[]> {
  if (operators.size === 0) return [];
  const entries = await matrix.entries({ taskType });
  return entries.flatMap(({ platform }) => (operators.has(platform.pubkey) ? [platform] : []));
}

/** Returns the bid for a platform, msat; null when the caller's function threw: nothing is promised without its word. */
function bidOf(
  { bid, logger }: DelegationContext,
  { order }: OrderState,
  platform: ListedPlatform,
  limitMsat: number,
): number | null {
  const priceMsat = priceOf(platform);
  const otherwise = Math.min(limitMsat, priceMsat ?? order.valueMsat);
  let given: unknown;
  try {
    given = bid?.({ order, platform, priceMsat, limitMsat }) ?? otherwise;
  } catch (error) {
    // It may have failed because of the card.
    logger.error({ err: error, orderId: order.id }, 'Platform not asked: the option `bid` threw');
    return null;
  }
  if (typeof given === 'number' && !Number.isNaN(given))
    return Math.max(0, Math.min(limitMsat, Math.floor(given)));
  logger.warn({ orderId: order.id }, 'Bid ignored: the option `bid` returned no number');
  return otherwise;
}
