import { defineProject } from 'vitest/config';

// The first test on PGlite waits for it to start, which takes a busy machine seconds.
export default defineProject({ test: { name: 'ledger-core', testTimeout: 60_000 } });
