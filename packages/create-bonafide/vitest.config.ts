import { packageProject } from '../../vitest.base.ts';

export default packageProject('create-bonafide');
