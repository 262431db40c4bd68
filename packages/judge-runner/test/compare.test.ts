import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAnswer, decodeValue, type TaggedJson } from '../src/index.ts';
import { anyValue } from './values.ts';

const equal = (answer: TaggedJson, expected: TaggedJson, rule = {}) =>
  compareAnswer(decodeValue(answer, { answers: true }), decodeValue(expected), rule) === null;

describe('comparing answers', () => {
  it('JDG-4 a value equals itself under every rule', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        for (const rule of [{}, { match: 'same' as const }, { order: 'any' as const }, { tolerance: 0 }])
          expect(compareAnswer(value, value, rule)).toBeNull();
      }),
    );
  });

  it("JDG-4 is Python's ==", () => {
    const yes: [TaggedJson, TaggedJson][] = [
      [1, { $float: '1' }],
      [true, 1],
      [false, { $float: '-0.0' }],
      [{ $set: [1, 2] }, { $frozenset: [2, true] }],
      [
        { b: 1, a: [2] },
        { a: [2], b: true },
      ],
      [{ $dict: [[1, 'x']] }, { $dict: [[true, 'x']] }],
      [{ $complex: ['1', '0'] }, 1],
      [{ $float: 'nan' }, { $float: 'nan' }],
      [{ $int: '0x20000000000000' }, { $float: '9007199254740992' }],
      [{ $int: '1000000000000000000000' }, { $float: '1e21' }],
    ];
    const no: [TaggedJson, TaggedJson][] = [
      [[1], { $tuple: [1] }],
      ['1', 1],
      ['', null],
      [0, null],
      [{ $bytes: '61' }, 'a'],
      [{ $set: [] }, {}],
      [
        [1, 2],
        [2, 1],
      ],
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ $int: '9007199254740993' }, { $float: '9007199254740992' }],
      [{ $float: 'inf' }, { $float: '-inf' }],
      [{ $float: 'nan' }, 1],
      [{ $opaque: 'E' }, 1],
      [[{ $opaque: 'E' }], []],
      [['a', 'b'], ['a|s1:b']],
      [['ab'], ['a', 'b']],
    ];
    for (const [left, right] of yes) expect(equal(left, right), JSON.stringify([left, right])).toBe(true);
    for (const [left, right] of no) expect(equal(left, right), JSON.stringify([left, right])).toBe(false);
  });

  it('JDG-4 an opaque answer equals nothing and is neither true nor false', () => {
    for (const rule of [{}, { match: 'same' }, { order: 'any' }, { tolerance: 1 }]) {
      for (const expected of [null, true, 0, '', [], {}])
        expect(equal({ $opaque: 'E' }, expected, rule)).toBe(false);
    }
    expect(equal({ $opaque: 'E' }, true, { match: 'truth' })).toBe(false);
    expect(equal({ $opaque: 'E' }, false, { match: 'truth' })).toBe(false);
  });

  it("JDG-14 'same' tells types apart at every level", () => {
    expect(equal(1, true, { match: 'same' })).toBe(false);
    expect(equal([1], [{ $float: '1' }], { match: 'same' })).toBe(false);
    expect(equal({ $set: [1] }, { $frozenset: [1] }, { match: 'same' })).toBe(false);
    expect(equal({ a: [1] }, { a: [1] }, { match: 'same' })).toBe(true);
  });

  it("JDG-14 'truth' is Python's", () => {
    for (const json of [1, 'x', [0], { a: 1 }, { $float: 'nan' }, { $bytes: '00' }, true])
      expect(equal(json, true, { match: 'truth' })).toBe(true);
    for (const json of [0, '', [], {}, { $float: '-0.0' }, { $tuple: [] }, { $bytes: '' }, null, false])
      expect(equal(json, false, { match: 'truth' })).toBe(true);
    expect(equal(0, true, { match: 'truth' })).toBe(false);
  });

  it('JDG-14 a tolerance tells whole numbers beyond 2^53 apart', () => {
    expect(compareAnswer(2n ** 60n + 1n, 2n ** 60n, { tolerance: 1e-9 })).not.toBeNull();
    expect(compareAnswer(2n ** 60n + 1n, 2n ** 60n, { tolerance: 1 })).toBeNull();
  });

  it('JDG-14 a reason shows what a terminal would act on in escaped form', () => {
    expect(compareAnswer('\u202e\u009b31m\u200b', 'x')).toBe('expected "x", got "\\u202e\\u009b31m\\u200b"');
  });

  it('JDG-14 a tolerance holds for every number inside, and for nothing else', () => {
    expect(equal([1.1, { a: 2 }], [1, { a: 2.05 }], { tolerance: 0.11 })).toBe(true);
    expect(equal([1.1], [1], { tolerance: 0.09 })).toBe(false);
    expect(equal(101, 100, { tolerance: { relative: 0.01 } })).toBe(true);
    expect(equal(102, 100, { tolerance: { relative: 0.01 } })).toBe(false);
    expect(equal([1], [1, 1], { tolerance: 1 })).toBe(false);
    expect(equal([1, 1], [1], { tolerance: 1 })).toBe(false);
    expect(equal({ $tuple: [1] }, [1], { tolerance: 1 })).toBe(false);
    expect(equal('a', 'b', { tolerance: 100 })).toBe(false);
    expect(equal({ $float: 'nan' }, 1, { tolerance: 100 })).toBe(false);
    expect(equal({ $float: 'inf' }, { $float: 'inf' }, { tolerance: 0 })).toBe(true);
    expect(equal({ $float: 'inf' }, 1, { tolerance: { relative: 1 } })).toBe(false);
    expect(equal({ a: 1, b: 1 }, { a: 1 }, { tolerance: 1 })).toBe(false);
  });

  it("JDG-14 order 'any' compares as often as each element occurs", () => {
    expect(equal([2, 1, 1], [1, 2, 1], { order: 'any' })).toBe(true);
    expect(equal([2, 2, 1], [1, 2, 1], { order: 'any' })).toBe(false);
    expect(equal([[1, 2]], [[2, 1]], { order: 'any' })).toBe(false);
    expect(equal({ $tuple: [1, 2] }, [2, 1], { order: 'any' })).toBe(false);
  });
});
