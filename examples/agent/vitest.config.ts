import { defineProject } from 'vitest/config';

export default defineProject({ test: { name: 'agent', testTimeout: 180_000 } });
