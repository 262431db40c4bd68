import { readFile } from 'node:fs/promises';

let worker: Promise<string> | undefined;

/** The worker that runs in the box. It lies in `python`, beside both `src` and `dist`, and is read once. */
export function readWorker(): Promise<string> {
  worker ??= readFile(new URL('../python/worker.py', import.meta.url), 'utf8');
  return worker;
}
