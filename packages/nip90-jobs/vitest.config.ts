import { defineProject } from 'vitest/config';

// Long enough for processes and a PGlite that start on a busy machine.
export default defineProject({ test: { name: 'nip90-jobs', testTimeout: 30_000 } });
