import { defineProject } from 'vitest/config';

// A few tests go through whole networks, which takes seconds on a busy machine.
export default defineProject({ test: { name: 'trust-score', testTimeout: 60_000 } });
