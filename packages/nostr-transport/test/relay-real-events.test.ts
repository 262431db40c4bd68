import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { startTestRelay, type TestRelay } from '../src/testing/index.ts';
import { RelayClient } from './relay-client.ts';

interface RealEvent {
  readonly event: NostrEvent;
  readonly sigValid: boolean;
  readonly idValid: boolean;
}

const folder = new URL('../../../fixtures/nostr-events/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && !name.includes('unsigned'));
const readEvents = (file: string): RealEvent[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The rules by which a strict relay refuses a genuine event from years ago. */
const protocolReasons = [
  'invalid: event has expired',
  'invalid: ephemeral event is too old',
  'invalid: kind 22242 belongs into an AUTH message',
];

describe('real events', () => {
  let relay: TestRelay;
  let client: RelayClient;
  const refusals = new Map<string, number>();
  beforeAll(async () => {
    relay = await startTestRelay();
    client = await RelayClient.connect(relay.url);
  });
  afterAll(async () => {
    client.end();
    await relay.close();
  });

  it.each(files)(
    'NET-3 X-5b takes the genuine ones of %s or says which rule forbids it, and refuses the others',
    async (file) => {
      for (const { event, sigValid, idValid } of readEvents(file)) {
        const { accepted, message } = await client.publish(event);
        const about = `${event.kind} ${event.id}: ${message}`;
        if (!sigValid || !idValid) {
          expect(accepted, about).toBe(false);
          expect(message, about).toMatch(/^invalid: /);
        } else if (accepted) {
          const [stored] = relay.events({ ids: [event.id] });
          expect(stored ?? null, about).toEqual(event.kind >= 20_000 && event.kind < 30_000 ? null : event);
        } else {
          expect(protocolReasons, about).toContain(message);
          refusals.set(message, (refusals.get(message) ?? 0) + 1);
        }
      }
    },
  );

  it('NET-3 refuses few of them, and for these reasons', () => {
    expect(Object.fromEntries(refusals)).toEqual({
      'invalid: ephemeral event is too old': 1,
      'invalid: event has expired': 3,
      'invalid: kind 22242 belongs into an AUTH message': 2,
    });
  });
});
