import type { Logger } from '@bonafide/internal';
import type { Watermarks } from '../transport.ts';

/** Hands watermarks to where the caller keeps them, in order and one at a time for each relay and filter. */
export interface WatermarkWriter {
  set(relay: string, key: string, seconds: number): void;
  /** Resolves when all that was set has been written or has failed. */
  flush(): Promise<void>;
}

/** While a write is under way only the newest value waits, so that a busy subscription and a slow disk get along. */
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
        logger.error({ err: error, relay, key }, 'A watermark could not be kept; this will be read again');
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
