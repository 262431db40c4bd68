import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('ledger-core', sharedWorkers);
