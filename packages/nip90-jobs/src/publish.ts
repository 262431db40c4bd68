import type { NostrEvent, PublishOutcome, Transport } from '@bonafide/nostr-transport';

/** Internal: a relay rejected the event or did not answer. */
class NotAccepted extends Error {}

/**
 * Publishes an event to each relay independently, so that a slow relay delays no other. Calls `onOutcome` for
 * every relay, with the address as given. Resolves to true when the first relay has accepted the event and
 * its `onOutcome` has settled, to false when every relay failed. Other errors are passed to `onError`. `onDone` is called
 * when no relay is waited for any more.
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
    readonly onDone?: () => void;
  },
): Promise<boolean> {
  const { timeoutMs, signal, onOutcome, onError, onDone } = options;
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
  if (onDone) void Promise.allSettled(tries).then(onDone);
  return Promise.any(tries).catch(() => false);
}
