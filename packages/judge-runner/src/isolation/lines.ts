import type { Readable } from 'node:stream';
import { type Line, lengthOf, shortLineBytes, textOf } from '../line.ts';

/** Bytes of printed output that are kept. */
const excerptBytes = 4096;
/** Bytes of a piece of a long line. */
const pieceBytes = 256 * 1024;

/**
 * Reads lines of at most `maxBytes`. Bytes of a long line are kept in pieces, however small the parts in which they arrive, and
 * are not decoded here.
 * @param onLine - Is called with each line, and once with null at the end or for a line that is too long. Returns false
 * when no further line is wanted: what follows is thrown away unread.
 */
export function readLines(
  stream: Readable,
  maxBytes: number,
  onLine: (line: Line | null, problem: string | null) => boolean,
): void {
  let pieces: Uint8Array[] = [];
  /** Bytes of the last piece that are used. */
  let used = 0;
  let size = 0;
  let wanted = true;
  let ended = false;
  const end = (problem: string | null) => {
    if (ended) return;
    ended = true;
    pieces = [];
    onLine(null, problem);
  };
  const keep = (part: Buffer) => {
    for (let rest = part; rest.length > 0; ) {
      let last = pieces.at(-1);
      if (last === undefined || used === last.length) {
        last = new Uint8Array(pieces.length === 0 ? shortLineBytes : pieceBytes);
        pieces.push(last);
        used = 0;
      }
      const count = Math.min(rest.length, last.length - used);
      last.set(rest.subarray(0, count), used);
      used += count;
      rest = rest.subarray(count);
    }
    size += part.length;
  };
  /** The line whose last part this is. */
  const complete = (part: Buffer): Line => {
    if (size === 0 && part.length <= shortLineBytes) return part.toString('utf8');
    keep(part);
    const whole = pieces.with(-1, pieces.at(-1)?.subarray(0, used) ?? new Uint8Array());
    [pieces, size] = [[], 0];
    return lengthOf(whole) <= shortLineBytes ? textOf(whole) : whole;
  };
  stream.on('data', (data: Buffer) => {
    for (let rest = data; wanted && !ended && rest.length > 0; ) {
      const newline = rest.indexOf(10);
      const part = newline < 0 ? rest : rest.subarray(0, newline);
      if (size + part.length > maxBytes) return end(`an answer of more than ${maxBytes} bytes`);
      if (newline < 0) return keep(part);
      wanted = onLine(complete(part), null);
      rest = rest.subarray(newline + 1);
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
