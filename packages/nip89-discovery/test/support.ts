import { readFileSync } from 'node:fs';
import { createKeySigner, type EventTemplate, type NostrEvent } from '@bonafide/nostr-transport';
import { buildCapabilityCard, type CardSpec } from '../src/index.ts';

/** 2026-01-01 */
export const start = 1_767_225_600_000;
export const dayMs = 86_400_000;

/** A signer for the n-th platform. */
export const signer = (n: number) => createKeySigner(n.toString(16).padStart(64, '0'));

/** Lines of a fixture that holds JSON. */
export function fixture(name: string): { readonly [key: string]: unknown }[] {
  const url = new URL(`../../../fixtures/nostr-events/${name}`, import.meta.url);
  return readFileSync(url, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** An event with made-up id and signature, for what is not about them. */
export const unsigned = (template: Partial<EventTemplate>, pubkey = 'a'.repeat(64)): NostrEvent => ({
  kind: 31_990,
  created_at: start / 1_000,
  tags: [
    ['d', 'x'],
    ['k', '5000'],
  ],
  content: '',
  ...template,
  pubkey,
  id: 'b'.repeat(64),
  sig: 'c'.repeat(128),
});

/** The signed card of the n-th platform. */
export const cardOf = (n: number, spec: Partial<CardSpec> = {}) =>
  signer(n).signEvent(
    buildCapabilityCard({
      d: 'main',
      name: `P${n}`,
      kinds: [5_000],
      capabilities: ['benchmark-task'],
      createdAt: start,
      ...spec,
    }),
  );

/** A clock that is moved by hand. */
export function manualClock(at = start) {
  let now = at;
  const clock = () => now;
  clock.advance = (ms: number) => {
    now += ms;
  };
  return clock;
}
