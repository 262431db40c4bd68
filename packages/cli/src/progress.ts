import type { CliIo } from './io.ts';

/** Shows a line on a terminal while `work` runs, and removes it afterwards. */
export async function whileSaying<T>(io: CliIo, text: string, work: () => T | Promise<T>): Promise<T> {
  if (io.stderr.isTTY === true) io.stderr.write(`${text}…`);
  try {
    return await work();
  } finally {
    if (io.stderr.isTTY === true) io.stderr.write(`\r${' '.repeat(text.length + 1)}\r`);
  }
}
