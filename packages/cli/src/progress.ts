import type { CliIo } from './io.ts';

/** A line on the terminal while something takes its time; gone when it is done. */
export async function whileSaying<T>(io: CliIo, text: string, work: () => T | Promise<T>): Promise<T> {
  if (io.stderr.isTTY === true) io.stderr.write(`${text}…`);
  try {
    return await work();
  } finally {
    if (io.stderr.isTTY === true) io.stderr.write(`\r${' '.repeat(text.length + 1)}\r`);
  }
}
