import { isFlag, isListOf, isOptions, isRecord, isText, optional, requireValid } from '@bonafide/internal';
import { expect, it } from 'vitest';

const shape = isOptions({
  name: isText,
  flags: optional(isListOf(isFlag)),
  at: optional(isRecord({ id: isText })),
});
const check = (value: unknown) => requireValid(value, shape, 'options', (message) => new RangeError(message));

it('returns a valid value itself, also one of a class', () => {
  class Options {
    name = 'x';
    at = { id: 'a', other: 1 };
  }
  const options = new Options();
  expect(check(options)).toBe(options);
});

it('names every invalid and unknown field', () => {
  expect(() => check({ name: 5, flags: [true, 'no'], at: {}, flag: true })).toThrow(
    new RangeError(
      'options.name: must be a text; options.flags.1: must be true or false; options.at.id: must be a text; options.flag: is not an option.',
    ),
  );
});

it.each([null, 5, 'x', []])('refuses %o', (value) => {
  expect(() => check(value)).toThrow(new RangeError('options: must be an object.'));
});

it('refuses what cannot be read', () => {
  const unreadable = {
    get name(): never {
      throw new Error('this property throws');
    },
  };
  expect(() => check(unreadable)).toThrow('options: cannot be read, because a property of it throws.');
});
