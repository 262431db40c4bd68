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
  /** Time in ms since epoch. @default now */
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
    const { peerId, channel, content, size, correlationId, at } = observed;
    if (typeof peerId !== 'string' || peerId === '') throw new TypeError('peerId must be a non-empty string');
    return {
      kind: 'message',
      direction,
      peerId,
      channel: typeof channel === 'string' ? channel : null,
      size: typeof size === 'number' && size >= 0 ? size : typeof content === 'string' ? content.length : 0,
      correlationId: typeof correlationId === 'string' ? correlationId : null,
      at: at ?? options.clock(),
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
        at: call.at ?? options.clock(),
      })),
    afterTool: (call) =>
      observe(() => ({
        kind: 'tool',
        name: String(call.name),
        peerId: call.peerId ?? null,
        at: call.at ?? options.clock(),
      })),
  };
}
