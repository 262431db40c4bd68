import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('nip90-jobs', sharedWorkers);
