import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

const options = packageBuild({
  index: 'src/index.ts',
  'codec/index': 'src/codec/index.ts',
  'mcp/index': 'src/mcp/index.ts',
  'nwc/index': 'src/nwc/index.ts',
  'stores/kysely': 'src/stores/kysely.ts',
  'testing/index': 'src/testing/index.ts',
});

// Invoices are decoded and their signatures verified by small libraries, which are built in: the package needs nothing more at
// run time.
export default defineConfig({
  ...options,
  noExternal: [...(options.noExternal ?? []), 'light-bolt11-decoder', '@scure/base', /^@noble\//],
});
