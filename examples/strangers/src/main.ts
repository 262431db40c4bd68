// The relay and the four providers alone, for other agents: `npm run strangers`, until Ctrl-C.
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStrangers } from './strangers.ts';

function end(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '7447' },
        folder: { type: 'string', default: resolve(import.meta.dirname, '../../../.bonafide/strangers') },
      },
    }).values;
  } catch (error) {
    return end(`${(error as Error).message} Options: --port <number>, --folder <path>.`, 2);
  }
}

const { folder, port } = readOptions();
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
  end(`--port ${port} is not a port: give 0 to 65535.`, 2);
const strangers = await startStrangers({ folder, seed: 1, port: Number(port) }).catch((error) =>
  end(`The relay cannot start: ${error.message}. Another port: npm run strangers -- --port 7448`, 1),
);
process.stdout.write(`A relay with ${strangers.count} providers of code: ${strangers.relay}

Create an agent that finds them:

  npm create bonafide@latest my-agent -- --relay ${strangers.relay}

Ctrl-C ends it.
`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await strangers[Symbol.asyncDispose]();
