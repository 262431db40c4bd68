import { createKeySigner, type NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { floodVerifier } from '../src/fastest-verifier.ts';

const signer = createKeySigner('1'.repeat(64));
const message = (event: NostrEvent) => JSON.stringify(['EVENT', 'subscription', event]);

describe('floodVerifier', () => {
  it('has a thread that accepts genuine events and no forged ones (DIS-16)', async () => {
    const event = await signer.signEvent({ kind: 31990, created_at: 1, tags: [], content: '' });
    const forged = { ...event, sig: `${event.sig.startsWith('0') ? '1' : '0'}${event.sig.slice(1)}` };
    await using flood = await floodVerifier(2);
    const verdicts = await flood.verifier.verifyAhead?.([message(event), message(forged)]);
    expect([...(verdicts ?? []).values()]).toEqual([true, false]);
  });

  it('starts no thread where there is no core for it (DIS-16)', async () => {
    await using flood = await floodVerifier(1);
    expect(flood.verifier).not.toHaveProperty('verifyAhead');
  });
});
