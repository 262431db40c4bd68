import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['internal', 'packages/*', 'examples/*', 'scripts'],
    coverage: { provider: 'v8', include: ['packages/*/src/**', 'internal/src/**'] },
  },
});
