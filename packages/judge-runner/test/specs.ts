import fc from 'fast-check';
import { decodeValue, encodeValue, type LengthRange, type Value, type ValueSpec } from '../src/index.ts';

const range = fc.tuple(fc.nat(5), fc.nat(5)).map(([low, more]): LengthRange => [low, low + more]);
const length: fc.Arbitrary<LengthRange> = fc.oneof(fc.nat(5), range);
const wide = fc
  .tuple(fc.bigInt(), fc.bigInt({ min: 0n }))
  .map(([low, more]): ValueSpec => ({ int: [String(low), String(low + more)] }));
const narrow = fc.tuple(fc.integer(), fc.nat()).map(([low, more]): ValueSpec => ({ int: [low, low + more] }));
const float = fc
  .tuple(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.double({ noNaN: true, min: 0, max: 1e9 }))
  .map(([low, more]): ValueSpec => ({ float: [low, low + more] }));
const text = fc.record({
  string: fc.string({ minLength: 1, unit: 'grapheme' }),
  length,
});
const scalar: fc.Arbitrary<ValueSpec> = fc.oneof(
  fc.constant<ValueSpec>({ bool: true }),
  ...[wide, narrow, float, text],
  length.map((bytes): ValueSpec => ({ bytes })),
  fc.constant<ValueSpec>({ choice: [1, 'a', null, { $float: '2.0' }] }),
  fc.constant<ValueSpec>({ const: { $tuple: [] } }),
);
const ample = fc.constant<ValueSpec>({ int: [0, 1000] });

/** Any spec that something can be drawn for. */
export const anySpec: fc.Arbitrary<ValueSpec> = fc.letrec<{ spec: ValueSpec }>((tie) => ({
  spec: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.record({ list: tie('spec'), length }),
    fc.record({ list: fc.oneof(wide, narrow, float, text), length, sorted: fc.constant(true) }),
    fc.record({ list: ample, length, unique: fc.constant(true) }),
    fc.record({ set: ample, length }),
    fc.array(tie('spec'), { maxLength: 3 }).map((tuple): ValueSpec => ({ tuple })),
    fc.record({ dict: fc.tuple(ample, tie('spec')), length }),
    fc.array(scalar, { minLength: 1, maxLength: 3 }).map((oneOf): ValueSpec => ({ oneOf })),
  ),
})).spec;

const within = (count: number, allowed: LengthRange): boolean =>
  typeof allowed === 'number' ? count === allowed : count >= allowed[0] && count <= allowed[1];

const same = (left: Value, right: Value): boolean =>
  JSON.stringify(encodeValue(left)) === JSON.stringify(encodeValue(right));

/** Whether a value is one that a spec allows, said a second time. */
export function meetsSpec(value: Value, spec: ValueSpec): boolean {
  if ('const' in spec) return same(value, decodeValue(spec.const));
  if ('choice' in spec) return spec.choice.some((each) => same(value, decodeValue(each)));
  if ('oneOf' in spec) return spec.oneOf.some((each) => meetsSpec(value, each));
  if ('bool' in spec) return typeof value === 'boolean';
  if ('int' in spec)
    return typeof value === 'bigint' && value >= BigInt(spec.int[0]) && value <= BigInt(spec.int[1]);
  if ('float' in spec) return typeof value === 'number' && value >= spec.float[0] && value <= spec.float[1];
  if ('string' in spec)
    return (
      typeof value === 'string' &&
      within([...value].length, spec.length) &&
      [...value].every((character) => [...spec.string].includes(character))
    );
  if (typeof value !== 'object' || value === null) return false;
  if ('bytes' in spec) return value.type === 'bytes' && within(value.hex.length / 2, spec.bytes);
  if ('tuple' in spec)
    return (
      value.type === 'tuple' &&
      value.items.length === spec.tuple.length &&
      spec.tuple.every((each, index) => meetsSpec(value.items[index] ?? null, each))
    );
  if ('dict' in spec)
    return (
      value.type === 'dict' &&
      within(value.entries.length, spec.length) &&
      value.entries.every(([key, item]) => meetsSpec(key, spec.dict[0]) && meetsSpec(item, spec.dict[1]))
    );
  if ('set' in spec)
    return (
      value.type === 'set' &&
      within(value.items.length, spec.length) &&
      value.items.every((item) => meetsSpec(item, spec.set))
    );
  return (
    value.type === 'list' &&
    within(value.items.length, spec.length) &&
    value.items.every((item) => meetsSpec(item, spec.list)) &&
    (!spec.unique || new Set(value.items).size === value.items.length) &&
    (!spec.sorted ||
      typeof value.items[0] === 'string' ||
      value.items.every((item, index) => index === 0 || Number(value.items[index - 1]) <= Number(item)))
  );
}
