import type { StatePort } from '../state.ts';

/** State for the life of the process: tests, and agents that may forget. */
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
