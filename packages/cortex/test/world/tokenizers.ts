import fc from 'fast-check';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';

/** The larger count of two real tokenizers. */
export function countTokens(text: string): number {
  const options = { allowedSpecial: 'all' } as const;
  return Math.max(cl100k(text, options).length, o200k(text, options).length);
}

const from = (letters: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: 50, maxLength: 300 }).map((all) => all.join(''));

/** Text that somebody wrote to cost as many tokens as it can, or to confuse. */
export const hostileText = fc.oneof(
  fc.string({ maxLength: 300, unit: 'grapheme' }),
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.string({ maxLength: 300, unit: 'grapheme-ascii' }),
  from('abcdefghijklmnopqrstuvwxyz'),
  from('bfgjkqvwxyz'),
  from('QXZJKVWY'),
  from('q x z j k '),
  from('0123456789abcdef'),
  from('.,;!?()/&%$+-='),
  fc.constantFrom(
    '<|endoftext|>'.repeat(20),
    '\u{1f9d1}\u200d\u{1f680}'.repeat(40),
    'ꙮ'.repeat(200),
    'x '.repeat(150),
  ),
);
