import { packageProject } from '../vitest.base.ts';

export default packageProject('scripts', { include: ['test/**/*.test.ts'] });
