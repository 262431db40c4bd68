import { onTestFinished } from 'vitest';
import { createTransport, type TransportOptions } from '../../src/create-transport.ts';
import type { Transport } from '../../src/transport.ts';
import { type ScriptedRelay, startScriptedRelay } from './scripted-relay.ts';

/** A transport for loopback with short waits, closed when the test is over. */
export function makeTransport(options: TransportOptions = {}): Transport {
  const transport = createTransport({
    addresses: { allowLoopback: true },
    backoff: { minMs: 30, maxMs: 300, stableMs: 60_000 },
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

/** A scripted relay, closed when the test is over. */
export async function makeRelay(
  script: Parameters<typeof startScriptedRelay>[0] = {},
): Promise<ScriptedRelay> {
  const relay = await startScriptedRelay(script);
  onTestFinished(() => relay.close());
  return relay;
}

/** Resolves once `isTrue` is. Polls, since what is looked at has no event for it; the test's own timeout ends it. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
