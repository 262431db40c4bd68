import { patient, patientLimits } from '@bonafide/internal/testing';
import { onTestFinished } from 'vitest';
import { createTransport, type TransportOptions } from '../../src/create-transport.ts';
import { startTestRelay, type TestRelay, type TestRelayOptions } from '../../src/testing/index.ts';
import type { Transport } from '../../src/transport.ts';
import { type ScriptedRelay, startScriptedRelay } from './scripted-relay.ts';

/** A transport for loopback with short pauses and patient time limits, closed when the test is over. */
export function makeTransport(options: TransportOptions = {}): Transport {
  const transport = createTransport({
    addresses: { allowLoopback: true },
    backoff: { minMs: 30, maxMs: 300, stableMs: 60_000 },
    ...options,
    limits: { ...patientLimits, ...options.limits },
  });
  onTestFinished(() => transport.close());
  return patient(transport);
}

/** A scripted relay, closed when the test is over. */
export async function makeRelay(
  script: Parameters<typeof startScriptedRelay>[0] = {},
): Promise<ScriptedRelay> {
  const relay = await startScriptedRelay(script);
  onTestFinished(() => relay.close());
  return relay;
}

/** The in-process relay, closed when the test is over. */
export async function makeTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const relay = await startTestRelay(options);
  onTestFinished(() => relay.close());
  return relay;
}

/** The messages of one type that a test relay has received. */
export function sentTo(relay: TestRelay, type: string): (readonly unknown[])[] {
  return relay.received
    .map(({ message }) => message as readonly unknown[])
    .filter((message) => Array.isArray(message) && message[0] === type);
}

/** A logger that remembers what it was told. */
export function makeLogger() {
  const lines: { readonly level: string; readonly details: object; readonly message: string | undefined }[] =
    [];
  const at = (level: string) => (details: object, message?: string) =>
    void lines.push({ level, details, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
