/** One line to or from a box, without its end: a text, or the UTF-8 bytes of a long line in pieces. */
export type Line = string | readonly Uint8Array[];

/** Lines of at most this number of bytes are texts: decoding them takes no time that matters. */
export const shortLineBytes = 32 * 1024;

/** Returns the length of a line: bytes, or the characters of a text. Pure. */
export const lengthOf = (line: Line): number =>
  typeof line === 'string' ? line.length : line.reduce((sum, { length }) => sum + length, 0);

/** Returns a line as text. A long one takes many milliseconds. Pure. */
export const textOf = (line: Line): string =>
  typeof line === 'string' ? line : Buffer.concat(line).toString('utf8');

/** Returns a text as a line: a long one as bytes, in memory that a thread can hand over to another. Pure. */
export const lineOf = (text: string): Line =>
  text.length <= shortLineBytes ? text : [new TextEncoder().encode(text)];
