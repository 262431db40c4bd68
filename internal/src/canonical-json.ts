/**
 * Serializes a value as canonical JSON for hashing and signing: members sorted by UTF-16 code units, no white
 * space, numbers and texts as `JSON.stringify` writes them (RFC 8785). Members that are `undefined` are left
 * out. Throws a TypeError for a number that JSON cannot hold, since `null` in its place would hide the loss.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${typeof value} is not JSON`);
  return text;
}
