import { patient, patientLimits } from '@bonafide/internal/testing';
import { createTransport } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { onTestFinished } from 'vitest';
import {
  createMemoryReviewStore,
  createReputation,
  type LedgerPort,
  type ReputationConfig,
  type ReviewStore,
} from '../src/index.ts';
import { signer, start } from './support.ts';

/** A clock that a test moves. */
export function manualClock(at = start) {
  let now = at;
  const clock = () => now;
  return Object.assign(clock, {
    advance(ms: number) {
      now += ms;
    },
  });
}

/** A relay whose clock is that of the test, so that it takes events of any date. */
export async function relay(clock: () => number) {
  const started = await startTestRelay({ clock });
  onTestFinished(() => started.close());
  return started;
}

/** An agent with a transport to local relays. */
export function agent(
  n: number,
  at: readonly string[],
  options: {
    readonly clock: () => number;
    readonly store?: ReviewStore;
    readonly config?: ReputationConfig;
    readonly ledger?: LedgerPort;
  },
) {
  const { clock, store = createMemoryReviewStore(), config = {}, ledger } = options;
  const transport = patient(
    createTransport({
      addresses: { allowLoopback: true },
      auth: { signer: signer(n), allow: at },
      clock,
      limits: patientLimits,
    }),
  );
  const reputation = createReputation({
    transport,
    signer: signer(n),
    store,
    relays: at,
    config,
    clock,
    ...(ledger === undefined ? {} : { ledger }),
  });
  onTestFinished(async () => {
    await reputation.close();
    await transport.close();
  });
  return Object.assign(reputation, { store, transport });
}
