import { distort, type Frame } from './distort.ts';
import type { RelayFaults } from './faults.ts';
import type { Outgoing } from './messages.ts';
import { shuffled } from './random.ts';

const holdMs = 20;

/** Dependencies of a send queue. */
export interface SendQueuePorts {
  faults(): RelayFaults;
  readonly random: () => number;
  /** Writes a frame to the socket. */
  write(frame: Frame): void;
}

/**
 * The queue of outgoing messages of a connection. Without faults a message is sent at once; faults add
 * forgeries, copies and garbage, change the order, and delay.
 */
export class SendQueue {
  readonly #ports: SendQueuePorts;
  readonly #late = new Set<NodeJS.Timeout>();
  #held: Frame[] = [];
  #holding: NodeJS.Timeout | undefined;
  #queue: { readonly frame: Frame; readonly dueAt: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(ports: SendQueuePorts) {
    this.#ports = ports;
  }

  /** Sends a message under the current faults; `lateMs` delays this message only. */
  send(out: Outgoing, lateMs = 0): void {
    if (this.#closed) return;
    if (lateMs > 0) {
      const timer = setTimeout(() => {
        this.#late.delete(timer);
        this.send(out);
      }, lateMs);
      this.#late.add(timer);
      return;
    }
    const faults = this.#ports.faults();
    for (const frame of distort(out, faults, this.#ports.random)) this.#arrange(frame, faults);
  }

  /** Discards unsent messages. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#late) clearTimeout(timer);
    clearTimeout(this.#holding);
    clearTimeout(this.#timer);
    this.#held = [];
    this.#queue = [];
  }

  #arrange(frame: Frame, { reorder = 0 }: RelayFaults): void {
    const isEvent = frame.out?.message[0] === 'EVENT';
    if (!isEvent || reorder < 2) {
      // What ends or answers something must not overtake the events before it: that is another fault.
      this.#release();
      this.#queueUp(frame);
      return;
    }
    this.#held.push(frame);
    if (this.#held.length >= reorder) this.#release();
    else this.#holding ??= setTimeout(() => this.#release(), holdMs);
  }

  #release(): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    const held = this.#held;
    this.#held = [];
    for (const frame of shuffled(held, this.#ports.random)) this.#queueUp(frame);
  }

  #queueUp(frame: Frame): void {
    const delay = this.#delay();
    if (delay === 0 && this.#queue.length === 0) {
      this.#ports.write(frame);
      return;
    }
    const before = this.#queue.at(-1)?.dueAt ?? 0;
    this.#queue.push({ frame, dueAt: Math.max(before, performance.now() + delay) });
    if (this.#queue.length === 1) this.#await();
  }

  #delay(): number {
    const { delayMs = 0 } = this.#ports.faults();
    if (typeof delayMs === 'number') return delayMs;
    const [min, max] = delayMs;
    return min + this.#ports.random() * (max - min);
  }

  #await(): void {
    const next = this.#queue[0];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, next.dueAt - performance.now()));
  }

  #flush(): void {
    const now = performance.now();
    const due = this.#queue.filter(({ dueAt }) => dueAt <= now);
    this.#queue = this.#queue.slice(due.length);
    for (const { frame } of due) {
      // A write may cut the connection, and this sendQueue with it.
      if (!this.#closed) this.#ports.write(frame);
    }
    if (!this.#closed) this.#await();
  }
}
