import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('nip89-discovery', sharedWorkers);
