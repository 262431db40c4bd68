import { packageProject } from '../../vitest.base.ts';

export default packageProject('nip89-discovery');
