import type { StatePort } from '../state/state-port.ts';

/** Creates a state port in memory, for tests and for agents without persistence. */
export function createMemoryState(): StatePort {
  const texts = new Map<string, string>();
  return {
    async store(key, text) {
      texts.set(key, text);
    },
    async retrieve(key) {
      return texts.get(key) ?? null;
    },
  };
}
