import { defineProject } from 'vitest/config';

export default defineProject({ test: { name: 'nip90-jobs' } });
