import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('cortex', sharedWorkers);
