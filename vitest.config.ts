import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // What libraries say on the console is shown where a test fails, and nowhere else.
    silent: 'passed-only',
    projects: ['internal', 'packages/*', 'examples/*', 'scripts'],
    coverage: { provider: 'v8', include: ['packages/*/src/**', 'internal/src/**'] },
  },
});
