import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasChromium, runInChromium } from './support/chromium.ts';
import { makeTestRelay } from './support/transports.ts';

describe.skipIf(!hasChromium)('NET-7 in a browser', () => {
  it('NET-7 publishes, queries and exchanges private messages in Chromium', async () => {
    const relay = await makeTestRelay();
    const page = join(import.meta.dirname, 'support/browser-page.ts');
    expect(await runInChromium(page, { relay: relay.url })).toEqual({
      status: 'accepted',
      found: ['from a browser'],
      received: 'in private',
    });
  });
});
