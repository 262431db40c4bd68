/*
 * The places in a suite's files at which an artifact is asked for something, and what the reference did there. What a reference needed at
 * a place is believed there.
 */

import { createHash } from 'node:crypto';
import { handles } from './handles.mjs';

/** Where the tester's own modules lie: what they call is no helper of the suite. */
const own = new URL('.', import.meta.url).href;
/** Most functions of the suite in each other that tell a place from another. */
const maxHelpers = 10;

/** True for a value that holds no object, function or error: nothing that could act, now or as it did before. */
function isPlain(value, depth = 0) {
  if (Object(value) !== value) return true;
  if (handles.has(value) || typeof value === 'function' || value instanceof Error || depth > 6) return false;
  const parent = Object.getPrototypeOf(value);
  const isPart = (part) => isPlain(part, depth + 1);
  if (Array.isArray(value) || parent === Set.prototype) return [...value].every(isPart);
  if (parent === Map.prototype) return [...value].flat().every(isPart);
  if (parent !== Object.prototype && parent !== null) return true;
  const shapes = Object.values(Object.getOwnPropertyDescriptors(value));
  return shapes.every((shape) => 'value' in shape && isPart(shape.value));
}

/** Most uses of objects at visits of one place. */
const maxVisits = 2000;
/** Most texts that a reference leads a suite to run, which are noted. */
const maxCodes = 10_000;

/** Most kinds of values that are noted of one place. */
const maxKinds = 3;

const shortened = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/**
 * @param suite folder of the suite
 * @param texts its files by name
 * @param shapes places that the reference's run has noted; null without a reference
 * @param learn true while the reference runs
 * @param callees exports that the files call, by `file:line:column`
 * @param doubted places of calls of which the truth alone is asserted
 * @param owners exports of which a property is read, by place
 * @param unused places of calls of which nothing is used
 */
export function createSites({ suite, texts, shapes, learn, callees, doubted, owners, unused }) {
  const called = new Set(callees.values());
  const known = shapes === null ? null : new Set(shapes);
  const learntPlaces = new Set();
  let codes = 0;
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
  /** Where functions and objects of the test were given first in a test, by one of them: `test`, `key`, and their `number` among those of that key. */
  const givenAt = new WeakMap();
  const givenCounts = new Map();
  /** How often an argument has arrived at a place, and what the reference did there: visits with objects, and with plain values. */
  const visitCounts = new Map();
  const visitsOf = new Map();
  /** What the reference answered at places of tests, in words. */
  const kinds = new Map();
  /** The visit of the place that is running, as text. */
  let visit = '';
  /** Each run of a test that draws its inputs has other visits. */
  const isDrawing = [...texts.values()].some((text) => text.includes('JUDGE_SEED'));
  /** What is given now: its place, and how many functions and objects it has; null where nothing is known. */
  let giving = null;
  /** The function of the test that the artifact has called and that is running, by where it was given; empty for none. */
  let running = '';
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
  /**
   * The places at which functions of the suite have called each other, from the inner one; null where there is none. Where the artifact has called
   * one, the place at which that was given: whether it is called at once or later is left to the artifact.
   */
  const placeWithHelpers = () => {
    const lines = linesOfStack();
    const first = lines.findIndex(isOfSuite);
    if (first === -1) return null;
    const inner = lines.slice(first);
    const end = inner.findIndex(
      (line, index) => index > 0 && (line.includes(own) || line.includes(' at async ')),
    );
    const helpers = inner.slice(0, end === -1 ? undefined : end).filter(isOfSuite);
    return [...helpers.slice(0, maxHelpers).map(standingIn), ...(running === '' ? [] : [running])].join('<');
  };
  /** The same place with those at which functions of the suite have called each other, and the test. */
  const placeInTest = (op) => {
    const exact = receiver?.exact ?? placeWithHelpers() ?? elsewhere();
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
  const textPlaces = new Map();
  /** Where the text of a function stands; undefined for those of the language, bound ones and mocks. */
  const placeOfText = (called) => {
    const text = Function.prototype.toString.call(called);
    if (!textPlaces.has(text)) {
      const found = [...texts].find(([, each]) => each.includes(text));
      textPlaces.set(text, found && `${found[0]}@${found[1].indexOf(text)}`);
    }
    return textPlaces.get(text);
  };
  const keyOf = (part) => givenAt.get(part)?.key ?? '';
  const counted = (counts, key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key);
  };
  const mixed = (place) => `mixed ${place}`;
  const atVisit = (place) => `${place} ${visit}`;
  /** Notes what the reference does with an argument that arrives. */
  const noteVisit = (place) => {
    const visits = visitsOf.get(receiver?.shared);
    if (visits === undefined) return;
    visits.isActing = true;
    if (visits.acting.size < maxVisits) visits.acting.add(atVisit(place));
  };
  /** False for an argument that the reference was given as an object at other visits of the place only. */
  const isVisited = (place) =>
    receiver === null || !known.has(mixed(receiver.shared)) || known.has(atVisit(place));
  /** True where the reference did this at the same place of the same test. */
  const isInTest = (op) => {
    if (!learn && known === null) return false;
    const exact = placeInTest(op);
    if (!learn) return known.has(exact) && isVisited(exact);
    noteVisit(exact);
    learntPlaces.add(exact);
    return true;
  };
  /** Places that held objects at some visits and plain values at others, and those of the objects. */
  const learntVisits = () =>
    [...visitsOf].flatMap(([place, { acting, plain }]) =>
      plain && acting.size > 0 && !isDrawing ? [mixed(place), ...acting] : [],
    );

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
    /** The export of which the suite reads a property now, by its name; undefined where it reads one of anything else. */
    owner: () => owners.get(standing(false)),
    /** True for an export that the suite calls as a function. */
    isCalled: (name) => called.has(name),
    /** True where the suite uses nothing of what it calls now. */
    isUnused: () => unused.has(standing(false)),
    /** True for a place that the reference's run has noted. */
    isKnown: (each) => known?.has(each) === true,
    test: () => test,
    /**
     * Lets values of the test leave, from a place or from where it stands now. Functions of one text, and those that have none, are known by the place
     * at which they were given, and by their number among what is given there.
     * @param isCounted false where the artifact decides how many leave at once
     */
    giving(place, work, isCounted = true) {
      const outer = giving;
      giving = { place, count: 0, isCounted };
      try {
        return work();
      } finally {
        giving = outer;
      }
    },
    /** Notes a function or an object of the test that leaves. */
    noteGiven(part) {
      if (!learn && known === null) return;
      const now = giving ?? { place: null, count: 0, isCounted: true };
      if (now.isCounted) now.count += 1;
      if (givenAt.get(part)?.test === test) return;
      now.place ??= placeWithHelpers() ?? '';
      const key = shortened(`${now.place} ${now.count}`);
      givenAt.set(part, { test, key, number: counted(givenCounts, key) });
    },
    /** How a function of the test is known, and the object of the test that it is called on. */
    keyOf: (called, self) => `${placeOfText(called) ?? ''}~${keyOf(called)}.${keyOf(self)}`,
    /** Their numbers among those that were given at the same place. */
    numbersOf: (called, self) => [called, self].map((part) => givenAt.get(part)?.number ?? 0).join('.'),
    keyOfObject: keyOf,
    /** Runs a function of the test for the artifact. */
    running(key, work) {
      const outer = running;
      running = key;
      try {
        return work();
      } finally {
        running = outer;
      }
    },
    /**
     * Lets an argument of a function of the test arrive: its place is that of the function, and not where the artifact happens to call it.
     * @param called how the function is known
     * @param numbers its number among those that are known so, and what it is given beside objects: the artifact chooses the order
     */
    receiving(called, numbers, index, work) {
      const outer = visit;
      const shared = `${called}#${index}@${test}`;
      visit = `${numbers}/${counted(visitCounts, `${shared} ${numbers}`)}`;
      if (learn && !visitsOf.has(shared)) visitsOf.set(shared, { acting: new Set(), plain: false });
      const visits = visitsOf.get(shared) ?? {};
      visits.isActing = false;
      try {
        // One of Node's, as `promisify` makes it, is told from others by the place of its argument alone.
        const found = receivingAt(shared, work, shared, called.startsWith('~'));
        if (learn && !visits.isActing) visits.plain ||= isPlain(found);
        return found;
      } finally {
        visit = outer;
      }
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
      const exact = receiver?.exact ?? placeWithHelpers() ?? elsewhere();
      if (!(learn || known !== null) || shared === null) return (work) => work();
      return (work) => receivingAt(`later ${shared}`, work, `later ${exact}`, true);
    },
    /** True where what arrives may be compared anywhere: no line of the suite stands where it arrives. */
    isAwaited: () => (receiver === null ? standing(false) === undefined : receiver.isLater),

    beginTest(id) {
      test = id;
      givenCounts.clear();
      visitCounts.clear();
    },
    /** True where the reference did this at the same place; without a reference, what the rules say. */
    allows(op, otherwise) {
      if (learn) {
        learntPlaces.add(place(op));
        actingPlaces.add(`${place(op)}@${test}`);
        noteVisit(place(op));
        return true;
      }
      if (known === null) return otherwise;
      // A place that several tests share answered an object in some of them only.
      return known.has(place(op)) && !known.has(`${place(op)}@${test}`) && isVisited(place(op));
    },
    /** True where a line of the suite stands, or something is asked for at a known place: Node itself calls what is elsewhere. */
    isSomewhere: () => placeInTest('') !== null,
    /** True where the reference did this at the same place of the same test, and of the helpers of the suite that it went through. */
    allowsAtCall(op) {
      if (!learn) return known?.has(placeInTest(op)) === true && isVisited(placeInTest(op));
      noteVisit(placeInTest(op));
      learntPlaces.add(place(op)).add(placeInTest(op));
      return true;
    },
    /**
     * True where what arrives is an object that acts for the reference as well, of whatever style: of a class, a plain object with functions, a function
     * with properties or an iterator.
     */
    actsHere: () => isInTest('acts'),
    /** True where the test uses a function of that name of such an object of the reference, too. */
    usesHere: (name) => isInTest(`use ${name}`),
    /** Where something arrives now, as `wasAt` reads it; null without a reference. */
    arrival: () => (known === null || learn ? null : placeInTest('')),
    /** Notes what the reference answered, in a few words. */
    noteKind(kind) {
      const exact = learn ? placeInTest('') : null;
      if (exact === null) return;
      if (!kinds.has(exact)) kinds.set(exact, new Set());
      if (kinds.get(exact).size < maxKinds) kinds.get(exact).add(kind);
    },
    /** What the reference answered at a place, in words; undefined where nothing arrived there. */
    wasAt(exact) {
      const ofPlace = `was ${exact} `;
      const found = (shapes ?? []).flatMap((each) =>
        each.startsWith(ofPlace) ? [each.slice(ofPlace.length)] : [],
      );
      return found.length === 0 ? undefined : found.join(' or ');
    },
    /** The line of the suite at which something arrived; undefined where none stands. */
    lineOf: (exact) => /^(?:later )?([^<:]+:\d+):/.exec(exact ?? '')?.[1],
    /** What the author of a suite can do where an object is refused. `name` is that of its class, or of the function that answers it. */
    remedy(name) {
      if (known === null) return 'name its class in `objects`, or add a reference';
      return name
        ? `if it is right, believe it by \`"objects": ["${name}"]\` of the suite`
        : 'if it is right, name its class, or the function that answers it, in `objects` of the suite';
    },
    /** The same where a class does not do what is believed of it. */
    remedyOfClass: (name) =>
      known === null
        ? 'name it in `objects`, or add a reference'
        : `the class of the reference does so; if this one is right, believe it by \`"objects": ["${name}"]\` of the suite`,
    /** True where this happened in the reference's run of the same test. */
    allowsInTest(op) {
      const shape = `${op}@${test}`;
      if (learn) learntPlaces.add(shape);
      return learn || known?.has(shape) === true;
    },
    /** Notes a file or folder of the suite whose path a test gives the reference: others find it there as well. */
    noteFile(path) {
      if (learn) learntPlaces.add(`file ${path}`);
    },
    /** Notes an export of the reference that is a class of Node: the test uses its objects without the judge. */
    noteLibrary(name) {
      if (learn) learntPlaces.add(`library ${name}`);
    },
    /** Notes a text that the reference leads the suite to run. */
    noteCode(shape) {
      if (learn && codes < maxCodes && !learntPlaces.has(shape)) {
        codes += 1;
        learntPlaces.add(shape);
      }
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
    /** True while the suite itself has something written as JSON. */
    isWriting() {
      const lines = linesOfStack();
      const at = lines.findIndex((line) => line.includes(' JSON.stringify '));
      return at !== -1 && isOfSuite(lines[at + 1] ?? '');
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
      ...learntVisits(),
      ...[...kinds].flatMap(([each, found]) => [...found].map((kind) => `was ${each} ${kind}`)),
      ...[...plainPlaces].flatMap(([each, shared]) =>
        learntPlaces.has(shared) && !actingPlaces.has(each) ? [each] : [],
      ),
    ],
  };
}
