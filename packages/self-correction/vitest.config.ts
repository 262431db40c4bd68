import { packageProject } from '../../vitest.base.ts';

export default packageProject('self-correction');
