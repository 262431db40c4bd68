import type { Readable } from 'node:stream';

/** Bytes of printed output that are kept. */
const excerptBytes = 4096;

/** Reads lines of at most `maxBytes`; calls back with each, and once with null at the end or a line too long. */
export function readLines(
  stream: Readable,
  maxBytes: number,
  onLine: (line: string | null, problem: string | null) => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
  const end = (problem: string | null) => {
    if (ended) return;
    ended = true;
    chunks = [];
    onLine(null, problem);
  };
  stream.on('data', (data: Buffer) => {
    let rest = data;
    while (!ended && rest.length > 0) {
      const newline = rest.indexOf(10);
      const part = newline < 0 ? rest : rest.subarray(0, newline);
      chunks.push(part);
      size += part.length;
      if (size > maxBytes) return end(`an answer of more than ${maxBytes} bytes`);
      if (newline < 0) return;
      const line = Buffer.concat(chunks).toString('utf8');
      chunks = [];
      size = 0;
      rest = rest.subarray(newline + 1);
      onLine(line, null);
    }
  });
  stream.on('end', () => end(null));
  stream.on('close', () => end(null));
}

/** Keeps the beginning of a stream and counts all of it. */
export function excerpt(stream: Readable, onBytes: (count: number) => void): () => string {
  const kept: Buffer[] = [];
  let room = excerptBytes;
  stream.on('data', (data: Buffer) => {
    if (room > 0) kept.push(Buffer.from(data.subarray(0, room)));
    room -= Math.min(room, data.length);
    onBytes(data.length);
  });
  return () => Buffer.concat(kept).toString('utf8');
}
