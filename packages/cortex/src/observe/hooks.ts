import type { EventBuffer, ObservedEvent } from './event-buffer.ts';

/** A message that was received or sent. Only its metadata is kept. */
export interface ObservedMessage {
  readonly peerId: string;
  readonly channel?: string;
  /** Text of the message; only its length is recorded. */
  readonly content?: string;
  /** Size of the request in one unit per peer, for example millisatoshi. @default length of `content` */
  readonly size?: number;
  /** Ties the message to a piece of work, and to a commitment. */
  readonly correlationId?: string;
  /** Time in ms since epoch, limited to one hour before and five minutes after now. @default now */
  readonly at?: number;
}

/** A call of the agent's own model. */
export interface ObservedLlmCall {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly at?: number;
}

/** A call of one of the agent's tools. */
export interface ObservedToolCall {
  readonly name: string;
  readonly peerId?: string;
  readonly at?: number;
}

/** Passive observers for the main loop: they return at once, change nothing and never throw. */
export interface CortexHooks {
  onMessage(message: ObservedMessage): void;
  afterSend(message: ObservedMessage): void;
  afterLlm(call: ObservedLlmCall): void;
  afterTool(call: ObservedToolCall): void;
}

const tokens = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** Longest id or name that is kept, in characters: peers may choose them, and the buffer holds thousands. */
const maxName = 1_024;
/** Farthest that a time may be from now, in ms: peers may claim it. The ledger has the same limits. */
const maxPast = 3_600_000;
const maxFuture = 300_000;

const isSize = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= maxName ? value : null;

function timeOf(claimed: unknown, now: number): number {
  if (typeof claimed !== 'number' || Number.isNaN(claimed)) return now;
  return Math.min(now + maxFuture, Math.max(now - maxPast, claimed));
}

/**
 * Creates hooks that append to `buffer`. `onObserved` runs after each event and must be fast; `onFailure` counts
 * events that could not be recorded, for example a message without a peer.
 */
export function createHooks(options: {
  readonly buffer: EventBuffer;
  readonly clock: () => number;
  readonly onObserved: (event: ObservedEvent) => void;
  readonly onFailure: (error: unknown) => void;
}): CortexHooks {
  const observe = (describe: () => ObservedEvent) => {
    try {
      const event = describe();
      options.buffer.push(event);
      options.onObserved(event);
    } catch (error) {
      options.onFailure(error);
    }
  };
  const message = (direction: 'in' | 'out', observed: ObservedMessage) => {
    const { channel, content, size, correlationId, at } = observed;
    const peerId = nameOf(observed.peerId);
    if (peerId === null || peerId === '') {
      throw new TypeError(`peerId must be a text of 1 to ${maxName} characters`);
    }
    return {
      kind: 'message',
      direction,
      peerId,
      channel: nameOf(channel),
      size: isSize(size) ? size : typeof content === 'string' ? content.length : 0,
      correlationId: nameOf(correlationId),
      at: timeOf(at, options.clock()),
    } as const;
  };
  return {
    onMessage: (observed) => observe(() => message('in', observed)),
    afterSend: (observed) => observe(() => message('out', observed)),
    afterLlm: (call) =>
      observe(() => ({
        kind: 'llm',
        inputTokens: tokens(call.inputTokens),
        outputTokens: tokens(call.outputTokens),
        at: timeOf(call.at, options.clock()),
      })),
    afterTool: (call) =>
      observe(() => ({
        kind: 'tool',
        name: String(call.name).slice(0, 100),
        peerId: nameOf(call.peerId),
        at: timeOf(call.at, options.clock()),
      })),
  };
}
