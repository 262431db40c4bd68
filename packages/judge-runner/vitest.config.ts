import { hangLimitMs, packageProject } from '../../vitest.base.ts';
import { slowness } from './test/slow-machine.ts';

export default packageProject('judge-runner', {
  testTimeout: hangLimitMs * slowness,
  hookTimeout: hangLimitMs * slowness,
  globalSetup: '../../scripts/setup/analysis.mjs',
  maxConcurrency: 3,
});
