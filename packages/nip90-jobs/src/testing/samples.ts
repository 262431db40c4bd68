import type { NostrEvent } from '@bonafide/nostr-transport';
import { freshJob, type Job } from '../job.ts';
import { freshProvided } from '../provider/provided-job.ts';
import type { ProvidedJob } from '../provider/provider-store.ts';

/** Returns 64 hex digits that differ by `number`. */
export function sampleId(number: number): string {
  return number.toString(16).padStart(64, '0');
}

/** Creates an event whose text is difficult for databases: NUL, quotes, a lone surrogate, other alphabets. */
export function sampleEvent(number: number, overrides: Partial<NostrEvent> = {}): NostrEvent {
  return {
    id: sampleId(number),
    pubkey: sampleId(1),
    created_at: 1_700_000_000,
    kind: 5000,
    tags: [['i', `it's "quoted" \u0000 \ud800 日本`, 'text']],
    content: '',
    sig: 'f'.repeat(128),
    ...overrides,
  };
}

/** Creates a job in state `built`. */
export function sampleJob(number: number, overrides: Partial<Job> = {}): Job {
  return {
    jobId: sampleId(number),
    idempotencyKey: null,
    fingerprint: 'f',
    kind: 5000,
    provider: sampleId(2),
    request: sampleEvent(number),
    relays: ['wss://one.example', 'wss://two.example'],
    providerRelays: [],
    ...freshJob,
    builtAt: 1_700_000_000_000,
    ...overrides,
  };
}

/** Creates a request that a provider has just accepted. */
export function sampleProvided(number: number, overrides: Partial<ProvidedJob> = {}): ProvidedJob {
  return {
    requestId: sampleId(number),
    customer: sampleId(3),
    kind: 5000,
    request: sampleEvent(number),
    receivedAt: 1_700_000_000_000,
    ...freshProvided,
    ...overrides,
  };
}
