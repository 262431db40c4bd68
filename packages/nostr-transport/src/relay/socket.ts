import type { Lookup } from '@bonafide/internal';
import { WebSocket as WsWebSocket } from 'ws';

/** What arrives with a WebSocket's events, as far as it is used here. */
export interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly error?: unknown;
}

/**
 * A WebSocket client as the standard has it; Node's own and the one of `ws` are both one. What only `ws` has is used
 * where it is there: `ping` to find dead connections, `terminate` to leave them, `pause` to slow a flood down.
 */
export interface RelaySocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void;
  ping?(): void;
  on?(type: 'pong', listener: () => void): unknown;
  terminate?(): void;
  pause?(): void;
  resume?(): void;
}

/** What a socket factory is asked to respect. */
export interface SocketOptions {
  /** Resolves names to permitted addresses; a factory that ignores it loses the protection against DNS rebinding. */
  readonly lookup: Lookup;
  /** Largest frame to take, in bytes. */
  readonly maxPayload: number;
}

/** Opens a WebSocket to `url`. It is called anew for every attempt and must not wait for the connection. */
export type SocketFactory = (url: string, options: SocketOptions) => RelaySocket;

/**
 * The default factory. In Node.js, Bun and Deno: `ws`, without compression (a small frame cannot unfold into a large one)
 * and without redirects. Elsewhere (browsers, workers): the runtime's own `WebSocket`, which heeds no option.
 */
export const connect: SocketFactory = (url, options) => {
  // In bundles for browsers and workers, `ws` is an empty module.
  if (WsWebSocket === undefined) return new WebSocket(url) as RelaySocket;
  return new WsWebSocket(url, {
    lookup: options.lookup,
    maxPayload: options.maxPayload,
    perMessageDeflate: false,
    followRedirects: false,
    skipUTF8Validation: false,
  }) as RelaySocket;
};
