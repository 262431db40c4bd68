import { requireOptions } from '@bonafide/internal';
import { describe, expect, test } from 'vitest';

const required = {
  store: { methods: ['append'], example: 'createMemoryStore()' },
  relays: { methods: [], example: "['wss://relay.example']" },
};
const check = (options: unknown) => requireOptions(options, required, (message) => new RangeError(message));

describe('required options', () => {
  test('complete options pass, with methods of a prototype as well', () => {
    class Store {
      append(): void {}
    }
    expect(() => check({ store: new Store(), relays: [] })).not.toThrow();
  });

  test.each([undefined, null, {}, { store: null }])(
    '%o: every missing option is named with an example',
    (options) => {
      expect(() => check(options)).toThrow(
        new RangeError(
          "options.store: is missing, pass for example createMemoryStore(); options.relays: is missing, pass for example ['wss://relay.example'].",
        ),
      );
    },
  );

  test('an option that throws while it is read', () => {
    const options = {
      relays: [],
      get store(): never {
        throw new Error('this property throws');
      },
    };
    expect(() => check(options)).toThrow(
      new RangeError('options.store: cannot be read, pass for example createMemoryStore().'),
    );
  });

  test('an object without the method, and a text in the place of a list', () => {
    expect(() => check({ store: {}, relays: 'wss://relay.example' })).toThrow(
      new RangeError(
        "options.store: has no method 'append', pass for example createMemoryStore(); options.relays: is not a list, pass for example ['wss://relay.example'].",
      ),
    );
  });
});
