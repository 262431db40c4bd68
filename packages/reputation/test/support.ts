import { createKeySigner, type NostrEvent } from '@bonafide/nostr-transport';
import type { ReviewInput } from '../src/index.ts';

/** Key number `n`, the same in every run. */
export const signer = (n: number) => createKeySigner(n.toString(16).padStart(64, '0'));
export const keyOf = (n: number): Promise<string> => signer(n).getPublicKey();

export const start = Date.UTC(2026, 0, 5);
export const hour = 3_600_000;
export const day = 24 * hour;

/** Signs any event, also an invalid one. */
export const sign = (
  n: number,
  template: { kind: number; created_at?: number; tags?: readonly (readonly string[])[]; content?: string },
): Promise<NostrEvent> =>
  signer(n).signEvent({ created_at: start / 1_000, tags: [], content: '', ...template });

/** A complete statement about key 2. */
export const statement = async (rest: Partial<ReviewInput> = {}): Promise<ReviewInput> => ({
  subject: await keyOf(2),
  relay: 'wss://relay.example',
  trustScore: 0.875,
  task: 'benchmark-task',
  summary: 'Reliable platform with occasional latency variance.',
  strengths: ['Consistent correctness'],
  weaknesses: ['p95 latency 2.3 times p50'],
  metrics: { test_score: 0.94, latency_p50_ms: 2_300 },
  recommendation: 'Recommended for work that is not urgent',
  evidence: 'ipfs://QmAbCdEf',
  ...rest,
});
