import { packageProject } from '../../vitest.base.ts';

export default packageProject('nip90-jobs');
