import { hangLimitMs, packageProject } from '../../vitest.base.ts';
import { patience } from './test/patience.ts';

export default packageProject('judge-runner', {
  testTimeout: hangLimitMs * patience,
  hookTimeout: hangLimitMs * patience,
  globalSetup: '../../scripts/setup/analysis.mjs',
  maxConcurrency: 3,
});
