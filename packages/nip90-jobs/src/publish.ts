import type { NostrEvent, PublishOutcome, Transport } from '@bonafide/nostr-transport';

/**
 * Sends an event to each relay on its own, so that a slow relay delays nobody. `onOutcome` hears of every relay;
 * the promise is true as soon as one of them has taken the event, false when none has.
 */
export function publishToAny(
  transport: Transport,
  event: NostrEvent,
  relays: readonly string[],
  options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onOutcome: (outcome: PublishOutcome) => Promise<void> | void;
  },
): Promise<boolean> {
  const { timeoutMs, signal, onOutcome } = options;
  const tries = [...new Set(relays)].map(async (relay) => {
    const outcomes = await transport.publish(event, [relay], { timeoutMs, signal });
    for (const outcome of outcomes) await onOutcome(outcome);
    if (outcomes.some((outcome) => outcome.status === 'accepted')) return true;
    throw new Error('not accepted');
  });
  return Promise.any(tries).catch(() => false);
}
