import { RunningQuantile } from '../statistics/running-quantile.ts';
import { SampleWindow } from '../statistics/window.ts';
import type { JsonValue } from '../store.ts';

/** Names of the single member of an object that stands for something that JSON has no form for. */
const tags = {
  map: '$map',
  set: '$set',
  window: '$window',
  quantile: '$quantile',
  number: '$number',
  frozen: '$frozen',
};
const tagNames: ReadonlySet<string> = new Set([...Object.values(tags), '$object']);

/**
 * Converts plain data with maps, sets, sample windows, running quantiles and infinite numbers to JSON. What
 * {@link decodeState} makes of it is equal; frozen objects stay frozen.
 */
export function encodeState(value: unknown): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { [tags.number]: String(value) };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(encodeState);
  if (value instanceof Map) {
    return { [tags.map]: [...value].map(([key, member]) => [encodeState(key), encodeState(member)]) };
  }
  if (value instanceof Set) return { [tags.set]: [...value].map(encodeState) };
  if (value instanceof SampleWindow) return { [tags.window]: value.toJSON() };
  if (value instanceof RunningQuantile) return { [tags.quantile]: value.toJSON() };
  if (typeof value !== 'object') throw new TypeError(`${typeof value} cannot be in a snapshot`);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): [string, JsonValue] => [name, encodeState(member)]);
  const plain =
    members.length === 1 && tagNames.has(members[0]?.[0] ?? '')
      ? { $object: members as JsonValue }
      : (Object.fromEntries(members) as JsonValue);
  return Object.isFrozen(value) ? { [tags.frozen]: plain } : plain;
}

/** Returns what {@link encodeState} converted. */
export function decodeState(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decodeState);
  const members = Object.entries(value as { readonly [name: string]: JsonValue });
  const [name, content] = members[0] ?? ['', null];
  if (members.length === 1) {
    const list = content as readonly JsonValue[];
    switch (name) {
      case tags.map:
        return new Map(list.map((pair) => (pair as JsonValue[]).map(decodeState) as [unknown, unknown]));
      case tags.set:
        return new Set(list.map(decodeState));
      case tags.window:
        return SampleWindow.from(content as ReturnType<SampleWindow['toJSON']>);
      case tags.quantile:
        return RunningQuantile.from(content as ReturnType<RunningQuantile['toJSON']>);
      case tags.number:
        return Number(content);
      case tags.frozen:
        return Object.freeze(decodeState(content));
      case '$object':
        return Object.fromEntries(
          list.map((pair) => (pair as JsonValue[]).map(decodeState) as [string, unknown]),
        );
    }
  }
  return Object.fromEntries(members.map(([key, member]) => [key, decodeState(member)]));
}
