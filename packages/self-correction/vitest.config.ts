import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('self-correction', sharedWorkers);
