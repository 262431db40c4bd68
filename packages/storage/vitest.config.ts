import { defineProject } from 'vitest/config';

// Generous, since several tests start processes and servers, and a busy machine takes its time over them.
export default defineProject({ test: { name: 'storage', testTimeout: 60_000, hookTimeout: 60_000 } });
