/** A value as its column keeps it. */
export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Reads what `toJson` wrote; nothing else writes these columns. */
export function fromJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
