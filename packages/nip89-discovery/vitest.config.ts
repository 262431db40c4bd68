import { defineProject } from 'vitest/config';

// Generous, since the machine may be busy: nothing here measures time.
export default defineProject({ test: { name: 'nip89-discovery', testTimeout: 30_000 } });
