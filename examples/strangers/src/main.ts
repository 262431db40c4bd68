// The relay and the four providers alone, for other agents: `npm run strangers`, until Ctrl-C.
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStrangers } from './strangers.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '7447' },
    folder: { type: 'string', default: resolve(import.meta.dirname, '../../../.bonafide/strangers') },
  },
});
const { folder, port } = values;
const strangers = await startStrangers({ folder, seed: 1, port: Number(port) }).catch((error) => {
  process.stderr.write(`The relay cannot start: ${error.message}\n`);
  process.exit(1);
});
process.stdout.write(`A relay with ${strangers.count} providers of code: ${strangers.relay}

Create an agent that finds them:

  npm create bonafide@latest my-agent -- --relay ${strangers.relay}

Ctrl-C ends it.
`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await strangers[Symbol.asyncDispose]();
