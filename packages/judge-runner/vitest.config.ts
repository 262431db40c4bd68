import { defineProject } from 'vitest/config';

// Boxes take their time on a busy machine; the limits inside them are what is tested.
export default defineProject({
  test: { name: 'judge-runner', testTimeout: 60_000, hookTimeout: 60_000, maxConcurrency: 3 },
});
