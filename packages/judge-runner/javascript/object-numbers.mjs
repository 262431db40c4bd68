/* Numbers by which both boxes know parts of the artifact, symbols, and what the artifact's functions are called on. */

import { symbolName } from './values.mjs';

/** Longest description of a symbol, in characters. */
const maxDescription = 200;

export function createObjectNumbers() {
  const table = new Map();
  const numbers = new WeakMap();
  /** Symbols that both boxes know, by the number that either has given them. */
  const symbols = new Map();
  const numbersOfSymbols = new Map();
  /** What our functions are called on by the test, by number: it says nothing here, and can be handed back. */
  const selves = new Map();
  const selfNumbers = new WeakMap();
  return {
    /** The number of a part of the artifact, which it has from now on. */
    numberOf(part) {
      let number = numbers.get(part);
      if (number === undefined) {
        number = table.size;
        table.set(number, part);
        numbers.set(part, number);
      }
      return number;
    },
    /** The number of a part that has one already; undefined for any other. */
    known: (part) => numbers.get(part),
    partOf: (number) => table.get(number),

    leaveSymbol(part) {
      if (Symbol.keyFor(part) !== undefined)
        return { $registered: Symbol.keyFor(part).slice(0, maxDescription) };
      if (!numbersOfSymbols.has(part)) {
        numbersOfSymbols.set(part, numbersOfSymbols.size + 1);
        symbols.set(numbersOfSymbols.size, part);
      }
      return {
        $symbol: [numbersOfSymbols.get(part), String(part.description ?? '').slice(0, maxDescription)],
      };
    },
    /** How a symbol is called under which an object of the test has something; undefined for one that only we know. */
    nameOfSymbol(part) {
      const registered = Symbol.keyFor(part);
      if (registered !== undefined)
        return registered.startsWith('nodejs.') ? undefined : symbolName({ $registered: registered });
      return numbersOfSymbols.has(part) ? symbolName(this.leaveSymbol(part)) : undefined;
    },
    enterSymbol([number, description]) {
      if (!symbols.has(number)) {
        symbols.set(number, Symbol(description));
        numbersOfSymbols.set(symbols.get(number), number);
      }
      return symbols.get(number);
    },

    selfOf(number) {
      if (!selves.has(number)) {
        const self = Object.freeze(new (class Self {})());
        selves.set(number, self);
        selfNumbers.set(self, number);
      }
      return selves.get(number);
    },
    /** The number of what a function was called on; undefined for any other object. */
    selfNumber: (part) => selfNumbers.get(part),
  };
}
