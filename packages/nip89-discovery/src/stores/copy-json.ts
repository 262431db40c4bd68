/**
 * Copies JSON values deeply. Returns deeply frozen values as they are. Several times faster than
 * `structuredClone`.
 */
export function copyJson<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.isFrozen(value) && isFrozenWithin(value)) return value;
  if (Array.isArray(value)) return value.map(copy);
  // Spreading keeps a remote field named `__proto__` a plain field, and is fast.
  const copied: Record<string, unknown> = { ...value };
  for (const name in copied) {
    const part = copied[name];
    if (typeof part === 'object' && part !== null) copied[name] = copy(part);
  }
  return copied;
}

function isFrozenWithin(value: object): boolean {
  return Object.values(value).every(
    (part) => typeof part !== 'object' || part === null || (Object.isFrozen(part) && isFrozenWithin(part)),
  );
}
