import { packageProject } from '../../vitest.base.ts';

export default packageProject('mcp-for-hire');
