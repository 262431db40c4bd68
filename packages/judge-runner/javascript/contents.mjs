/* What values of the language hold that are no containers: a look at it tells whether they have changed. */
import { stringify } from './json.mjs';
import { timeIn, toldOfWeb } from './values.mjs';

/** Most bytes that are looked at. */
const maxBytes = 65_536;

const { URL, URLSearchParams, Date: DateOfLanguage } = globalThis;
const bytesOf = (part) =>
  ArrayBuffer.isView(part) ? Buffer.from(part.buffer, part.byteOffset, part.byteLength) : Buffer.from(part);

/** What such a value holds, as text or number; undefined for any other object, and null for one that holds more than is looked at. */
export function contentAsText(part) {
  try {
    return contentOf(part);
  } catch {
    // It has the prototype, and nothing else of one.
    return undefined;
  }
}
function contentOf(part) {
  if (part instanceof DateOfLanguage) return timeIn(part);
  if (part instanceof RegExp) return part.lastIndex;
  if (part instanceof URL) return part.href;
  if (part instanceof URLSearchParams) return part.toString();
  if (ArrayBuffer.isView(part) || part instanceof ArrayBuffer) {
    if (part.byteLength > maxBytes) return null;
    return part.byteLength === 0 ? '' : bytesOf(part).toString('latin1');
  }
  const told = toldOfWeb(part, Object.getPrototypeOf(part));
  return told && stringify(told);
}
