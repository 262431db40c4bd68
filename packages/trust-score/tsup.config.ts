import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

const build = packageBuild(
  {
    index: 'src/index.ts',
    duckdb: 'src/duckdb.ts',
  },
  { perModule: true },
);

// Verifies signatures; it is small, and part of the output so that a report can be checked without anything else.
export default defineConfig({ ...build, noExternal: [...(build.noExternal ?? []), /^@noble\//] });
