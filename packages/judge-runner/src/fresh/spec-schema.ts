import * as z from 'zod';
import type { LengthRange, ValueSpec, WholeRange } from '../suite.ts';
import type { TaggedJson } from '../value.ts';

const maxLength = 1_000_000;
const whole = z.union([
  z.int(),
  z
    .string()
    .max(4300)
    .regex(/^[+-]?\d+$/, 'must be a whole number'),
]);
const wholeRange = z
  .tuple([whole, whole])
  .refine(([low, high]) => BigInt(low) <= BigInt(high), 'must go up') satisfies z.ZodType<WholeRange>;
const count = z.int().min(0).max(maxLength);
const length = z.union([
  count,
  z.tuple([count, count]).refine(([low, high]) => low <= high, 'must go up'),
]) satisfies z.ZodType<LengthRange>;

const canBeSorted = (spec: ValueSpec): boolean => 'int' in spec || 'float' in spec || 'string' in spec;

/** A {@link ValueSpec}, given how a suite writes values. */
export function valueSpecSchema(tagged: z.ZodType<TaggedJson>): z.ZodType<ValueSpec> {
  const spec: z.ZodType<ValueSpec> = z.lazy(() =>
    z.union([
      z.strictObject({ const: tagged }),
      z.strictObject({ choice: z.array(tagged).min(1) }),
      z.strictObject({ oneOf: z.array(spec).min(1) }),
      z.strictObject({ bool: z.literal(true) }),
      z.strictObject({ int: wholeRange }),
      z.strictObject({
        float: z.tuple([z.number(), z.number()]).refine(([low, high]) => low <= high, 'must go up'),
      }),
      z.strictObject({ string: z.string().min(1), length }),
      z.strictObject({ bytes: length }),
      z
        .strictObject({
          list: spec,
          length,
          unique: z.boolean().exactOptional(),
          sorted: z.boolean().exactOptional(),
        })
        .refine(
          ({ list, sorted }) => !sorted || canBeSorted(list),
          'can be sorted only when it is of int, float or string',
        ),
      z.strictObject({ tuple: z.array(spec) }),
      z.strictObject({ set: spec, length }),
      z.strictObject({ dict: z.tuple([spec, spec]), length }),
    ]),
  );
  return spec;
}
