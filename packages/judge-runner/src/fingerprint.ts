import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters or bytes that are hashed in one turn of the event loop, which a large suite would stall. */
const turnSize = 256 * 1024;

/** The JSON of a text in parts: a character of two code units is never cut in half. */
function* textParts(text: string): Generator<string> {
  if (text.length <= turnSize) return yield JSON.stringify(text);
  yield '"';
  for (let start = 0; start < text.length; ) {
    const next = start + turnSize;
    const end = (text.codePointAt(next - 1) ?? 0) > 0xffff ? next + 1 : next;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** The JSON of a value in parts, and binary files as they are. */
function* partsOf(value: unknown): Generator<string | Uint8Array> {
  if (typeof value === 'string') yield* textParts(value);
  else if (value instanceof Uint8Array) yield value;
  else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* partsOf(item);
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    yield '{';
    let separator = '';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined || typeof item === 'function') continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* partsOf(item);
      separator = ',';
    }
    yield '}';
  } else yield JSON.stringify(value) ?? 'null';
}

async function addBytes(hash: Hash, content: Uint8Array): Promise<void> {
  for (let start = 0; start < content.length; start += turnSize) {
    hash.update(content.subarray(start, start + turnSize));
    await nextTurn();
  }
}

/**
 * SHA-256 of a value as JSON, in which binary files stand as their SHA-256, in many turns of the event loop. The value must not
 * be changed meanwhile.
 * @returns Lower-case hex.
 */
export async function fingerprint(value: unknown): Promise<string> {
  const hash = createHash('sha256');
  let pending = '';
  for (const part of partsOf(value)) {
    if (typeof part === 'string') pending += part;
    else {
      const own = createHash('sha256');
      await addBytes(own, part);
      pending += `{"sha256":"${own.digest('hex')}"}`;
    }
    if (pending.length < turnSize) continue;
    hash.update(pending);
    pending = '';
    await nextTurn();
  }
  return hash.update(pending).digest('hex');
}
