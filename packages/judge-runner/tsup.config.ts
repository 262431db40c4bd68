import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

const build = packageBuild({
  'humaneval/index': 'src/humaneval/index.ts',
  index: 'src/index.ts',
  // A thread that the judge starts by its file.
  'answer-worker': 'src/answer-worker.ts',
  // Runs in the artifact's box, where nothing can be installed: the parser is part of it.
  analysis: 'javascript/analysis.mjs',
});

export default defineConfig({
  ...build,
  noExternal: [...(build.noExternal ?? []), 'acorn'],
});
