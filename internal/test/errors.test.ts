import { describe, expect, it } from 'vitest';
import { BonafideError, isBonafideError } from '../src/index.ts';

class ShopError extends BonafideError<'SHOP_CLOSED' | 'SHOP_EMPTY'> {}

describe('BonafideError', () => {
  it('X-4 carries a stable code, its own name, the message and the cause', () => {
    const cause = new Error('lights out');
    const error = new ShopError('SHOP_CLOSED', 'Come back tomorrow.', { cause });
    expect(error).toMatchObject({
      name: 'ShopError',
      code: 'SHOP_CLOSED',
      message: 'Come back tomorrow.',
      cause,
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('X-4 is recognised by its mark, not by the copy of the class that made it', () => {
    const error = new ShopError('SHOP_EMPTY', 'Nothing left.');
    expect(isBonafideError(error)).toBe(true);
    expect(isBonafideError(error, 'SHOP_EMPTY')).toBe(true);
    expect(isBonafideError(error, 'SHOP_CLOSED')).toBe(false);
    const fromAnotherCopy = Object.assign(new Error('foreign'), {
      [Symbol.for('bonafide.error')]: true,
      code: 'X',
    });
    expect(isBonafideError(fromAnotherCopy, 'X')).toBe(true);
  });

  it.each([undefined, null, 'text', 7, {}, new Error('plain')])('X-4 does not claim %s', (value) => {
    expect(isBonafideError(value)).toBe(false);
  });
});
