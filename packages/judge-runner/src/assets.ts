import { readFile } from 'node:fs/promises';

/** What the package ships beside its JavaScript. Both `src` and `dist` lie next to `python`. */
export function readWorker(): Promise<string> {
  return readFile(new URL('../python/worker.py', import.meta.url), 'utf8');
}
