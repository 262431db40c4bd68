import { createKeySigner, type EventTemplate, type NostrEvent } from '@bonafide/nostr-transport';
import { buildFeedback, buildJobResult, type FeedbackSpec } from '../src/codec/index.ts';

/** After so long a client subscribes to the answers of new jobs. */
export const subscribeMs = 20;
export const work = (provider: string) => ({ kind: 5000, provider, inputs: [{ data: 'double 21' }] });

/** Signs as `secret` and hands it to every relay, as a provider of another make would. */
export async function say(
  relays: readonly { publish(event: NostrEvent): unknown }[],
  secret: string,
  template: EventTemplate,
): Promise<NostrEvent> {
  const signed = await createKeySigner(secret).signEvent(template);
  for (const one of relays) one.publish(signed);
  return signed;
}

export const result = (request: NostrEvent, content: string) =>
  buildJobResult({ request, content, createdAt: Date.now() });
export const feedback = (request: NostrEvent, spec: Omit<FeedbackSpec, 'request' | 'createdAt'>) =>
  buildFeedback({ request, createdAt: Date.now(), ...spec });
