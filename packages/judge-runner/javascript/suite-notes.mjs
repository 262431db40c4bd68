/* What is noted of a suite's places while its files are followed: conversions, reads, comparisons and functions that are given. */
import { isMaker, ofPlain, valueMethods } from './suite-syntax.mjs';
import { all } from './suite-values.mjs';

export const maxPlaces = 1000;
/** Stands for the place of each test of a file. */
export const everyTest = '*';
/** Methods of arrays that are given a function, and those that answer items. */
export const itemwise = new Set(
  'map filter forEach some every find findLast findIndex findLastIndex flatMap reduce reduceRight sort toSorted'.split(
    ' ',
  ),
);
/** Methods whose answer is a word of the object about itself. */
const saying = new Set(
  'every some find findIndex findLast includes indexOf has startsWith endsWith'.split(' '),
);

/** What a statement may keep a value in. */
export const keeping = /(?<![=!<>])=(?![=>])|\+\+|--|\.(?:push|set|unshift|fill|assign|splice)\s*\(/;

/** What a reader notes of the tests of one file. */
export class Notes {
  places = [];
  /** Objects that the test converts, and those that it, or a hook, gives to the artifact or asks for something. */
  converted = [];
  used = new Set();
  /** Properties that the test reads of objects. */
  reads = [];
  callee = null;
  /** True where an object of the test is compared in depth after it was converted. */
  isEarly = false;
  /** Local names of functions that assert. */
  asserts = new Set();
  /** Statements of tests that keep nothing of what they convert or read: assertions. */
  assertions = [];
  statement = null;
  /** Names of variables that hold symbols, and the texts of objects that the files write out. */
  symbols = new Set();
  written = new Map();
  usedBefore = new Set();
  site = null;
  depth = 0;

  /** @param isForAll true for what may fail all tests of the file where it stands outside of them */
  note(node, value, isNamed, permits, text, isForAll = false) {
    const site = this.site ?? (isForAll ? everyTest : null);
    if (site === null || this.places.length >= maxPlaces) return;
    const { line } = node.loc.start;
    const place = {
      ...{ file: this.file, line, site },
      construct: text(this.known.label(value)),
      class: this.known.kinds.get(value.origin) ?? null,
      ...permits,
      ...(isNamed ? {} : { isNamed }),
    };
    const same = this.places.find(
      (each) => each.line === line && each.site === site && each.construct === place.construct,
    );
    if (same === undefined) this.places.push(place);
    else if (permits.last !== undefined) same.last = Math.max(same.last ?? 0, permits.last);
  }

  /** Notes an object that stands where a number or a text is wanted, and with `isInDoubt` an answer that may be one. */
  convert(node, value, isText = false, isInDoubt = false) {
    const isUsed = ({ id }) => this.used.has(id) || this.usedBefore.has(id);
    for (const each of all(value)) {
      const isObject = this.known.isObject(each);
      if (!isObject && !(isInDoubt && each.kind === 'thing')) continue;
      this.converted.push({
        ...{ node, value: each, isText, isObject, isKept: each.isNew === true && !isUsed(each) },
        statement: this.statement,
      });
    }
  }

  /** Notes that the artifact is given an object, or asked for something of it. */
  use(value) {
    const used = this.site === null ? this.usedBefore : this.used;
    for (const { id } of all(value)) used.add(id);
  }

  /**
   * Notes the places of a test. A conversion of what a call answers is permitted there. A correct program may fail where the test
   * converts such an answer, or an object that it has used, and an object that it has only made: see `conversions.mjs`.
   */
  noteConversions() {
    for (const each of [...this.converted, ...this.reads])
      if (each.statement?.isKeeping) each.statement = null;
    const kept = this.converted.filter((each) => each.isKept);
    const others = this.converted.filter((each) => !each.isKept && !(each.isText && each.value.isNew));
    const isNamed =
      this.isEarly ||
      kept.some((each) =>
        others.some(
          (other) =>
            other.value.id !== each.value.id &&
            (other.statement === each.statement || other.statement === null || each.statement === null),
        ),
      );
    for (const each of isNamed ? [...kept, ...others] : others.filter(({ value }) => !value.isNew)) {
      const { node, value, isText, isObject } = each;
      if (!isObject && !isNamed) continue;
      const permits = value.isNew || !isObject ? {} : { last: node.loc.end.line };
      this.note(node, value, isNamed, permits, (label) => `uses ${label} as a ${isText ? 'text' : 'number'}`);
    }
  }

  /** Notes a property that a test reads of an object, other than to call it. */
  readProperty(node, value) {
    if (this.site === null || value?.kind !== 'thing') return;
    const isUsed = this.used.has(value.id) || this.usedBefore.has(value.id);
    const isKept = value.isNew === true && !isUsed;
    this.reads.push({ node, value, name: node.property.name, isKept, statement: this.statement });
  }

  /** Notes where a test reads the same of an object that it has only made and of an answer: see `reads.mjs`. */
  noteReads() {
    for (const each of this.reads.filter(({ isKept }) => isKept)) {
      const isPair = (other) =>
        !other.value.isNew &&
        other.name === each.name &&
        (other.statement === each.statement || other.statement === null || each.statement === null);
      if (this.reads.some(isPair))
        this.note(
          each.node,
          each.value,
          true,
          {},
          (label) => `reads ${each.name} of ${label} and of an answer`,
        );
    }
  }

  /**
   * Notes a method that nothing vouches for where what is answered may be an object: a list has it as well, and an object could say yes to
   * everything.
   */
  noteMethod(node, owner) {
    const { by } = owner ?? {};
    const { name } = node.property;
    if (owner?.kind !== 'thing' || owner.isNew || !owner.origin.endsWith('()')) return;
    const isDoubted = saying.has(name)
      ? by?.made || by?.isNew || this.known.isObject(by) || this.known.isObject(owner)
      : itemwise.has(name) && (owner.made || this.known.isObject(owner));
    if (isDoubted || this.isUnshown(name, owner))
      this.note(node, owner, true, {}, (label) => `calls ${name}() of ${label}`);
    else if (this.isOfChain(name, owner))
      this.note(node, owner, true, {}, (label) => `calls ${name}() of ${label}`, true);
    const { line, column } = node.property.loc.start;
    const isTruth =
      this.made.doubted.has(`${this.file}:${line}:${column + 1}`) &&
      // What a function answers may be bytes, which have `equals`.
      (!valueMethods.has(name) || owner.origin.includes('().')) &&
      !owner.made &&
      !this.known.kinds.get(owner.origin) &&
      !this.isMadeBy(owner, this.made.makers);
    if (isTruth)
      this.note(node, owner, true, {}, (label) => `asserts no more than the truth of ${name}() of ${label}`);
  }
  /** True for a method of no plain value, of what a method of an answer has answered, as builders are called: nothing shows its class. */
  isOfChain(name, owner) {
    const isWithin = /\(\).*\(\)$/.test(owner.origin);
    return isWithin && !owner.made && !valueMethods.has(name) && !this.known.kinds.get(owner.origin);
  }
  /** True for what comes from an answer of one of these functions. */
  isMadeBy({ origin }, functions) {
    const path = `#${origin.slice(0, origin.indexOf('()'))}`;
    return [...functions].some((each) => each.endsWith(path));
  }
  /** True for a method that a plain value has as well, of what only the name of a function says to be an object. */
  isUnshown(name, owner) {
    const { makers, changed } = this.made;
    return (
      ofPlain.has(name) &&
      isMaker(/\w*(?=\(\)$)/.exec(owner.origin)?.[0] ?? '') &&
      !this.isMadeBy(owner, makers) &&
      !this.isMadeBy(owner, changed)
    );
  }

  /** Notes what a method answers of what a function answers, where the test makes a text of it: nothing shows its class. */
  noteText(node, value) {
    if (value?.kind === 'thing' && value.origin.includes('().') && !this.known.isObject(value))
      this.note(node, value, true, {}, (label) => `uses ${label} as a text`);
  }

  /** Notes what a test expects to be undefined of an object that it has only made: an answer may be undefined as well. */
  noteLack(node, value) {
    const { owner } = value ?? {};
    const isUsed = this.used.has(owner?.id) || this.usedBefore.has(owner?.id);
    if (owner?.isNew === true && !isUsed)
      this.note(node, owner, true, {}, (label) => `expects that ${label} lacks something`);
  }

  /** Notes an object that the artifact may know before it answers: of a class that does more than to keep what it is given. */
  noteOrder(node, answer, expected) {
    const isUsed = this.used.has(expected.id) || this.usedBefore.has(expected.id);
    if (!answer.isNew && !isUsed && expected.order < answer.order)
      this.note(
        node,
        expected,
        true,
        {},
        (label) => `compares an answer with ${label} that was made before it`,
      );
  }

  /** Notes an object that is expected: its class may do more than to keep what it is given. */
  noteMade(node, answer, expected) {
    if (answer?.isNew || answer?.kind !== 'thing') return;
    for (const each of this.parts(expected).flatMap(all))
      if (each.isNew)
        this.note(node, each, true, {}, (label) => `compares an answer with ${label} by what it holds`);
  }

  /**
   * Notes a function that is given what the artifact calls like an item, a list or a listener, by the names of its parameters. What a plain function
   * gives to a function is an object of a class that the suite need not import, where that calls a method of no plain value.
   */
  noteGiven(node, callee, args) {
    const { origin } = callee;
    const isMaking =
      isMaker(origin) ||
      node.type === 'NewExpression' ||
      this.isMadeBy({ origin: `${origin}()` }, this.made.makers);
    const isPlainCall = (!/[.(]/.test(origin) && !isMaking) || origin.includes('().');
    for (const each of args.flatMap((arg) => this.functionsOf(arg))) {
      const body = this.text.slice(each.body.start, each.body.end);
      for (const { name } of each.params.filter(({ type }) => type === 'Identifier')) {
        const calls = new RegExp(`(?<![.\\w$])${name.replaceAll('$', '\\$')}\\.([\\w$]+)\\(`, 'g');
        const methods = [...body.matchAll(calls)].map(([, method]) => method);
        const method = methods.find(
          (called) => /^(?:next|on|once|emit)$/.test(called) || (isPlainCall && !valueMethods.has(called)),
        );
        if (method !== undefined)
          this.note(
            node,
            callee,
            true,
            {},
            (label) => `calls ${method}() of what ${label} gives to a function of the test`,
          );
      }
    }
  }
  /** Functions in an argument: one, or those that a plain object holds which the file writes out. */
  functionsOf(arg) {
    if (/Function/.test(arg?.type)) return [arg];
    const written = arg?.type === 'ObjectExpression' ? arg : this.written.get(arg?.value);
    return (written?.properties ?? []).flatMap(({ value }) => (/Function/.test(value?.type) ? [value] : []));
  }

  /** Notes a plain object that is given with a property by a symbol, or one that a function computes: only what it holds by names is given. */
  noteUnplain(node, callee, args) {
    const isUnplain = ({ kind, computed, key, type }) =>
      kind === 'get' ||
      (type === 'Property' && computed && key.type === 'Identifier' && this.symbols.has(key.name));
    for (const each of args)
      if (this.written.get(each)?.properties.some(isUnplain))
        this.note(
          node,
          callee,
          true,
          {},
          (label) => `gives ${label} an object with a property that is no plain value`,
        );
  }
  /** What is compared in depth with an object of a class is one. */
  showEqual(node, one, other) {
    for (const [left, right] of [
      [one, other],
      [other, one],
    ])
      if (right?.isNew && left?.kind === 'thing') {
        this.known.show(left, this.known.kinds.get(right.origin));
        this.noteOrder(node, left, right);
        this.isEarly ||= this.converted.some(({ value, isKept }) => isKept && value.id === right.id);
      }
  }

  /** True for a call of a function that may keep what it is given: one of the suite that does, and one that is not known. */
  mayKeep(node, callee, scope) {
    if (callee?.kind === 'function')
      return keeping.test(this.text.slice(callee.node.body.start, callee.node.body.end));
    if (callee?.kind === 'thing' || callee?.kind === 'method') return false;
    const isMember = node.type === 'MemberExpression' && !node.computed;
    if (isMember && valueMethods.has(node.property.name) && node.property.name !== 'add') return false;
    const root = isMember ? node.object.name : node.name;
    const value = scope.get(root);
    return value === undefined ? scope.has(root) || !(root in globalThis) : value.isImported !== true;
  }
}
