// The relay and the four providers alone, for other agents: `npm run strangers`, until Ctrl-C.
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { acquireWriter, isBonafideError } from '@bonafide/storage';
import { startStrangers } from './strangers.ts';

function end(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

const defaults = { port: '7447', folder: resolve(import.meta.dirname, '../../../.bonafide/strangers') };
const help = `Starts a relay and four providers of code on this machine, for an agent from create-bonafide. Ctrl-C ends them.

Usage: npm run strangers [-- --port <number>] [--folder <path>]

  --port <number>  port of the relay on 127.0.0.1, 0 for any that is free (default: ${defaults.port})
  --folder <path>  folder of events and keys, so that the same providers come back (default: .bonafide/strangers)
  --help           print this

Exit codes: 0 success, 1 the relay cannot start, 2 the command line is wrong
`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: defaults.port },
        folder: { type: 'string', default: defaults.folder },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return end(`${(error as Error).message} (see --help)`, 2);
  }
}

/** Reserves the folder for this process, and creates it. */
function reserve(folder: string) {
  try {
    return acquireWriter({ path: folder });
  } catch (error) {
    const isUsed = isBonafideError(error, 'WRITER_ACTIVE');
    return end(
      isUsed
        ? `A relay runs in ${folder} already. Another one: npm run strangers -- --folder <path> --port 7448`
        : `${folder} cannot be used: ${(error as Error).message} Another folder: npm run strangers -- --folder <path>`,
      1,
    );
  }
}

const { folder, port, help: isHelp } = readOptions();
if (isHelp) {
  process.stdout.write(help);
  process.exit(0);
}
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
  end(`--port ${port} is not a port: give 0 to 65535. (see --help)`, 2);
using _lock = reserve(resolve(folder));
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
