import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, describeValue, encodeValue, maxValueDepth, ValueFormatError } from '../src/index.ts';
import { anyValue } from './values.ts';

describe('tagged values', () => {
  it('JDG-5 what is written is read back as the same value, through JSON', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(decodeValue(JSON.parse(JSON.stringify(encodeValue(value))))).toEqual(value);
      }),
    );
  });

  it('JDG-5 plain JSON means what a Python reader expects', () => {
    expect(decodeValue([1, 1.5, 'a', null, true, { k: [] }])).toEqual({
      type: 'list',
      items: [1n, 1.5, 'a', null, true, { type: 'dict', entries: [['k', { type: 'list', items: [] }]] }],
    });
    expect(decodeValue({ $float: '1' })).toBe(1);
    expect(decodeValue({ $float: '-0.0' })).toBe(-0);
    expect(decodeValue({ $int: '-0xff' })).toBe(-255n);
    expect(decodeValue(JSON.parse('{"__proto__": 1}'))).toEqual({
      type: 'dict',
      entries: [['__proto__', 1n]],
    });
  });

  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  it('JDG-5 refuses what has another shape, another depth or another size', () => {
    expect(decodeValue(nested(maxValueDepth))).toBeDefined();
    const wrong: unknown[] = [
      nested(maxValueDepth + 1),
      Array.from({ length: 1_000_001 }, () => 0),
      2 ** 53,
      1e300,
      undefined,
      { $int: '1.5' },
      { $int: 'x' },
      { $int: '9'.repeat(5000) },
      { $float: '' },
      { $float: '1e' },
      { $bytes: 'abc' },
      { $bytes: 'AB' },
      { $complex: ['1'] },
      { $tuple: 1 },
      { $dict: [[1]] },
      { $set: [[1]] },
      { $frozenset: [{ $tuple: [{}] }] },
      { $dict: [[{ $set: [] }, 1]] },
      { $unknown: 1 },
      { $int: '1', b: 2 },
      { $opaque: 'object' },
    ];
    for (const json of wrong)
      expect(() => decodeValue(json), JSON.stringify(json)?.slice(0, 60)).toThrow(ValueFormatError);
    expect(decodeValue({ $opaque: 'object' }, { answers: true })).toEqual({ type: 'opaque', name: 'object' });
  });

  it('JDG-1 describes any value in one bounded text', () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 10, max: 200 }), (value, length) => {
        expect(describeValue(value, length).length).toBeLessThanOrEqual(length);
      }),
    );
    const value = decodeValue([
      1,
      { $float: '2' },
      { $tuple: [null] },
      { a: true },
      { $set: [] },
      { $frozenset: ['x'] },
    ]);
    expect(describeValue(value)).toBe('[1, 2.0, (None,), {"a": True}, set(), frozenset({"x"})]');
    expect(describeValue(10n ** 100_000n)).toMatch(/^<int of about 10000\d digits>$/);
  });
});
