import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default defineConfig(
  packageBuild({
    index: 'src/index.ts',
    main: 'src/main.ts',
    report: 'src/report.ts',
    stores: 'src/stores.ts',
    terminal: 'src/terminal.ts',
    // A thread that `discover` starts by its file.
    'verify-thread': 'src/verify-thread.ts',
  }),
);
