import type { Emitter } from '@bonafide/internal';
import { TestRelayError } from './errors.ts';
import type { ReceivedMessage, TestRelayEvents } from './types.ts';

/**
 * Returns the next message of a client that `wanted` accepts. Rejects with a TestRelayError `TIMEOUT`, with
 * `CLOSED` when the relay closes, and with the reason of `signal` on abort.
 */
export function nextMessage(
  emitter: Emitter<TestRelayEvents>,
  wanted: (received: ReceivedMessage) => boolean,
  options: {
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
    /** Aborts when the relay closes. */
    readonly leaving: AbortSignal;
  },
): Promise<ReceivedMessage> {
  const { timeoutMs = 60_000, signal, leaving } = options;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      leaving.removeEventListener('abort', onClose);
      unsubscribe();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onAbort = () => fail(signal?.reason);
    const onClose = () => fail(new TestRelayError('CLOSED', 'The relay was closed before the message came'));
    const onTimeout = () =>
      fail(new TestRelayError('TIMEOUT', `No client has sent such a message within ${timeoutMs} ms`));
    const timer = setTimeout(onTimeout, timeoutMs);
    const unsubscribe = emitter.on('message', (message) => {
      if (!wanted(message)) return;
      end();
      resolve(message);
    });
    signal?.addEventListener('abort', onAbort);
    leaving.addEventListener('abort', onClose);
    if (signal?.aborted) onAbort();
    else if (leaving.aborted) onClose();
  });
}
