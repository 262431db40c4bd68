/* The judge's lines: one JSON document per line, questions on fd 3, answers on fd 4. */
import fs from 'node:fs';

const { stringify } = JSON;
// As they are before a test replaces them.
const { readSync, writeSync } = fs;
const { getOwnPropertyDescriptor: getOwn, deleteProperty: remove, defineProperty: define } = Reflect;
// A test may give the artifact the class itself.
const bytesOf = Buffer.from.bind(Buffer);
const joined = Buffer.concat.bind(Buffer);
const chunk = Buffer.alloc(65_536);
/** What was read of the next line, and what was read last and not looked at. */
let pieces = [];
let unread = Buffer.alloc(0);

/** The next line, or null at the end. Blocks: between two questions there is nothing to do. */
export function readLine() {
  for (;;) {
    const newline = unread.indexOf(10);
    pieces.push(newline < 0 ? unread : unread.subarray(0, newline));
    if (newline >= 0) {
      const line = joined(pieces).toString('utf8');
      [pieces, unread] = [[], unread.subarray(newline + 1)];
      return line;
    }
    const count = readChunk();
    if (count === 0) return null;
    unread = bytesOf(chunk.subarray(0, count));
  }
}

/** Reads what has come, at most one chunk, and returns its length: 0 at the end. */
function readChunk() {
  for (;;)
    try {
      return readSync(3, chunk);
    } catch (error) {
      if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
    }
}

/** What all objects have, and all arrays: a method there would speak in the place of each message. */
const ofAll = [Object.prototype, Array.prototype];
/** The text of a message. */
export function textOf(reply) {
  const put = ofAll.flatMap((part) => {
    const found = getOwn(part, 'toJSON');
    return found === undefined ? [] : [[part, found]];
  });
  for (const [part] of put)
    if (!remove(part, 'toJSON')) throw new TypeError('a method of all objects that cannot be removed');
  try {
    return stringify(reply);
  } finally {
    for (const [part, found] of put) define(part, 'toJSON', found);
  }
}

/** Tells something, and returns it as it was sent. */
export function answer(reply) {
  return answerText(textOf(reply));
}

/** Tells a message as its text. */
export function answerText(text) {
  let bytes = bytesOf(`${text}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(4, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  return text;
}
