import { eventually, patienceMs, patient, patientLimits } from '@bonafide/internal/testing';
import { createTransport, type NostrEvent, type Signer, type Transport } from '@bonafide/nostr-transport';
import {
  fastestKeySigner,
  fastestVerifier,
  startTestRelay,
  type TestRelay,
  type TestRelayOptions,
} from '@bonafide/nostr-transport/testing';
import { onTestFinished } from 'vitest';
import {
  createJobClient,
  createMemoryJobStore,
  createProvider,
  type JobClient,
  type JobClientOptions,
  type JobHandler,
  type JobTransition,
  type Provider,
  type ProviderOptions,
  type Timers,
} from '../src/index.ts';

export { eventually };

/** Keys of the people in the tests. */
export const keys = {
  customer: '11'.repeat(32),
  provider: '22'.repeat(32),
  rival: '33'.repeat(32),
} as const;

/** Times that keep tests short where nothing depends on their length. */
export const quick = {
  deliveryStagesMs: [60_000, 60_000, 60_000],
  retryDelaysMs: [20, 20, 20],
  queryTimeoutMs: patienceMs,
} as const satisfies JobClientOptions['config'];

/** Time limits for tests in which the first relay is silent and the next is tried: long enough to reach it on a busy machine. */
export const hasty = { ...quick, deliveryStagesMs: [5_000, 60_000, 60_000] } as const;

export async function relay(options?: TestRelayOptions): Promise<TestRelay> {
  const started = await startTestRelay(options);
  onTestFinished(() => started.close());
  return started;
}

// Signatures in JavaScript, which the tests of the transport cover, would take most of the time.
const verifier = await fastestVerifier();

export function transport(): Transport {
  const created = createTransport({
    addresses: { allowLoopback: true },
    backoff: { minMs: 20, maxMs: 200 },
    verifier,
    limits: patientLimits,
  });
  onTestFinished(() => created.close());
  return patient(created);
}

export async function person(secret: string): Promise<{ readonly signer: Signer; readonly pubkey: string }> {
  const signer = await fastestKeySigner(secret);
  return { signer, pubkey: await signer.getPublicKey() };
}

/** A client that is started and closed after the test. Every step of every job is collected. */
export async function client(
  relays: readonly string[],
  options: Partial<JobClientOptions> = {},
): Promise<JobClient & { readonly steps: Omit<JobTransition, 'sequence'>[] }> {
  const created = createJobClient({
    transport: transport(),
    signer: await fastestKeySigner(keys.customer),
    store: createMemoryJobStore(),
    relays,
    config: quick,
    ...options,
  });
  const steps: Omit<JobTransition, 'sequence'>[] = [];
  created.on('transition', ({ transition }) => steps.push(transition));
  onTestFinished(() => created.close());
  await created.start();
  return Object.assign(created, { steps });
}

/** A provider that is started and closed after the test. */
export async function provider(
  relays: readonly string[],
  handler: JobHandler,
  options: Partial<ProviderOptions> = {},
): Promise<Provider> {
  const created = createProvider({
    kinds: [5000],
    handler,
    transport: transport(),
    signer: await fastestKeySigner(keys.provider),
    relays,
    ...options,
    config: { publishTimeoutMs: patienceMs, publishRetryDelaysMs: [20, 50, 100], ...options.config },
  });
  onTestFinished(() => created.close());
  await created.start();
  return created;
}

/** A clock that moves only when it is told to, and the timers that go by it. */
export function manualTime(startAt = Date.now()): {
  readonly clock: () => number;
  readonly timers: Timers;
  /** Delays of the timers that are set, shortest first. */
  pending(): number[];
  advance(ms: number): void;
} {
  let now = startAt;
  const set = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    clock: () => now,
    timers: {
      after(delayMs, callback) {
        const entry = { at: now + delayMs, callback };
        set.add(entry);
        return () => set.delete(entry);
      },
    },
    pending: () => [...set].map(({ at }) => at - now).sort((a, b) => a - b),
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...set].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        set.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = until;
    },
  };
}

/** Lets the time of a client pass, `stepMs` at a time, until a condition holds: however slow the machine is, nothing ends before. */
export function passTime(
  { advance }: Pick<ReturnType<typeof manualTime>, 'advance'>,
  stepMs: number,
  condition: () => unknown,
): Promise<unknown> {
  return eventually(() => {
    advance(stepMs);
    return condition();
  });
}

/** Ids of the events of `kind` that clients sent to the relay, repetitions included. */
export function sentTo(at: TestRelay, kind: number): string[] {
  return at.received.flatMap(({ message }) => {
    if (!Array.isArray(message) || message[0] !== 'EVENT') return [];
    const event = message[1] as NostrEvent;
    return event.kind === kind ? [event.id] : [];
  });
}
