import type { Logger } from '@bonafide/internal';
import type { Watermarks } from '../transport.ts';

/** Writes watermarks to the caller's storage, in order and one at a time per relay and filter. */
export interface WatermarkWriter {
  set(relay: string, key: string, seconds: number): void;
  /** Resolves when all pending writes have succeeded or failed. */
  flush(): Promise<void>;
}

/**
 * Creates a writer. During a write only the newest value is queued, so that a slow disk does not delay a busy
 * subscription.
 */
export function createWatermarkWriter(watermarks: Watermarks, logger: Logger): WatermarkWriter {
  const waiting = new Map<
    string,
    { readonly relay: string; readonly key: string; readonly seconds: number }
  >();
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) break;
      const [id, { relay, key, seconds }] = next;
      waiting.delete(id);
      try {
        await watermarks.set(relay, key, seconds);
      } catch (error) {
        logger.error(
          { err: error, relay, key },
          'Writing a watermark failed; events will be read again after a restart',
        );
      }
    }
    writing = null;
  }

  return {
    set(relay, key, seconds) {
      waiting.set(`${relay} ${key}`, { relay, key, seconds });
      writing ??= writeAll();
    },
    flush: () => writing ?? Promise.resolve(),
  };
}
