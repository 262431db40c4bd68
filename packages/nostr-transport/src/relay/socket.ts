import type { Lookup } from '@bonafide/internal';
import { WebSocket as WsWebSocket } from 'ws';

/** The fields of WebSocket events that are used. */
export interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly error?: unknown;
}

/**
 * A standard WebSocket client, such as those of Node.js and `ws`. Methods that only `ws` has are optional:
 * `ping` detects dead connections, `terminate` closes without a handshake, `pause` slows down a flood.
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

/** Requirements that a socket factory should apply. */
export interface SocketOptions {
  /**
   * Resolves names to permitted addresses. A factory that ignores it has no protection against DNS rebinding.
   */
  readonly lookup: Lookup;
  /** The largest frame to accept, in bytes. */
  readonly maxPayload: number;
}

/** Opens a WebSocket to `url`. It is called for every attempt and must not wait for the connection. */
export type SocketFactory = (url: string, options: SocketOptions) => RelaySocket;

/**
 * The default factory. In Node.js, Bun and Deno it uses `ws` without compression (a small frame cannot expand
 * into a large one) and without redirects. In browsers and workers it uses the runtime's `WebSocket`, which
 * ignores the options.
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
