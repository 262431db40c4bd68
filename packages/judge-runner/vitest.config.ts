import { defineProject } from 'vitest/config';
import { patience } from './test/patience.ts';

// Boxes take their time on a busy machine; the limits inside them are what is tested.
export default defineProject({
  test: {
    name: 'judge-runner',
    testTimeout: 60_000 * patience,
    hookTimeout: 60_000 * patience,
    maxConcurrency: 3,
  },
});
