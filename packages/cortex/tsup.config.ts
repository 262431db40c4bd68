import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default defineConfig(
  packageBuild(
    {
      index: 'src/index.ts',
      'adapters/ai-sdk': 'src/adapters/ai-sdk.ts',
      'stores/kysely': 'src/stores/kysely.ts',
      'testing/index': 'src/testing/index.ts',
    },
    { perModule: true },
  ),
);
