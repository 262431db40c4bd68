import { detectBuildThenExploit } from '@bonafide/internal';
import type { ObservedEvent } from '../observe/event-buffer.ts';

/** Properties of the events that triggers use, beyond their number. Bounded, in memory, without I/O. */
export interface Signals {
  /** Takes note of an event, in microseconds. */
  observe(event: ObservedEvent): void;
  /** Marks peers as known. */
  know(peerIds: Iterable<string>): void;
  /** Messages in and out by peer since the last `take`. Beyond the number of peers that is kept, under ''. */
  readonly messages: ReadonlyMap<string, number>;
  /** Peers that wrote for the first time since the last `take`. */
  readonly newPeers: ReadonlySet<string>;
  /** Peers whose latest request is far larger than the earlier ones, since the last `take`. */
  readonly jumps: ReadonlySet<string>;
  /** Removes and returns the signals for a cycle. */
  take(): TakenSignals;
  /** Puts back the signals of a failed cycle. */
  giveBack(taken: TakenSignals): void;
}

/** Signals of one cycle. */
export interface TakenSignals {
  readonly messages: ReadonlyMap<string, number>;
  readonly newPeers: readonly string[];
  readonly jumps: readonly string[];
}

/** Most peers that are remembered; the least recently seen are forgotten first. */
const maxPeers = 10_000;
const maxNewPeers = 1_000;
/** Sizes per peer that a request is compared with. */
const maxSizes = 20;

/** Creates empty signals. */
export function createSignals(): Signals {
  const known = new Set<string>();
  const sizes = new Map<string, readonly number[]>();
  let newPeers = new Set<string>();
  let jumps = new Set<string>();
  let messages = new Map<string, number>();

  const count = (peerId: string, more: number) => {
    const name = messages.has(peerId) || messages.size < maxPeers ? peerId : '';
    messages.set(name, (messages.get(name) ?? 0) + more);
  };

  const know = (peerId: string) => {
    known.delete(peerId);
    known.add(peerId);
    for (const oldest of known) {
      if (known.size <= maxPeers) break;
      known.delete(oldest);
    }
  };
  return {
    observe(event) {
      if (event.kind !== 'message') return;
      const { peerId, size } = event;
      count(peerId, 1);
      if (event.direction !== 'in') return;
      if (!known.has(peerId) && newPeers.size < maxNewPeers) newPeers.add(peerId);
      know(peerId);
      if (size <= 0) return;
      const series = [...(sizes.get(peerId) ?? []), size].slice(-maxSizes);
      sizes.delete(peerId);
      sizes.set(peerId, series);
      for (const oldest of sizes.keys()) {
        if (sizes.size <= maxPeers) break;
        sizes.delete(oldest);
      }
      // A jump is at least eight times the median. Hooks have microseconds, so that most messages are decided here.
      if (size < 8 * Math.min(...series)) return;
      const { alarms } = detectBuildThenExploit(series.map((one, at) => ({ at, size: one })));
      if (alarms.some((alarm) => alarm.at === series.length - 1)) jumps.add(peerId);
    },
    know(peerIds) {
      for (const peerId of peerIds) know(peerId);
    },
    get messages() {
      return messages;
    },
    get newPeers() {
      return newPeers;
    },
    get jumps() {
      return jumps;
    },
    take() {
      const taken = { messages, newPeers: [...newPeers], jumps: [...jumps] };
      messages = new Map();
      newPeers = new Set();
      jumps = new Set();
      return taken;
    },
    giveBack(taken) {
      for (const [peerId, more] of taken.messages) count(peerId, more);
      newPeers = new Set([...taken.newPeers, ...newPeers]);
      jumps = new Set([...taken.jumps, ...jumps]);
    },
  };
}
