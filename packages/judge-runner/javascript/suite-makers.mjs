/*
 * Functions of the artifact whose answers the files of a suite show to be objects, each by the name or path under which the suite calls
 * it: two exports may be one function, and two objects may have functions of one name.
 */
import { File, nameOf, targetsOf } from './suite-bindings.mjs';
import { valueMethods } from './suite-syntax.mjs';
import { says } from './suite-truth.mjs';

/** Methods of iterators that no list has. */
const ofIterators = new Set(['take', 'drop', 'toArray']);
/** True for a method that only an object of its own has, or an iterator. */
const isOfObjects = (name) => name !== null && (!valueMethods.has(name) || ofIterators.has(name));
/** Methods that are asked whether something is as expected: the artifact learns from their arguments what to say. */
const expecting = /equal|^(?:is)?eq$|same|like|compare|match|^(?:must|assert|expect|verify|ensure|should)/i;
/** Those that bytes have as well. */
const comparing = new Set(['equals', 'compare']);
const changing = new Set('set add push unshift delete clear'.split(' '));

const noted = (all, key) => {
  if (!all.has(key)) all.set(key, new Set());
  return all.get(key);
};

/** What one file shows. */
class Reader {
  /** @param found what all files show: see `makersIn`; `said`: what they assert of methods; `truths`: calls of them */
  constructor(file, found, said, truths) {
    Object.assign(this, { file, found, said, truths });
  }

  /** Follows a value to the methods that are called of it: `isHeld` where it is the value of a variable. */
  follow(node, path, isHeld = false, depth = 0) {
    const { file, found } = this;
    const parent = file.parents.get(node);
    if (depth > 20) return;
    switch (parent?.type) {
      case 'AwaitExpression':
      case 'ChainExpression':
        this.follow(parent, path, isHeld, depth + 1);
        break;
      case 'MemberExpression': {
        const call = file.parents.get(parent);
        if (parent.object !== node || call?.type !== 'CallExpression' || call.callee !== parent) break;
        const name = nameOf(parent);
        if (isOfObjects(name) && this.isShown(path, name, says(file, call, call.arguments.length > 0)))
          found.makers.add(path);
        if (isHeld && changing.has(name) && this.isStatement(call)) found.changed.add(path);
        this.follow(call, path, false, depth + 1);
        break;
      }
      case 'VariableDeclarator':
      case 'AssignmentExpression':
        this.followHeld(parent.id ?? parent.left, node, path, depth);
        break;
    }
  }
  /** True where the suite looks at more than the truth of what a method says, or where some of it is true and some is false. */
  isShown(path, name, said) {
    if (said === 'more') return true;
    if (said === 'truth' || expecting.test(name)) return false;
    if (said === 'neutral') return true;
    return noted(this.said, `${path} ${name}`).add(said).size > 1;
  }
  /** True for a call of which nothing is used, and for one of which another is called so. */
  isStatement(call) {
    const parent = this.file.parents.get(call);
    if (/^(?:Await|Chain|Member|Call)Expression$/.test(parent.type) && !parent.arguments?.includes(call))
      return this.isStatement(parent);
    return parent.type === 'ExpressionStatement';
  }
  followHeld(pattern, node, path, depth) {
    const { file, found } = this;
    for (const [target, names] of targetsOf(pattern)) {
      const binding = file.bindings.get(target);
      const uses = (binding?.uses ?? []).filter((use) => file.valueAt(use)?.node === node);
      if (pattern.type === 'Identifier') for (const use of uses) this.follow(use, path, true, depth + 1);
      else if (names?.length === 1 && uses.some((use) => this.isTaken(use)))
        noted(found.taken, path).add(names[0]);
    }
  }
  /** True for a function out of an answer of which more is looked at than the truth of what it says. */
  isTaken(use) {
    const call = this.file.parents.get(use);
    return (
      call.type !== 'CallExpression' ||
      call.callee !== use ||
      /^(?:more|neutral)$/.test(says(this.file, call, call.arguments.length > 0))
    );
  }

  /** Where a value comes from, by names: `module#Schema.compile`; null where that is not known. */
  originOf(node, depth = 0) {
    if (depth > 20) return null;
    const next = (each) => this.originOf(each, depth + 1);
    const own = this.file.exportOf(node);
    if (own !== null) return own;
    switch (node.type) {
      case 'Identifier': {
        const value = this.file.valueAt(node)?.node;
        return value ? next(value) : null;
      }
      case 'MemberExpression': {
        const owner = next(node.object);
        return owner === null || nameOf(node) === null ? null : `${owner}.${nameOf(node)}`;
      }
      case 'CallExpression':
      case 'NewExpression':
        return next(node.callee);
      case 'AwaitExpression':
        return next(node.argument);
      case 'ChainExpression':
        return next(node.expression);
      default:
        return null;
    }
  }
  /** Notes a call with arguments whose truth alone is asserted. */
  noteTruth(call) {
    const { file, truths } = this;
    if (call.callee.type !== 'MemberExpression' || call.arguments.length === 0) return;
    const name = nameOf(call.callee);
    const said = isOfObjects(name) || comparing.has(name) ? says(file, call, true) : 'more';
    if (said === 'more' || said === 'neutral') return;
    const origin = this.originOf(call.callee);
    const key = said === 'truth' || origin === null || expecting.test(name) ? null : origin;
    if (key !== null) noted(truths.said, key).add(said);
    const places = file.placesOf(call).map((place) => `${file.name}:${place}`);
    truths.calls.push({ places, key });
  }

  read() {
    const { file, found } = this;
    for (const call of file.calls) {
      this.noteTruth(call);
      const path = file.exportOf(call.callee);
      found.callees.set(`${file.name}:${file.placeOf(call)}`, path);
      this.follow(call, path ?? '');
      if (call.callee.type === 'MemberExpression' && file.parents.get(call)?.type === 'ExpressionStatement')
        for (const place of file.placesOf(call)) found.unused.add(`${file.name}:${place}`);
    }
    for (const node of file.parents.keys()) {
      const path = node.type === 'MemberExpression' ? file.exportOf(node.object) : null;
      if (path !== null)
        for (const place of file.placesOfRead(node)) found.owners.set(`${file.name}:${place}`, path);
    }
    for (const use of [...new Set(file.bindings.values())].flatMap(({ uses }) => uses)) {
      let whole = use;
      while (file.parents.get(whole)?.type === 'MemberExpression' && file.parents.get(whole).object === whole)
        whole = file.parents.get(whole);
      const parent = file.parents.get(whole);
      const isCalled = parent?.type === 'CallExpression' && parent.callee === whole;
      const path = isCalled ? null : file.exportOf(whole);
      if (path !== null) found.passed.add(path);
    }
  }
}

/**
 * What the files show of functions that they call, by `module#path`.
 * @returns `makers` of objects, functions whose answers are `changed`, names that are `taken` out of answers, exports that are `passed` as
 * values, and `callees` by `file:line:column` of their calls, null where one is no export, and places of `doubted` calls:
 * what they are given may say what the test expects, and no more than the truth of what they answer is asserted; `owners`: exports of which a
 * property is read, by the place of that, and places of `unused` calls, of which nothing is used
 */
export function makersIn(programs, texts, moduleOf) {
  const found = {
    makers: new Set(),
    changed: new Set(),
    taken: new Map(),
    passed: new Set(),
    callees: new Map(),
    doubted: new Set(),
    owners: new Map(),
    unused: new Set(),
  };
  const said = new Map();
  const truths = { said: new Map(), calls: [] };
  for (const [index, text] of texts.entries()) {
    try {
      new Reader(new File(programs[index], text, moduleOf), found, said, truths).read();
    } catch {
      // What cannot be read shows nothing.
    }
  }
  for (const { places, key } of truths.calls)
    if (truths.said.get(key)?.size !== 2) for (const place of places) found.doubted.add(place);
  found.makers.delete('');
  found.changed.delete('');
  return found;
}
