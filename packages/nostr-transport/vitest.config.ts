import { packageProject, sharedWorkers } from '../../vitest.base.ts';

export default packageProject('nostr-transport', sharedWorkers);
