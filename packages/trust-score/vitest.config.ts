import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('trust-score', sharedWorkers);
