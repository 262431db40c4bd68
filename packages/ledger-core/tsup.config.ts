import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default defineConfig(
  packageBuild(
    {
      'adapters/ai-sdk': 'src/adapters/ai-sdk.ts',
      'adapters/langchain': 'src/adapters/langchain.ts',
      'adapters/mcp': 'src/adapters/mcp.ts',
      'adapters/openai': 'src/adapters/openai.ts',
      index: 'src/index.ts',
      'stores/kysely': 'src/stores/kysely.ts',
      'testing/index': 'src/testing/index.ts',
    },
    { perModule: true },
  ),
);
