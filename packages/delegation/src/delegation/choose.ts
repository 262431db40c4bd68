import type { ChosenPlatform, OrderEvent } from '../flow/events.ts';
import type { Step } from '../flow/next-step.ts';
import type { Exclusion, OrderState } from '../order.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import type { ListedPlatform } from '../ports.ts';
import type { DelegationContext } from './context.ts';

type ChooseStep = Extract<Step, { type: 'choose' }>;

/** Number of times that the matrix is asked again for platforms in place of those that cannot be used. */
const maxDraws = 5;

/** Chooses platforms for an order, and bids. Repeating it gives the same platforms as far as they are known to the matrix. */
export async function choosePlatforms(
  context: DelegationContext,
  state: OrderState,
  step: ChooseStep,
): Promise<OrderEvent> {
  const { order } = state;
  const { round, wanted, budgetMsat } = step;
  const at = context.clock();
  const limitMsat = Math.floor(budgetMsat / wanted);
  const exclusions: Exclusion[] = [];
  const picks: ChosenPlatform[] = [];

  const consider = async (pick: Omit<ChosenPlatform, 'relays' | 'bidMsat'>): Promise<void> => {
    const reject = (reason: string) => exclusions.push({ platformId: platformId(pick.platform), reason });
    const { pubkey, d } = pick.platform;
    const listed = await context.source.get(pubkey, d);
    if (listed === null) return void reject('not listed any more');
    const price = listed.card.pricing?.amountMsat ?? null;
    if (price !== null && price > limitMsat)
      return void reject(`its price of ${price} msat is above the limit of ${limitMsat} msat`);
    picks.push({
      ...pick,
      name: pick.name ?? listed.card.name,
      relays: listed.relayHints,
      bidMsat: bidOf(context, state, listed, limitMsat),
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
    const tried: PlatformRef[] = [...step.exclude];
    for (let draw = 1; draw <= maxDraws && picks.length < wanted; draw += 1) {
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
        { n: wanted - picks.length, exclude: tried },
      );
      const known = new Set(tried.map(platformId));
      exclusions.push(...decision.excluded.filter((exclusion) => !known.has(exclusion.platformId)));
      if (decision.picks.length === 0) break;
      for (const { platform, name, reason, trust, probability } of decision.picks) {
        tried.push(platform);
        await consider({ platform, name, reason, trust, probability, decisionId });
      }
    }
  }
  return { type: 'chosen', at, round, wanted, picks, exclusions };
}

function bidOf(
  { bid }: DelegationContext,
  { order }: OrderState,
  platform: ListedPlatform,
  limitMsat: number,
): number {
  const priceMsat = platform.card.pricing?.amountMsat ?? null;
  const given = bid?.({ order, platform, priceMsat, limitMsat }) ?? priceMsat ?? order.valueMsat;
  return Math.max(0, Math.min(limitMsat, Math.floor(given)));
}
