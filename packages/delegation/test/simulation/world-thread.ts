// A thread that runs worlds: gets seeds, and answers each with its report.
import { parentPort } from 'node:worker_threads';
import { simulate } from './simulate.ts';

// Worlds throw many errors on purpose; `--seed` shows them with their stacks.
Error.stackTraceLimit = 0;

parentPort?.on('message', async (seed: number) => {
  parentPort?.postMessage(await simulate(seed));
});
