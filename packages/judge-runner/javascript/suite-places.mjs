/*
 * Finds the places of a suite at which tests take objects of the artifact's own classes for numbers or texts: without a
 * reference nothing vouches for `valueOf` and `toString`, so that a correct program may fail there. Reads the files of the suite
 * alone, test by test, with hooks, helper functions and variables.
 *
 * `Stack()` stands for an object that a test makes, `parse()` for what a function answers, `Stack().top` for a property.
 */
import { treeOf } from './analysis.mjs';

const maxPlaces = 1000;
const maxDepth = 4;
const maxWork = 300_000;
const readings = 3;
const numeric = new Set('< > <= >= - * / % ** & | ^ << >> >>>'.split(' '));
const conversions =
  /^(?:Number|BigInt|parseInt|parseFloat|isNaN|isFinite|Date|Math\.\w+|Number\.(?:parse\w+)|Intl\.\w+)$/;
/** Methods of arrays that are given a function, and those that answer items. */
const itemwise = new Set(
  'map filter forEach some every find findLast findIndex findLastIndex flatMap reduce reduceRight sort toSorted'.split(
    ' ',
  ),
);
const hooks = new Set(['before', 'after', 'beforeEach', 'afterEach']);

const isClassName = (name) => /^[A-Z]/.test(name);
const thing = (origin, made = false) => ({ kind: 'thing', origin, made });
const group = (part) => ({ kind: 'group', part });
const part = (value) =>
  value?.kind === 'group' ? part(value.part) : value?.kind === 'thing' ? value : undefined;
const joined = (values) => values.find((each) => part(each)) ?? values.find((each) => each !== undefined);

/** What the suite shows about origins: which are objects of the artifact's classes. Grows with each reading. */
class Knowledge {
  kinds = new Map();
  isChanged = false;
  work = 0;

  show(value, kind = null) {
    if (value?.kind !== 'thing') return;
    const known = this.kinds.get(value.origin);
    if (known === undefined || (known === null && kind !== null)) {
      this.kinds.set(value.origin, kind);
      this.isChanged = true;
    }
  }

  isObject = (value) => value?.kind === 'thing' && this.kinds.has(value.origin);

  label({ origin }) {
    const kind = this.kinds.get(origin);
    if (kind) return `an object of ${kind}`;
    return origin.endsWith('()') ? `what ${origin} answers` : origin;
  }
}

/** Follows one file. */
class Reader {
  places = [];
  site = null;
  depth = 0;

  constructor(file, text, known, isArtifact) {
    Object.assign(this, { file, known, isArtifact });
    this.tree = treeOf(text);
  }

  note(node, value, text) {
    if (this.site === null || this.places.length >= maxPlaces) return;
    const { line } = node.loc.start;
    const place = {
      ...{ file: this.file, line, site: this.site },
      construct: text(this.known.label(value)),
      class: this.known.kinds.get(value.origin) ?? null,
    };
    if (
      !this.places.some(
        (each) => each.line === line && each.site === this.site && each.construct === place.construct,
      )
    )
      this.places.push(place);
  }

  /** Notes an object that stands where a number or a text is wanted. What a test has made may be read as a text. */
  convert(node, value, isText = false) {
    const found = value?.kind === 'group' ? part(value) : value;
    if (this.known.isObject(found) && !(isText && found.made))
      this.note(node, found, (label) => `uses ${label} as a ${isText ? 'text' : 'number'}`);
  }

  items = (value) =>
    value?.kind === 'group' ? value.part : value?.kind === 'thing' ? thing(`${value.origin}[]`) : undefined;

  bind(pattern, value, scope) {
    switch (pattern?.type) {
      case 'Identifier':
        scope.set(pattern.name, value);
        break;
      case 'ArrayPattern':
        for (const each of pattern.elements) this.bind(each, this.items(value), scope);
        break;
      case 'ObjectPattern':
        for (const each of pattern.properties)
          this.bind(
            each.value ?? each.argument,
            each.key ? this.property(value, each.key.name) : value,
            scope,
          );
        break;
      case 'AssignmentPattern':
        this.bind(pattern.left, value ?? this.ev(pattern.right, scope), scope);
        break;
      case 'RestElement':
        this.bind(pattern.argument, value, scope);
        break;
      case 'MemberExpression':
        this.known.show(this.ev(pattern.object, scope));
        break;
    }
  }

  property(owner, name) {
    if (owner?.kind === 'module') return thing(String(name));
    if (owner?.kind === 'held') return owner.held.get(name);
    if (owner?.kind === 'library') return { kind: 'library', name: `${owner.name}.${name}` };
    if (owner?.kind === 'group') return { kind: 'method', owner, name };
    return owner?.kind === 'thing' ? thing(`${owner.origin}.${name}`) : undefined;
  }

  ev(node, scope) {
    this.known.work += 1;
    if (!node || this.known.work > maxWork) return undefined;
    const read = this[`ev${node.type}`];
    if (read) return read.call(this, node, scope);
    for (const each of Object.values(node).flat())
      if (typeof each?.type === 'string' && each.loc) this.ev(each, scope);
    return undefined;
  }

  evLiteral = () => undefined;
  evIdentifier(node, scope) {
    return scope.get(node.name) ?? { kind: 'library', name: node.name };
  }
  evMemberExpression(node, scope) {
    const owner = this.ev(node.object, scope);
    if (!node.computed) return this.property(owner, node.property.name);
    const key = this.ev(node.property, scope);
    if (key?.kind === 'thing') this.convert(node, key, true);
    return owner?.kind === 'group' ? owner.part : owner?.kind === 'thing' ? this.items(owner) : undefined;
  }
  evChainExpression = (node, scope) => this.ev(node.expression, scope);
  evAwaitExpression = (node, scope) => this.ev(node.argument, scope);
  evSpreadElement = (node, scope) => this.items(this.ev(node.argument, scope));
  evArrayExpression(node, scope) {
    return group(joined(node.elements.map((each) => this.ev(each, scope))));
  }
  evObjectExpression(node, scope) {
    const held = new Map();
    for (const each of node.properties)
      if (each.type === 'SpreadElement') this.ev(each.argument, scope);
      else held.set(each.key.name ?? each.key.value, this.ev(each.value, scope));
    return { kind: 'held', held };
  }
  evFunction = (node, scope) => ({ kind: 'function', node, scope });
  evArrowFunctionExpression = this.evFunction;
  evFunctionExpression = this.evFunction;
  evTemplateLiteral(node, scope) {
    for (const each of node.expressions) this.convert(node, this.ev(each, scope), true);
  }
  evUnaryExpression(node, scope) {
    const value = this.ev(node.argument, scope);
    if ('+-~'.includes(node.operator)) this.convert(node, value);
  }
  evUpdateExpression = (node, scope) => this.convert(node, this.ev(node.argument, scope));
  evBinaryExpression(node, scope) {
    const [left, right] = [this.ev(node.left, scope), this.ev(node.right, scope)];
    if (node.operator === 'instanceof') {
      if (right?.kind === 'thing') this.known.show(left, right.origin);
    } else if (numeric.has(node.operator) || node.operator === '+')
      for (const each of [left, right]) if (each?.kind === 'thing') this.convert(node, each);
    if (/^[!=]=$/.test(node.operator) && node.right.value !== null && node.left.value !== null)
      for (const [one, other] of [
        [left, node.right],
        [right, node.left],
      ])
        if (other.type === 'Literal') this.convert(node, one);
  }
  evLogicalExpression(node, scope) {
    return joined([this.ev(node.left, scope), this.ev(node.right, scope)]);
  }
  evConditionalExpression(node, scope) {
    this.ev(node.test, scope);
    return joined([this.ev(node.consequent, scope), this.ev(node.alternate, scope)]);
  }
  evSequenceExpression = (node, scope) => node.expressions.map((each) => this.ev(each, scope)).at(-1);
  evAssignmentExpression(node, scope) {
    const value = this.ev(node.right, scope);
    if (node.operator === '=') this.assign(node.left, value, scope);
    else
      for (const each of [this.ev(node.left, scope), value])
        if (each?.kind === 'thing') this.convert(node, each);
    return value;
  }
  assign(target, value, scope) {
    if (target.type === 'Identifier') scope.change(target.name, value);
    else this.bind(target, value, scope);
  }
  evNewExpression(node, scope) {
    const kind = this.ev(node.callee, scope);
    const args = node.arguments.map((each) => this.ev(each, scope));
    if (kind?.kind === 'thing') {
      const name = kind.origin.split('.').at(-1);
      const made = thing(`${name}()`, true);
      this.known.kinds.set(made.origin, name);
      return made;
    }
    if (kind?.kind === 'library' && conversions.test(kind.name))
      for (const each of args) this.convert(node, each);
    return /^(?:Set|Map|Array)$/.test(kind?.name) ? group(this.items(args[0])) : undefined;
  }
  evCallExpression(node, scope) {
    const callee = this.ev(node.callee, scope);
    if (this.isTest(node.callee, scope)) return this.readTest(node, scope);
    const args = node.arguments.map((each) => this.ev(each, scope));
    const [first] = args;
    if (callee?.kind === 'function') return this.enter(callee, args);
    if (callee?.kind === 'thing') {
      // A method shows an object; a class method makes one.
      const owner = callee.origin.slice(0, callee.origin.lastIndexOf('.'));
      const isOfClass = isClassName(owner) && !owner.includes('(');
      for (const each of args) if (each?.kind === 'function') this.enter(each, []);
      return thing(`${callee.origin}()`, isOfClass);
    }
    if (callee?.kind === 'method') return this.callMethod(node, callee, args);
    const name = callee?.name ?? '';
    if (name === 'Array.from' || name === 'Array.of') return group(this.items(first));
    if (name === 'String') this.convert(node, first, true);
    else if (conversions.test(name)) for (const each of args) this.convert(node, each);
    else if (
      /(?:^|\.)(?:equal|notEqual)$/.test(name) &&
      this.isLoose &&
      node.arguments[1]?.type === 'Literal'
    )
      this.convert(node, first);
    for (const each of args) if (each?.kind === 'function') this.enter(each, []);
    return name.startsWith('Promise.') ? first : undefined;
  }
  callMethod(node, { owner, name }, args) {
    const item = owner.part;
    if (name === 'push' || name === 'unshift' || name === 'add') {
      owner.part = joined([part(owner) ? owner.part : undefined, ...args, owner.part]);
      return undefined;
    }
    if (name === 'join') this.convert(node, item, true);
    if (!itemwise.has(name)) return /^(?:at|pop|shift|get)$/.test(name) ? item : owner;
    const [run, start] = args;
    const isPair = /^(?:sort|toSorted)$/.test(name);
    if (isPair && run === undefined) this.convert(node, item, true);
    const given = name.startsWith('reduce') ? [joined([start, item]), item] : isPair ? [item, item] : [item];
    const found = run?.kind === 'function' ? this.enter(run, given) : undefined;
    if (name === 'map' || name === 'flatMap') return group(found);
    return name.startsWith('find') ? item : name.startsWith('reduce') ? found : owner;
  }

  /** Follows a function of the suite with these arguments, and returns what it answers. */
  enter({ node, scope }, args) {
    if (this.depth >= maxDepth) return undefined;
    this.depth += 1;
    const inner = scope.inside();
    node.params.forEach((each, index) => {
      this.bind(each, each.type === 'RestElement' ? group(joined(args.slice(index))) : args[index], inner);
    });
    const outer = this.returned;
    this.returned = [];
    if (node.body.type === 'BlockStatement') this.statements(node.body.body, inner);
    else this.returned.push(this.ev(node.body, inner));
    const found = joined(this.returned);
    this.returned = outer;
    this.depth -= 1;
    return found;
  }

  returned = [];
  evReturnStatement(node, scope) {
    this.returned.push(this.ev(node.argument, scope));
  }
  evBlockStatement(node, scope) {
    this.statements(node.body, scope.inside());
  }
  evVariableDeclaration(node, scope) {
    for (const { id, init } of node.declarations) this.bind(id, this.ev(init, scope), scope);
  }
  evFunctionDeclaration(node, scope) {
    scope.set(node.id.name, { kind: 'function', node, scope });
  }
  evClassDeclaration = () => undefined;
  evClassExpression = () => undefined;
  evForOfStatement(node, scope) {
    const inner = scope.inside();
    const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0].id : node.left;
    const rows = node.right.type === 'ArrayExpression' ? node.right.elements : [];
    const value = this.ev(node.right, scope);
    if (
      target.type === 'ArrayPattern' &&
      rows.length > 0 &&
      rows.every((row) => row?.type === 'ArrayExpression')
    )
      target.elements.forEach((each, index) => {
        this.bind(each, joined(rows.map((row) => this.ev(row.elements[index], scope))), inner);
      });
    else this.bind(target, this.items(value), inner);
    this.ev(node.body, inner);
  }
  /** Hooks go first: they give variables the values that tests read. */
  statements(body, scope) {
    for (const each of body) if (each.type === 'FunctionDeclaration') this.ev(each, scope);
    const isHook = (each) =>
      hooks.has(each.expression?.callee?.name ?? each.expression?.callee?.property?.name);
    const isDeclared = (each) => /^(?:Variable|Class)Declaration$/.test(each.type);
    const plain = body.filter((each) => each.type !== 'FunctionDeclaration');
    if (this.site !== null || !plain.some(isHook)) for (const each of plain) this.ev(each, scope);
    else
      for (const chosen of [isDeclared, isHook, (each) => !isDeclared(each) && !isHook(each)])
        for (const each of plain.filter(chosen)) this.ev(each, scope);
  }

  isTest(callee, scope) {
    const names = [];
    let owner = callee;
    for (; owner.type === 'MemberExpression' && !owner.computed; owner = owner.object)
      names.unshift(owner.property.name);
    const value = owner.type === 'Identifier' ? scope.get(owner.name) : undefined;
    return (
      this.site === null &&
      value?.kind === 'tests' &&
      !hooks.has(value.name) &&
      !names.some((each) => hooks.has(each) || each === 'mock')
    );
  }
  /** A group is followed as a function is, a test as one whose places are noted. */
  readTest(node, scope) {
    const run = node.arguments.findLast((each) => /Function/.test(each.type)) ?? null;
    const given = node.arguments
      .map((each) => (each === run ? undefined : this.ev(each, scope)))
      .findLast((each) => each?.kind === 'function');
    const own = run === null ? given : { node: run, scope };
    const callee = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee;
    const name =
      node.callee.type === 'MemberExpression'
        ? /^(?:only|skip|todo)$/.test(callee.name)
          ? node.callee.object.name
          : callee.name
        : (scope.get(callee.name)?.name ?? callee.name);
    if (own === undefined) return;
    if (name === 'describe' || name === 'suite') {
      this.enter(own, []);
      return;
    }
    this.site = `${callee.loc.start.line}:${callee.loc.start.column + 1}`;
    this.enter(own, []);
    this.site = null;
  }

  read() {
    const scope = new Scope();
    this.isLoose = false;
    for (const node of this.tree.body) {
      if (node.type !== 'ImportDeclaration') continue;
      const from = String(node.source.value);
      if (/^(?:node:)?assert$/.test(from)) this.isLoose = true;
      const isOwn = this.isArtifact(from, `file:///suite/${this.file}`);
      for (const { type, local, imported } of node.specifiers) {
        const name = imported?.name ?? imported?.value;
        if (from === 'node:test') scope.set(local.name, { kind: 'tests', name: name ?? 'test' });
        else if (isOwn)
          scope.set(
            local.name,
            type === 'ImportSpecifier' && name !== 'default' ? thing(name) : { kind: 'module' },
          );
        else scope.set(local.name, { kind: 'library', name: local.name });
        // A default export is called as well.
        if (isOwn && type === 'ImportDefaultSpecifier')
          scope.set(local.name, { kind: 'module', name: local.name });
      }
    }
    this.statements(
      this.tree.body.filter((node) => node.type !== 'ImportDeclaration'),
      scope,
    );
  }
}

/** The variables of a function, and those around it. */
class Scope {
  names = new Map();
  constructor(outer = null) {
    this.outer = outer;
  }
  get = (name) => (this.names.has(name) ? this.names.get(name) : this.outer?.get(name));
  set = (name, value) => this.names.set(name, value);
  change(name, value) {
    let scope = this;
    while (!scope.names.has(name) && scope.outer !== null) scope = scope.outer;
    scope.names.set(name, value);
  }
  inside = () => new Scope(this);
}

/**
 * The places of a suite that may need a reference: file, line, the place at which the test is declared as `line:column`, and the
 * construct.
 */
export function placesIn(programs, texts, isArtifact) {
  const known = new Knowledge();
  let places = [];
  for (let count = 0; count < readings; count += 1) {
    known.isChanged = false;
    places = [];
    for (const [index, text] of texts.entries()) {
      try {
        const reader = new Reader(programs[index], text, known, isArtifact);
        reader.read();
        places.push(...reader.places);
      } catch {
        // What cannot be followed is not named: it never keeps a suite from judging.
      }
    }
    if (!known.isChanged) break;
  }
  return places.slice(0, maxPlaces);
}
