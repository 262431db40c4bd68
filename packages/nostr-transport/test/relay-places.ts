import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestRelay, type TestRelay, type TestRelayOptions } from '../src/testing/index.ts';
import { RelayClient } from './relay-client.ts';

/** A clock in ms that only moves when it is told to. */
export function stoppedClock(start = Date.now()): { now: number; readonly clock: () => number } {
  const time = { now: start, clock: () => time.now };
  return time;
}

/** Both places where a relay keeps its events: every rule is proved on each. */
export const places = ['in memory', 'on a file'] as const;

/** Runs `use` with a relay in that place and takes everything away afterwards. */
export async function withRelay(
  place: (typeof places)[number],
  options: TestRelayOptions,
  use: (relay: TestRelay) => Promise<void>,
): Promise<void> {
  if (place === 'in memory') {
    await using relay = await startTestRelay(options);
    await use(relay);
    return;
  }
  await withFolder(async (folder) => {
    await using relay = await startTestRelay({ ...options, path: join(folder, 'relay.db') });
    await use(relay);
  });
}

/** Returns a function that runs its argument with a relay in that place and a client of it. */
export function clientIn(place: (typeof places)[number]) {
  return (
    use: (client: RelayClient, relay: TestRelay) => Promise<void>,
    options: TestRelayOptions = {},
  ): Promise<void> =>
    withRelay(place, options, async (relay) => {
      const client = await RelayClient.connect(relay.url);
      await use(client, relay);
      client.end();
    });
}

/** Runs `use` with the path of a new folder that is removed afterwards. */
export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bonafide-relay-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
