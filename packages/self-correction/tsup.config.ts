import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default defineConfig(
  packageBuild({
    index: 'src/index.ts',
    'forges/github': 'src/forges/github.ts',
    'stores/kysely': 'src/stores/kysely.ts',
    'testing/index': 'src/testing/index.ts',
  }),
);
