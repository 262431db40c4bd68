/*
 * The places in a suite's files at which an artifact is asked for something, and what the reference did there. What a reference needed at
 * a place is believed there.
 */

/** Where the tester's own modules lie: what they call is no helper of the suite. */
const own = new URL('.', import.meta.url).href;
/** Most functions of the suite in each other that tell a place from another. */
const maxHelpers = 10;

/**
 * @param suite folder of the suite
 * @param texts its files by name
 * @param shapes places that the reference's run has noted; null without a reference
 * @param learn true while the reference runs
 * @param callees exports that the files call, by `file:line:column`
 * @param doubted places of calls of which the truth alone is asserted
 */
export function createSites({ suite, texts, shapes, learn, callees, doubted }) {
  const known = shapes === null ? null : new Set(shapes);
  const learntPlaces = new Set();
  /** Places with tests at which the reference answered objects, and plain values: place, test. */
  const actingPlaces = new Set();
  const plainPlaces = new Map();
  /** Where tests convert what the suite shows to be an object, and assertions that keep nothing of what they convert. */
  let conversions = { answers: [], assertions: [] };
  let test = '';
  /**
   * The place of what arrives while no line of the suite waits for it, `shared` and `exact`: a function of the test that is given something now,
   * wherever and whenever the artifact calls it, or a promise that ends.
   */
  let receiver = null;
  /** What is asked for now: the place where no line of the suite stands, as the language or Node asks (`Array.fromAsync`, `promisify`). */
  let asked = null;

  const linesOfStack = () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 60;
    const { stack } = new Error();
    Error.stackTraceLimit = limit;
    return stack.split('\n');
  };
  const isOfSuite = (line) => line.includes(`${suite}/`);
  const standingIn = (line) => line.slice(line.indexOf(`${suite}/`) + suite.length + 1).replace(/\)$/, '');
  /** Where the suite's own text stands on the stack, as `file:line:column`; undefined where it does not. */
  const standing = (outer) => {
    const line = linesOfStack()
      .filter(isOfSuite)
      .at(outer ? -1 : 0);
    return line === undefined ? undefined : standingIn(line);
  };
  const elsewhere = () => (asked === null ? null : `elsewhere ${asked}@${test}`);
  /** The place at which something is asked; `outer`: the one in the test's own function. */
  const place = (op, outer = false) => {
    const found = receiver?.shared ?? standing(outer) ?? elsewhere();
    return found === null ? null : `${found}:${op}`;
  };
  /** The places at which functions of the suite have called each other; null where none is running. */
  const calls = () => {
    const lines = linesOfStack();
    const first = lines.findIndex(isOfSuite);
    if (first === -1) return null;
    const inner = lines.slice(first);
    // Whether a function of the test is called at once or later is left to the artifact.
    const end = inner.findIndex(
      (line, index) => index > 0 && (line.includes(own) || line.includes(' at async ')),
    );
    const helpers = inner.slice(0, end === -1 ? undefined : end).filter(isOfSuite);
    return helpers.slice(0, maxHelpers).map(standingIn).join('<');
  };
  /** The same place with those at which functions of the suite have called each other, and the test. */
  const placeInTest = (op) => {
    const exact = receiver?.exact ?? calls() ?? elsewhere();
    return exact === null ? null : `${exact}:${op}@${test}`;
  };
  /** Lets something arrive at a place, or at one for all tests and one for this test. */
  const receivingAt = (shared, work, exact = shared, isLater = false) => {
    const outer = receiver;
    receiver = shared === null ? null : { shared, exact, isLater };
    try {
      return work();
    } finally {
      receiver = outer;
    }
  };

  return {
    isLearning: learn,
    hasReference: known !== null,
    /** True where places decide, and not the rules for suites without a reference. */
    isGuided: learn || known !== null,
    place,
    /** The export that the suite calls now: null where it calls something else, undefined where it calls nothing by itself. */
    callee: () => callees.get(standing(false)),
    /** True where the suite asserts no more than the truth of what a method says now of what it is given. */
    isDoubted: () => doubted.has(standing(false)),
    /** True for a place that the reference's run has noted. */
    isKnown: (each) => known?.has(each) === true,
    test: () => test,
    /** Lets an argument of a function of the test arrive: its place is where the function stands, and not where the artifact happens to call it. */
    receiving(called, index, work) {
      const text = Function.prototype.toString.call(called);
      const found = [...texts].find(([, each]) => each.includes(text));
      // One of Node's, as `promisify` makes it, is told from others by the place of its argument alone.
      const at = found === undefined ? 'elsewhere' : `${found[0]}@${found[1].indexOf(text)}`;
      const shared = `${at}#${index}@${test}`;
      return receivingAt(shared, work, shared, found === undefined);
    },
    /** Lets a value that a module exports arrive: no test asks for it. */
    exporting: (module, name, work) => receivingAt(`export ${module}#${name}`, work),
    /** Asks for something, of which `what` is the place where no line of the suite stands. */
    asking(what, work) {
      const outer = asked;
      asked = what;
      try {
        return work();
      } finally {
        asked = outer;
      }
    },
    /**
     * How what a promise ends with arrives, which the test is given now: at the place of the promise, as no line of the suite stands anywhere when it
     * ends. `later` tells it from what is there at once.
     */
    promising() {
      const shared = place('');
      const exact = receiver?.exact ?? calls() ?? elsewhere();
      if (!(learn || known !== null) || shared === null) return (work) => work();
      return (work) => receivingAt(`later ${shared}`, work, `later ${exact}`, true);
    },
    /** True where what arrives may be compared anywhere: no line of the suite stands where it arrives. */
    isAwaited: () => (receiver === null ? standing(false) === undefined : receiver.isLater),

    beginTest(id) {
      test = id;
    },
    /** True where the reference did this at the same place; without a reference, what the rules say. */
    allows(op, otherwise) {
      if (learn) {
        learntPlaces.add(place(op));
        actingPlaces.add(`${place(op)}@${test}`);
        return true;
      }
      if (known === null) return otherwise;
      // A place that several tests share answered an object in some of them only.
      return known.has(place(op)) && !known.has(`${place(op)}@${test}`);
    },
    /** True where the reference did this at the same place of the same test, and of the helpers of the suite that it went through. */
    allowsAtCall(op) {
      if (!learn) return known?.has(placeInTest(op)) === true;
      learntPlaces.add(place(op)).add(placeInTest(op));
      return true;
    },
    /** True where this happened in the reference's run of the same test. */
    allowsInTest(op) {
      const shape = `${op}@${test}`;
      if (learn) learntPlaces.add(shape);
      return learn || known?.has(shape) === true;
    },
    noteConversions(found) {
      conversions = found;
    },
    /** True at a place at which the suite converts an answer that its files show to be an object. */
    showsObject() {
      const [file, line] = (place('') ?? '').split(':');
      return conversions.answers.some(
        (each) =>
          each.test === test && each.file === file && each.line <= Number(line) && Number(line) <= each.last,
      );
    },
    /** The assertion of the running test that converts something now and keeps nothing of it; null for any other statement. */
    assertion() {
      const [file, line, column] = (place('', true) ?? '').split(':');
      const isBefore = (one, other) => one[0] < other[0] || (one[0] === other[0] && one[1] <= other[1]);
      const now = [Number(line), Number(column)];
      const isHere = (each) => each.test === test && each.file === file;
      return (
        conversions.assertions.find(
          (each) => isHere(each) && isBefore(each.begin, now) && isBefore(now, each.end),
        ) ?? null
      );
    },
    /** Notes that a call of the reference came back. */
    noteAnswer() {
      if (learn) plainPlaces.set(`${place('object')}@${test}`, place('object'));
    },
    /** True while a getter runs whose value the suite calls at once, as a method: `answer.check(9)`. */
    isMethodCall() {
      const [file, line, column] = (place('') ?? '').split(':');
      const text =
        texts
          .get(file)
          ?.split('\n')
          .slice(line - 1)
          .join('\n')
          .slice(column - 1) ?? '';
      return /^(?:\?\.|\.)?\[?\s*(?:[\w$]+|(['"`])[^'"`]*\1\s*\])\s*(?:\?\.)?\s*\(/.test(text);
    },
    /** The places that were noted with the reference. */
    learnt: () => [
      ...[...learntPlaces].filter((each) => each !== null),
      ...[...plainPlaces].flatMap(([each, shared]) =>
        learntPlaces.has(shared) && !actingPlaces.has(each) ? [each] : [],
      ),
    ],
  };
}
