import type { NostrEvent, PublishOutcome, Transport } from '@bonafide/nostr-transport';

/** Not an error to report: a relay said no, or nothing. */
class NotAccepted extends Error {}

/**
 * Sends an event to each relay on its own, so that a slow relay delays nobody. `onOutcome` hears of every relay, in
 * the spelling in which it was given; the promise is true as soon as one of them has taken the event and `onOutcome`
 * has seen to it, false when none has. What fails otherwise goes to `onError`.
 */
export function publishToAny(
  transport: Transport,
  event: NostrEvent,
  relays: readonly string[],
  options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onOutcome: (relay: string, outcome: PublishOutcome) => Promise<void> | void;
    readonly onError: (error: unknown) => void;
  },
): Promise<boolean> {
  const { timeoutMs, signal, onOutcome, onError } = options;
  const tries = [...new Set(relays)].map(async (relay) => {
    const [outcome] = await transport.publish(event, [relay], { timeoutMs, signal });
    if (outcome === undefined) throw new NotAccepted();
    await onOutcome(relay, outcome);
    if (outcome.status !== 'accepted') throw new NotAccepted();
    return true;
  });
  for (const one of tries) {
    one.catch((error) => {
      if (!(error instanceof NotAccepted) && !signal.aborted) onError(error);
    });
  }
  return Promise.any(tries).catch(() => false);
}
