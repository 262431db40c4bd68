import { describe, expect, it } from 'vitest';
import { BonafideError, isBonafideError, parseOrThrow } from '../src/index.ts';

const issues = [
  { path: ['limit'], message: 'Too small' },
  { path: ['order', 0], message: 'Invalid option' },
];

describe('parseOrThrow', () => {
  it('X-15 returns what the schema parsed', () => {
    const schema = { safeParse: (value: unknown) => ({ success: true as const, data: Number(value) }) };
    expect(parseOrThrow(schema, '7', 'limit', (message) => new Error(message))).toBe(7);
  });

  it('X-15 X-4 throws the error that the package creates, with every invalid field and the cause', () => {
    const error = { issues };
    const schema = { safeParse: () => ({ success: false as const, error }) };
    const parse = () =>
      parseOrThrow(
        schema,
        {},
        'options',
        (message, options) => new BonafideError('INVALID_INPUT', message, options),
      );
    expect(parse).toThrow('options.limit: Too small; options.order.0: Invalid option.');
    try {
      parse();
    } catch (thrown) {
      expect(isBonafideError(thrown, 'INVALID_INPUT')).toBe(true);
      expect(thrown).toHaveProperty('cause', error);
    }
  });
});
