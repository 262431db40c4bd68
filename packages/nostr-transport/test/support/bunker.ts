import { onTestFinished } from 'vitest';
import type { NostrEvent } from '../../src/event/event.ts';
import type { Signer } from '../../src/signers/signer.ts';
import { nowSeconds, signerOf } from './events.ts';
import { makeTransport } from './transports.ts';

/** A request as the bunker understood it. */
export interface BunkerRequest {
  readonly id: string;
  readonly method: string;
  readonly params: readonly string[];
}

/** What the bunker says to a request; an array is several messages in a row, null is silence. */
export type BunkerAnswer = Readonly<Record<string, unknown>>;
type Respond = (request: BunkerRequest, honest: () => Promise<BunkerAnswer>) => Promise<BunkerAnswer[]>;

/** A remote signer that speaks NIP-46 over a relay, honestly unless told otherwise. */
export async function startBunker(
  relay: string,
  options: { readonly secret?: string; readonly respond?: Respond } = {},
) {
  const speaker: Signer = signerOf(101);
  const user: Signer = signerOf(102);
  const respond: Respond = options.respond ?? (async (_, honest) => [await honest()]);
  const requests: BunkerRequest[] = [];
  const events: NostrEvent[] = [];
  const transport = makeTransport();
  const pubkey = await speaker.getPublicKey();

  async function perform({ id, method, params }: BunkerRequest): Promise<BunkerAnswer> {
    const [first = '', second = ''] = params;
    switch (method) {
      case 'connect':
        if (options.secret !== undefined && second !== options.secret) return { id, error: 'wrong secret' };
        return { id, result: options.secret ?? 'ack' };
      case 'get_public_key':
        return { id, result: await user.getPublicKey() };
      case 'sign_event':
        return { id, result: JSON.stringify(await user.signEvent(JSON.parse(first))) };
      case 'nip44_encrypt':
        return { id, result: await user.nip44Encrypt(first, second) };
      case 'nip44_decrypt':
        return { id, result: await user.nip44Decrypt(first, second) };
      default:
        return { id, error: `unknown method ${method}` };
    }
  }

  async function serve(event: NostrEvent): Promise<void> {
    events.push(event);
    const request = JSON.parse(await speaker.nip44Decrypt(event.pubkey, event.content)) as BunkerRequest;
    requests.push(request);
    for (const answer of await respond(request, () => perform(request))) {
      const content = await speaker.nip44Encrypt(event.pubkey, JSON.stringify(answer));
      const tags = [['p', event.pubkey]];
      const reply = await speaker.signEvent({ kind: 24_133, created_at: nowSeconds(), tags, content });
      await transport.publish(reply, [relay]);
    }
  }

  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const subscription = transport.subscribe([relay], [{ kinds: [24_133], '#p': [pubkey] }], {
    onEvent: serve,
    onEose: () => resolve(),
  });
  onTestFinished(() => subscription.close());
  await ready;

  const secret = options.secret === undefined ? '' : `&secret=${options.secret}`;
  return { uri: `bunker://${pubkey}?relay=${encodeURIComponent(relay)}${secret}`, user, requests, events };
}
