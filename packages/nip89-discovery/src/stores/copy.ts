/** A copy of JSON and `undefined` through and through: several times as quick as `structuredClone`, which knows much more. */
export function copyOf<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const copied: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    // A stranger's field may have the name of something that objects inherit.
    if (name === '__proto__') {
      Object.defineProperty(copied, name, {
        value: copy((value as Record<string, unknown>)[name]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else copied[name] = copy((value as Record<string, unknown>)[name]);
  }
  return copied;
}
