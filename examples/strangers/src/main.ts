// The relay and the four providers alone, for an agent of your own: `npm run strangers`, until Ctrl-C.
import { resolve } from 'node:path';
import { startStrangers } from './strangers.ts';

const folder = resolve(import.meta.dirname, '../../../.bonafide/strangers');
const strangers = await startStrangers({ folder, seed: 1, port: 7447 });
process.stdout.write(`A relay with ${strangers.count} providers of code: ${strangers.relay}

Create an agent that finds them:

  npm create bonafide@latest my-agent -- --relay ${strangers.relay}

Ctrl-C ends it.
`);
const stop = new Promise((stopped) => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stopped);
});
await stop;
await strangers[Symbol.asyncDispose]();
