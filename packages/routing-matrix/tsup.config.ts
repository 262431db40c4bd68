import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default defineConfig(
  packageBuild(
    {
      index: 'src/index.ts',
      'recovery/file-snapshots': 'src/recovery/file-snapshots.ts',
      'stores/kysely': 'src/stores/kysely.ts',
      'testing/index': 'src/testing/index.ts',
    },
    { perModule: true },
  ),
);
