// A thread that runs worlds: gets seeds, and answers each with its report.
import { parentPort } from 'node:worker_threads';
import { simulate } from './simulate.ts';

parentPort?.on('message', async (seed: number) => {
  parentPort?.postMessage(await simulate(seed));
});
