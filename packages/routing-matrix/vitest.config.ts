import { packageProject } from '../../vitest.base.ts';

export default packageProject('routing-matrix');
