import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

const build = packageBuild({
  index: 'src/index.ts',
  // Runs in the artifact's box, where nothing can be installed: the parser is part of it.
  analysis: 'javascript/analysis.mjs',
});

export default defineConfig({
  ...build,
  splitting: false,
  noExternal: [...(build.noExternal ?? []), 'acorn'],
});
