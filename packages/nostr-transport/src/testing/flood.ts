import { Buffer } from 'node:buffer';
import { finalizeEvent, getPublicKey } from 'nostr-tools/pure';
import type { EventTemplate, Filter } from '../event/event.ts';
import type { FloodFault } from './faults.ts';
import { randomHex } from './random.ts';
import { type EventRecord, toRecord } from './record.ts';

const tickMs = 20;
/**
 * The longest time that one tick may use, in ms: signing is slow, and the client under test shares the core.
 */
const busyMs = 10;

/** A subscription to flood. */
export interface FloodTarget {
  readonly filter: Filter;
  send(record: EventRecord): void;
}

/** Dependencies of a flood. */
export interface FloodPorts {
  readonly random: () => number;
  now(): number;
  /** Returns the subscriptions of each connection. */
  targets(): readonly (readonly FloodTarget[])[];
}

/** Sends events that no client published until the returned function is called. */
export function startFlood(fault: FloodFault, ports: FloodPorts): () => void {
  const source = eventSource(fault, ports);
  let before = performance.now();
  let owed = 0;
  let turn = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    owed += (fault.perSecond * (now - before)) / 1000;
    before = now;
    const connections = ports.targets();
    // What could not be sent in time is not made up for: the rate is a ceiling.
    for (; owed >= 1; owed -= 1) {
      if (performance.now() - now > busyMs) {
        owed = 0;
        break;
      }
      for (const targets of connections) {
        const target = targets[turn % targets.length];
        target?.send(source(target.filter));
      }
      turn += 1;
    }
  }, tickMs);
  return () => clearInterval(timer);
}

function eventSource(fault: FloodFault, ports: FloodPorts): (filter: Filter) => EventRecord {
  const { events, aheadMs = 0, unsolicited = false } = fault;
  let count = 0;
  if (typeof events !== 'string') {
    const records = events.map(toRecord);
    return () => records[count++ % records.length] ?? toRecord(events[0]);
  }
  const secretKey = Buffer.from(randomHex(64, ports.random), 'hex');
  const pubkey = getPublicKey(secretKey);
  const run = randomHex(48, ports.random);
  const sig = randomHex(128, ports.random);
  return (filter) => {
    count += 1;
    const created_at = Math.floor((ports.now() + aheadMs) / 1000);
    const template = templateFor(unsolicited ? {} : filter, `flood ${count}`, created_at);
    if (events === 'valid') {
      const { id, sig } = finalizeEvent({ ...template, tags: template.tags as string[][] }, secretKey);
      return toRecord({ ...template, id, pubkey, sig });
    }
    const id = `${run}${count.toString(16).padStart(16, '0')}`;
    const author = (unsolicited ? undefined : filter.authors?.[0]) ?? pubkey;
    return toRecord({ ...template, id, pubkey: author, sig });
  };
}

/** Returns an event that matches the filter, except for ids and authors. */
function templateFor(filter: Filter, content: string, created_at: number): EventTemplate {
  const tags = Object.entries(filter).flatMap(([name, values]) => {
    const value = name.startsWith('#') && Array.isArray(values) ? values[0] : undefined;
    return typeof value === 'string' ? [[name.slice(1), value]] : [];
  });
  const bounded = Math.max(filter.since ?? 0, Math.min(created_at, filter.until ?? created_at));
  return { kind: filter.kinds?.[0] ?? 1, created_at: bounded, tags, content };
}
