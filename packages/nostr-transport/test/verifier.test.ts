import { readdirSync, readFileSync } from 'node:fs';
import { finalizeEvent } from 'nostr-tools/pure';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import {
  createNostrWasmVerifier,
  createPureVerifier,
  createTinySecpVerifier,
  passesSelfTest,
  selectVerifier,
  type Verifier,
  type VerifierName,
} from '../src/event/verifier.ts';

interface RealEvent {
  readonly event: NostrEvent;
  readonly sigValid: boolean;
  readonly idValid: boolean;
}

const folder = new URL('../../../fixtures/nostr-events/', import.meta.url);
const real: readonly RealEvent[] = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl') && !name.includes('unsigned'))
  .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as RealEvent);

const secret = new Uint8Array(32).fill(5);
const genuine = finalizeEvent(
  { kind: 1, created_at: 1_700_000_000, tags: [['e', 'x', '']], content: 'Zürich \u2028 "\\\n' },
  secret,
);
const other = finalizeEvent({ kind: 1, created_at: 1_700_000_000, tags: [], content: 'other' }, secret);
const plain: NostrEvent = JSON.parse(JSON.stringify(genuine));
const flipped = (hex: string, at: number) =>
  `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
const without = (key: keyof NostrEvent) =>
  Object.fromEntries(Object.entries(plain).filter(([name]) => name !== key));

/** What nobody may accept. The spread copies carry nostr-tools' mark of a verified event along. */
const rejected: Readonly<Record<string, unknown>> = {
  'content changed': { ...plain, content: `${plain.content} ` },
  'content changed in a spread copy of a verified event': { ...genuine, content: 'forged' },
  'kind changed': { ...genuine, kind: 2 },
  'created_at changed': { ...genuine, created_at: genuine.created_at + 1 },
  'a tag changed': { ...genuine, tags: [['e', 'y', '']] },
  'a tag added': { ...genuine, tags: [...genuine.tags, ['p', 'z']] },
  'pubkey changed': { ...plain, pubkey: flipped(plain.pubkey, 10) },
  'pubkey that is no point': { ...plain, pubkey: 'f'.repeat(64) },
  'id changed': { ...genuine, id: flipped(genuine.id, 3) },
  'signature changed at its start': { ...genuine, sig: flipped(genuine.sig, 0) },
  'signature changed at its end': { ...genuine, sig: flipped(genuine.sig, 127) },
  'signature of another event': { ...genuine, sig: other.sig },
  'signature of zeros': { ...plain, sig: '0'.repeat(128) },
  'signature of Fs': { ...plain, sig: 'f'.repeat(128) },
  'id in upper case': { ...genuine, id: genuine.id.toUpperCase() },
  'pubkey in upper case': { ...genuine, pubkey: genuine.pubkey.toUpperCase() },
  'signature in upper case': { ...genuine, sig: genuine.sig.toUpperCase() },
  'signature too short': { ...genuine, sig: genuine.sig.slice(2) },
  'kind as text': { ...genuine, kind: '1' },
  'kind that is no integer': { ...genuine, kind: 1.5 },
  'kind below zero': { ...genuine, kind: -1 },
  'kind beyond 65535': { ...genuine, kind: 70_000 },
  'created_at as text': { ...genuine, created_at: String(genuine.created_at) },
  'created_at NaN': { ...genuine, created_at: Number.NaN },
  'created_at below zero': { ...genuine, created_at: -5 },
  'created_at that is no integer': { ...genuine, created_at: 1.5 },
  'content missing': without('content'),
  'tags missing': without('tags'),
  'tags that are no lists': { ...genuine, tags: ['e'] },
  'a tag of numbers': { ...genuine, tags: [[1]] },
  null: null,
  'a list': [genuine],
  text: JSON.stringify(genuine),
  nothing: undefined,
};

const makers: readonly (readonly [VerifierName, () => Verifier | Promise<Verifier>])[] = [
  ['nostr-tools', createPureVerifier],
  ['nostr-wasm', async () => createNostrWasmVerifier(await import('nostr-wasm'))],
  ['tiny-secp256k1', async () => createTinySecpVerifier(await import('tiny-secp256k1'))],
];

describe.each(makers)('NET-1b verifier %s', (name, make) => {
  let verifier: Verifier;
  beforeAll(async () => {
    verifier = await make();
  });

  it('NET-1b is named, accepts what is genuine and passes its self-test', () => {
    expect(verifier.name).toBe(name);
    expect(verifier.verify(genuine)).toBe(true);
    expect(verifier.verify(plain)).toBe(true);
    expect(verifier.verify({ ...plain, relay: 'wss://somewhere' })).toBe(true);
    expect(passesSelfTest(verifier)).toBe(true);
  });

  it.each(Object.keys(rejected))('NET-1b X-5b rejects: %s', (what) => {
    expect(verifier.verify(rejected[what])).toBe(false);
  });

  it('NET-1b judges every real event of the corpus as its finders did', () => {
    expect(real.length).toBeGreaterThan(300);
    const wrong = real.filter(
      ({ event, sigValid, idValid }) => verifier.verify(event) !== (sigValid && idValid),
    );
    expect(wrong).toEqual([]);
  });
});

it('NET-1b NET-7 takes the first candidate that works, and pure JavaScript when none does', async () => {
  const missing = () => Promise.reject(new Error('Cannot find package'));
  const credulous = () => ({ name: 'credulous', verify: () => true });
  const tiny = async () => createTinySecpVerifier(await import('tiny-secp256k1'));
  expect((await selectVerifier([tiny, missing])).name).toBe('tiny-secp256k1');
  expect((await selectVerifier([missing, credulous, tiny])).name).toBe('tiny-secp256k1');
  expect((await selectVerifier([missing, credulous])).name).toBe('nostr-tools');
  expect((await selectVerifier([])).name).toBe('nostr-tools');
});

it('NET-1b a verifier that accepts or rejects everything fails the self-test', () => {
  expect(passesSelfTest({ name: 'credulous', verify: () => true })).toBe(false);
  expect(passesSelfTest({ name: 'paranoid', verify: () => false })).toBe(false);
});
