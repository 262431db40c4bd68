/* The judge's lines: one JSON document per line, questions on fd 3, answers on fd 4. */
import { readSync, writeSync } from 'node:fs';

const { stringify } = JSON;
let pending = Buffer.alloc(0);

/** The next line, or null at the end. Blocks: between two questions there is nothing to do. */
export function readLine() {
  const chunk = Buffer.alloc(65_536);
  for (;;) {
    const newline = pending.indexOf(10);
    if (newline >= 0) {
      const line = pending.subarray(0, newline).toString('utf8');
      pending = pending.subarray(newline + 1);
      return line;
    }
    let count;
    try {
      count = readSync(3, chunk);
    } catch (error) {
      if (error.code === 'EAGAIN' || error.code === 'EINTR') continue;
      throw error;
    }
    if (count === 0) return null;
    pending = Buffer.concat([pending, chunk.subarray(0, count)]);
  }
}

/** Tells something, and returns it as it was sent. */
export function answer(reply) {
  const text = stringify(reply);
  let bytes = Buffer.from(`${text}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(4, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  return text;
}
