import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteLength, composeId, isStorableId, maxComposedIdBytes } from '../src/index.ts';

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.stringMatching(/^[\w:#.]{0,6}$/u),
  fc.constantFrom('', ':', 'a:b', '#', 'a'.repeat(511)),
);

it('composes identifiers that every store takes, whatever the parts are (DLG-10)', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const id = composeId('policy', ...parts);
      expect(byteLength(id)).toBeLessThanOrEqual(maxComposedIdBytes);
      expect(isStorableId(id)).toBe(true);
      expect(composeId('policy', ...parts)).toBe(id);
    }),
  );
});

it('gives different identifiers for different parts, wherever their separators are (DLG-10)', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 4 }), (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(composeId('a', 'x', ...one)).not.toBe(composeId('a', 'x', ...other));
    }),
  );
  expect(composeId('a', 'b:c', 'd')).not.toBe(composeId('a', 'b', 'c:d'));
});

it('stays readable for plain parts', () => {
  expect(composeId('trial', 'code', 'HumanEval/7')).toBe('trial:code:HumanEval/7');
});

it('tells identifiers from other text', () => {
  expect(['a', 'a b', 'é:#', 'x'.repeat(512)].every(isStorableId)).toBe(true);
  expect(['', 'a\u0001', 'a\nb', '\ud800', 'é'.repeat(257)].some(isStorableId)).toBe(false);
});
