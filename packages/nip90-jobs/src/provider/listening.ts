import type { EventTemplate, Subscription } from '@bonafide/nostr-transport';
import { requestFilters } from '../codec/index.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Replies } from './replies.ts';
import type { RequestIntake } from './request-intake.ts';

/** A customer may take this long between signing a request and publishing it. */
const deliverySlackSeconds = 600;

/** Subscribes to requests, cancellations and receipts, from the time that was read before. */
export function listenForRequests(
  { transport, relays, store, clock, config, emitter }: ProviderContext,
  options: {
    readonly kinds: readonly number[];
    readonly publicKey: string;
    readonly broadcast: boolean;
    readonly receipts: boolean;
    readonly intake: Pick<RequestIntake, 'take'>;
  },
): Subscription {
  const { kinds, publicKey, broadcast, receipts, intake } = options;
  return transport.subscribe(relays, requestFilters({ kinds, provider: publicKey, broadcast, receipts }), {
    onEvent: intake.take,
    onCut: (relay, { seconds }) => emitter.emit('cut', { relay, seconds }),
    watermarks: {
      async get(relay, key) {
        const read = await store.watermark(`${relay} ${key}`);
        if (read !== null) return read - deliverySlackSeconds;
        return Math.floor(clock() / 1000) - Math.ceil(config.maxRequestAgeMs / 1000);
      },
      set: (relay, key, to) => store.setWatermark(`${relay} ${key}`, to),
    },
  });
}

/** Publishes the capability card, and tries again while no relay accepts it. */
export async function publishCard(
  { signer, relays, logger, stop }: ProviderContext,
  template: EventTemplate,
  replies: Pick<Replies, 'insist'>,
): Promise<void> {
  const signed = await signer.signEvent(template);
  if (!(await replies.insist(signed, relays)) && !stop.aborted)
    logger.error({ eventId: signed.id }, 'No relay accepted the capability card');
}
