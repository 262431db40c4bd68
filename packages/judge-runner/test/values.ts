import fc from 'fast-check';
import type { Value } from '../src/index.ts';

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.bigInt(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.record({
    type: fc.constant('bytes' as const),
    hex: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('hex')),
  }),
  fc.record({ type: fc.constant('complex' as const), real: fc.double(), imaginary: fc.double() }),
);

/** Any value that has a written form. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.record({
      type: fc.constantFrom('list' as const, 'tuple' as const),
      items: fc.array(tie('value'), { maxLength: 4 }),
    }),
    fc.record({
      type: fc.constantFrom('set' as const, 'frozenset' as const),
      items: fc.array(scalar, { maxLength: 4 }),
    }),
    fc.record({
      type: fc.constant('dict' as const),
      entries: fc.array(fc.tuple(scalar, tie('value')), { maxLength: 4 }),
    }),
  ),
})).value;
