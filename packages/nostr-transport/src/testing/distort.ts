import { Buffer } from 'node:buffer';
import type { NostrEvent } from '../event/event.ts';
import type { ForgeFault, GarbageFault, GarbageKind, RelayFaults } from './faults.ts';
import { type Outgoing, outgoingEvent } from './messages.ts';
import { pick, randomHex } from './random.ts';
import { toRecord } from './record.ts';

/** A frame to send: a message or garbage. */
export interface Frame {
  readonly data: string | Buffer;
  readonly out: Outgoing | null;
}

const tenYears = 10 * 365 * 86_400;
const wrongShapes = [
  'null',
  '42',
  '"EVENT"',
  '[]',
  '{"EVENT":[]}',
  '["EVENT"]',
  '["EVENT","sub"]',
  '["EVENT","sub",null]',
  '["EVENT","sub",{"id":1,"tags":"none"}]',
  '["EOSE",7]',
  '["OK","x"]',
  '["OK",null,"yes",{}]',
  '["CLOSED"]',
  '["NOTICE",["nested"]]',
  '["AUTH",null]',
  '["COUNT","sub","many"]',
] as const;

/** Returns the frames to send for `out` under `faults`: garbage and a forgery before it, copies after it. */
export function distort(out: Outgoing, faults: RelayFaults, random: () => number): Frame[] {
  const frames: Frame[] = [];
  const { garbage, forge, duplicate = 0 } = faults;
  if (garbage !== undefined && random() < (garbage.probability ?? 1)) {
    frames.push({ data: garbageOf(garbage, random), out: null });
  }
  const forged = forge !== undefined && out.record !== null && random() < (forge.probability ?? 1);
  if (forged) {
    const forgery = forgeMessage(out, forge, random);
    frames.push({ data: forgery.text, out: forgery });
  }
  if (forged && forge.withhold) return frames;
  const copies = out.record === null ? 0 : duplicate;
  for (let copy = 0; copy <= copies; copy += 1) frames.push({ data: out.text, out });
  return frames;
}

function forgeMessage(out: Outgoing, fault: ForgeFault, random: () => number): Outgoing {
  const [, subscriptionId, event] = out.message as ['EVENT', string, NostrEvent];
  return outgoingEvent(subscriptionId, toRecord(forgeEvent(event, fault.alter, random)));
}

/** Returns a forged copy under the genuine id. */
function forgeEvent(event: NostrEvent, alter: ForgeFault['alter'], random: () => number): NostrEvent {
  switch (alter) {
    case 'signature': {
      // Any other digit will do: at least one always differs.
      const digit = ((Number.parseInt(event.sig.slice(0, 1), 16) + 1) % 16).toString(16);
      return { ...event, sig: `${digit}${event.sig.slice(1)}` };
    }
    case 'content':
      return { ...event, content: `${event.content} (forged)` };
    case 'created_at':
      return { ...event, created_at: event.created_at + tenYears };
    case 'pubkey':
      return { ...event, pubkey: randomHex(64, random) };
  }
}

function garbageOf(fault: GarbageFault, random: () => number): string | Buffer {
  const kinds: readonly [GarbageKind, ...GarbageKind[]] = fault.kinds ?? [
    'not-json',
    'wrong-shape',
    'unknown-type',
    'binary',
    'deep',
  ];
  switch (pick(kinds, random)) {
    case 'not-json':
      return '["EVENT", "sub", {"id": ';
    case 'wrong-shape':
      return pick(wrongShapes, random);
    case 'unknown-type':
      return '["GARBAGE","sub",{}]';
    case 'binary':
      return Buffer.from(randomHex(64, random), 'hex');
    case 'huge':
      return JSON.stringify(['NOTICE', 'x'.repeat(fault.hugeBytes ?? 8 * 1024 * 1024)]);
    case 'deep':
      return '['.repeat(50_000) + ']'.repeat(50_000);
  }
}
