import type { ListedPlatform } from '../ports.ts';
import type { DelegationContext } from './context.ts';

/** Returns the price on a card, msat; null without a price or with an invalid one. */
export function priceOf({ card }: ListedPlatform): number | null {
  const price = card.pricing?.amountMsat ?? null;
  return price !== null && Number.isSafeInteger(price) && price >= 0 ? price : null;
}

/** Tells the matrix what the card of a platform says now. */
export async function registerPlatform(
  { matrix }: DelegationContext,
  listed: ListedPlatform,
  taskType: string,
): Promise<void> {
  const { pubkey, d, card } = listed;
  await matrix.register({
    platform: { pubkey, d },
    name: card.name,
    taskTypes: [taskType],
    priceMsat: priceOf(listed),
  });
}
