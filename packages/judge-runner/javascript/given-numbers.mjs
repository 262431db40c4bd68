/* Numbers by which the artifact knows functions, objects and symbols of the test, and which of them are those of an earlier test. */

/** @param isInTest false where what is given is shared by several tests */
export function createGivenNumbers(isInTest) {
  /** Functions and objects that the artifact was given, by number. */
  const given = new Map();
  const numbers = new WeakMap();
  /** Numbers of what the running test has given, and of tests that are over: it is no help with the next test. */
  const running = new Set();
  const over = new Set();
  /** Symbols that both boxes know: the artifact's by its numbers, the test's by numbers below zero. */
  const symbols = new Map();
  const numbersOfSymbols = new Map();
  let count = 0;
  /** How to forget what the running test has given. */
  let forgetting = [];
  const forget = (how) => {
    if (isInTest()) forgetting.push(how);
  };
  const next = () => {
    count += 1;
    return count;
  };
  const noteSymbol = (number, part) => {
    symbols.set(number, part);
    numbersOfSymbols.set(part, number);
    return part;
  };

  return {
    /** A number that nothing has yet. */
    next,
    /** Notes how to forget something once the running test is over. */
    forget,
    numberOf(part) {
      if (!numbers.has(part)) {
        const number = next();
        numbers.set(part, number);
        given.set(number, part);
        if (isInTest()) running.add(number);
      }
      const number = numbers.get(part);
      if (over.delete(number)) running.add(number);
      return number;
    },
    has: (number) => given.has(number),
    partOf: (number) => given.get(number),
    isOver: (number) => over.has(number),
    /** True while the artifact has functions or objects of the test. */
    isAny: () => given.size > 0,

    leaveSymbol(part) {
      if (Symbol.keyFor(part) !== undefined) return { $registered: Symbol.keyFor(part) };
      const number = numbersOfSymbols.get(part) ?? -numbersOfSymbols.size - 1;
      if (!symbols.has(number)) forget(() => symbols.delete(number));
      noteSymbol(number, part);
      return { $symbol: [number, part.description ?? ''] };
    },
    /** A symbol of the test, or the artifact's, which is the same each time. */
    symbolOf(number, description) {
      const made = symbols.get(number) ?? Symbol(description);
      // One of an earlier test is another each time.
      return number > 0 ? noteSymbol(number, made) : made;
    },
    beginTest() {
      for (const each of forgetting) each();
      forgetting = [];
      for (const number of running) over.add(number);
      running.clear();
    },
  };
}
