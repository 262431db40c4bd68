import { packageProject } from '../../vitest.base.ts';

export default packageProject('ledger-in-a-runtime');
