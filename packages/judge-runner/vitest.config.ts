import { hangLimitMs, packageProject, sharedWorkers } from '../../vitest.base.ts';
import { slowness } from './test/slow-machine.ts';

export default packageProject('judge-runner', {
  ...sharedWorkers,
  testTimeout: hangLimitMs * slowness,
  hookTimeout: hangLimitMs * slowness,
  globalSetup: '../../scripts/setup/analysis.mjs',
  maxConcurrency: 3,
});
