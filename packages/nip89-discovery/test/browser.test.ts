import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasChromium, runInChromium } from '../../nostr-transport/test/support/chromium.ts';
import { relayAt } from './set-up.ts';

describe.skipIf(!hasChromium)('in a browser', () => {
  it('parses, matches and finds cards in Chromium (NET-7)', async () => {
    const relay = await relayAt(Date.now);
    const page = join(import.meta.dirname, 'support/browser-page.ts');
    expect(await runInChromium(page, { relay: relay.url })).toEqual({
      parsed: ['Polyglot', [5_002], 'synonym'],
      forged: 'wrong-id',
      long: 256,
      relays: [['complete', 1]],
      found: ['Main'],
      refused: true,
    });
  });
});
