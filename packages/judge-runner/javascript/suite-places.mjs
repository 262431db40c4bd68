/*
 * Finds the places of a suite at which tests take objects of the artifact's own classes for numbers or texts: without a
 * reference nothing vouches for `valueOf` and `toString`, so that a correct program may fail there. Reads the files of the suite
 * alone, test by test, with hooks, helper functions and variables.
 *
 * `Stack()` stands for an object that a test makes, `parse()` for what a function answers, `Stack().top` for a property.
 */
import { isBuiltin } from 'node:module';
import { treeOf } from './analysis.mjs';
import { itemwise, keeping, maxPlaces, Notes } from './suite-notes.mjs';
import { valueMethods } from './suite-syntax.mjs';
import { group, joined, Knowledge, part, Scope, thing } from './suite-values.mjs';

const maxAssertions = 5000;
const maxDepth = 4;
const maxWork = 300_000;
const readings = 3;
const numeric = new Set('< > <= >= - * / % ** & | ^ << >> >>>'.split(' '));
const conversions =
  /^(?:Number|BigInt|parseInt|parseFloat|isNaN|isFinite|Date|Math\.\w+|Number\.(?:parse\w+)|Intl\.\w+)$/;
const listMethods = /^(?:at|filter|find|forEach|join|map|pop|reduce|shift|slice|sort|toSorted)$/;
/** Methods of classes that say that they make an object of the class. */
const makers = /^(?:from|of|parse|create|make|build|zero|one|unit|empty|identity)(?:[A-Z]|$)/;
const hooks = new Set(['before', 'after', 'beforeEach', 'afterEach']);

const isClassName = (name) => /^[A-Z]/.test(name);
/** Follows one file. */
class Reader extends Notes {
  constructor(file, text, known, isArtifact, made) {
    super();
    Object.assign(this, { file, text, known, isArtifact, made });
    this.tree = treeOf(text);
  }

  /** What is in a value that a test writes out. */
  parts = (value) =>
    value?.kind === 'held'
      ? [...value.held.values()].flatMap(this.parts)
      : value?.kind === 'group'
        ? this.parts(value.part)
        : [value];
  items = (value) =>
    value?.kind === 'group' ? value.part : value?.kind === 'thing' ? thing(`${value.origin}[]`) : undefined;

  bind(pattern, value, scope) {
    switch (pattern?.type) {
      case 'Identifier':
        scope.set(pattern.name, value);
        if (value?.isAssert) this.asserts.add(pattern.name);
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
    if (owner?.kind === 'tests') return { kind: 'tests', name: String(name) };
    if (owner?.kind === 'held') return owner.held.get(name);
    if (owner?.kind === 'library') return { ...owner, name: `${owner.name}.${name}` };
    if (owner?.kind === 'group') return { kind: 'method', owner, name };
    if (owner?.kind !== 'thing') return undefined;
    // Items that are objects are in a list.
    const item = thing(`${owner.origin}[]`);
    if (this.known.isObject(item) && listMethods.test(name))
      return { kind: 'method', owner: group(item), name };
    // Nothing but an object has it.
    if (owner.origin.endsWith('()') && !valueMethods.has(name)) this.known.show(owner);
    return thing(`${owner.origin}.${name}`, false, owner);
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
    const isCalled = node === this.callee;
    const owner = this.ev(node.object, scope);
    if (!node.computed) {
      if (isCalled) this.noteMethod(node, owner);
      else this.readProperty(node, owner);
      return this.property(owner, node.property.name);
    }
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
    const found = { kind: 'held', held };
    this.written.set(found, node);
    return found;
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
    if (this.statement !== null && this.mayKeep(node.callee, kind, scope)) this.statement.isKeeping = true;
    if (kind?.kind === 'thing') {
      const name = kind.origin.split('.').at(-1);
      for (const each of args) this.use(each);
      this.noteGiven(node, kind, node.arguments);
      const made = thing(`${name}()`, true);
      this.known.kinds.set(made.origin, name);
      return Object.assign(made, { isNew: true, order: this.known.next() });
    }
    if (kind?.kind === 'library' && conversions.test(kind.name))
      for (const each of args) this.convert(node, each);
    return /^(?:Set|Map|Array)$/.test(kind?.name) ? group(this.items(args[0])) : undefined;
  }
  /** A template with a tag is a call of it. */
  evTaggedTemplateExpression(node, scope) {
    const callee = this.ev(node.tag, scope);
    const args = node.quasi.expressions.map((each) => this.ev(each, scope));
    if (callee?.kind !== 'thing') return undefined;
    for (const each of [callee.owner, ...args]) this.use(each);
    this.noteGiven(node, callee, this.withValues(node.quasi.expressions, args));
    return Object.assign(thing(`${callee.origin}()`), { by: callee.owner, order: this.known.next() });
  }
  /** Arguments, each variable with what it holds. */
  withValues = (args, values) =>
    args.map((each, index) => (each.type === 'Identifier' ? { type: 'Held', value: values[index] } : each));
  /** What a file of the older kind imports. */
  required(from) {
    if (from === 'node:test') return { kind: 'tests', name: 'test' };
    if (/^(?:node:)?assert(?:\/strict)?$/.test(from)) {
      this.isLoose ||= !from.endsWith('/strict') && !/require\([^)]*\)\.strict\b/.test(this.text);
      return { kind: 'library', name: 'assert', isImported: true, isAssert: true };
    }
    if (this.isArtifact(from, `file:///suite/${this.file}`)) return { kind: 'module' };
    return { kind: 'library', name: from, isImported: isBuiltin(from) };
  }
  evCallExpression(node, scope) {
    const [{ value: from } = {}] = node.arguments;
    if (node.callee.name === 'require' && scope.get('require') === undefined && typeof from === 'string')
      return this.required(from);
    this.callee = node.callee;
    const callee = this.ev(node.callee, scope);
    if (this.isTest(node.callee, scope)) return this.readTest(node, scope);
    const args = node.arguments.map((each) => this.ev(each, scope));
    const [first] = args;
    if (this.statement !== null && this.mayKeep(node.callee, callee, scope)) this.statement.isKeeping = true;
    if (callee?.kind === 'function') return this.enter(callee, args);
    if (callee?.kind === 'thing') {
      for (const each of [callee.owner, ...args]) this.use(each);
      this.noteGiven(node, callee, this.withValues(node.arguments, args));
      this.noteUnplain(node, callee, args);
      // A class method makes an object.
      const owner = callee.origin.slice(0, callee.origin.lastIndexOf('.'));
      const isOfClass = isClassName(owner) && !owner.includes('(');
      for (const each of args) if (each?.kind === 'function') this.enter(each, []);
      const order = this.known.next();
      const made = thing(`${callee.origin}()`, isOfClass);
      if (isOfClass && makers.test(callee.origin.slice(owner.length + 1))) this.known.show(made, owner);
      return Object.assign(made, { by: callee.owner, order });
    }
    if (callee?.kind === 'method') return this.callMethod(node, callee, args);
    const name = callee?.name ?? '';
    if (name === 'Array.from' || name === 'Array.of') return group(this.items(first));
    if (name === 'JSON.stringify') for (const each of this.parts(first)) this.convert(node, each, true, true);
    if (/^(?:String|(?:util\.)?inspect)$/.test(name)) {
      this.convert(node, first, true);
      this.noteText(node, first);
    } else if (conversions.test(name)) for (const each of args) this.convert(node, each);
    else if (
      /(?:^|\.)(?:equal|notEqual)$/.test(name) &&
      this.isLoose &&
      node.arguments[1]?.type === 'Literal'
    )
      this.convert(node, first);
    if (/(?:^|\.)(?:strict)?[eE]qual$/.test(name) && node.arguments[1]?.name === 'undefined')
      this.noteLack(node, first);
    if (/(?:^|\.)(?:deep(?:Strict)?Equal|isDeepStrictEqual)$/.test(name)) {
      this.showEqual(node, args[0], args[1]);
      this.noteMade(node, args[0], args[1]);
    }
    if (/^Object\.is(?:Frozen|Sealed|Extensible)$/.test(name) && first?.isNew)
      this.note(node, first, true, {}, (label) => `asks whether ${label} is frozen`);
    if (node.callee.property?.name === 'pipe' && first?.kind === 'thing')
      this.note(node, first, true, {}, (label) => `pipes into ${label}`);
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
    if (run?.kind === 'library' && (run.name === 'String' || conversions.test(run.name)))
      this.convert(node, item, run.name === 'String');
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
    else if (node.body === this.body) this.returned.push(this.readStatement(node.body, inner));
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
    for (const { id, init } of node.declarations)
      if (init?.type === 'CallExpression' && init.callee.name === 'Symbol') this.symbols.add(id.name);
    for (const { id, init } of node.declarations) this.bind(id, this.ev(init, scope), scope);
  }
  evFunctionDeclaration(node, scope) {
    scope.set(node.id.name, { kind: 'function', node, scope });
  }
  /** A class of the test that extends one of the artifact's makes objects like these. */
  evClassDeclaration(node, scope) {
    const base = node.superClass ? this.ev(node.superClass, scope) : undefined;
    if (base?.kind === 'thing' && node.id) scope.set(node.id.name, base);
    return base;
  }
  evClassExpression = (node, scope) => this.evClassDeclaration(node, scope);
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
  /** Reads a statement of a test's own. Nothing but its assertion knows what it converts, where it keeps nothing. */
  readStatement(node, scope) {
    const call = node.type === 'ExpressionStatement' ? node.expression : node;
    let root = call.callee;
    while (root?.type === 'MemberExpression' && !root.computed) root = root.object;
    const isAssertion =
      call.type === 'CallExpression' &&
      this.asserts.has(root?.name) &&
      scope.get(root.name)?.kind === 'library';
    const { start, end } = node.loc;
    if (isAssertion && !keeping.test(this.text.slice(node.start, node.end)))
      this.statement = {
        ...{ file: this.file, site: this.site },
        begin: [start.line, start.column + 1],
        end: [end.line, end.column + 1],
      };
    const found = this.ev(node, scope);
    if (this.statement !== null && !this.statement.isKeeping) this.assertions.push(this.statement);
    this.statement = null;
    return found;
  }
  /** Hooks go first: they give variables the values that tests read. */
  statements(body, scope) {
    for (const each of body) if (each.type === 'FunctionDeclaration') this.ev(each, scope);
    const isHook = (each) =>
      hooks.has(each.expression?.callee?.name ?? each.expression?.callee?.property?.name);
    const isDeclared = (each) => /^(?:Variable|Class)Declaration$/.test(each.type);
    const plain = body.filter((each) => each.type !== 'FunctionDeclaration');
    if (body === this.body) for (const each of plain) this.readStatement(each, scope);
    else if (this.site !== null || !plain.some(isHook)) for (const each of plain) this.ev(each, scope);
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
    [this.converted, this.reads, this.used, this.isEarly] = [[], [], new Set(), false];
    this.body = own.node.body.type === 'BlockStatement' ? own.node.body.body : own.node.body;
    this.enter(own, []);
    this.body = null;
    this.noteConversions();
    this.noteReads();
    this.site = null;
  }

  read() {
    const scope = new Scope();
    this.isLoose = false;
    for (const node of this.tree.body) {
      if (node.type !== 'ImportDeclaration') continue;
      const from = String(node.source.value);
      if (/^(?:node:)?assert$/.test(from)) this.isLoose = true;
      if (/^(?:node:)?assert(?:\/strict)?$/.test(from))
        for (const { local } of node.specifiers) this.asserts.add(local.name);
      const isOwn = this.isArtifact(from, `file:///suite/${this.file}`);
      for (const { type, local, imported } of node.specifiers) {
        const name = imported?.name ?? imported?.value;
        if (from === 'node:test') scope.set(local.name, { kind: 'tests', name: name ?? 'test' });
        else if (isOwn)
          scope.set(
            local.name,
            type === 'ImportSpecifier' && name !== 'default' ? thing(name) : { kind: 'module' },
          );
        else scope.set(local.name, { kind: 'library', name: local.name, isImported: isBuiltin(from) });
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

/**
 * What tests convert: `places` that may need a reference, or at which an answer may be converted, as file, lines, the place at which the
 * test is declared as `line:column`, and the construct; and `assertions`, statements that keep nothing of what they convert.
 * @param made what the suite shows of functions that make objects: see `makersIn`
 */
export function placesIn(programs, texts, isArtifact, made) {
  const known = new Knowledge();
  let places = [];
  let assertions = [];
  for (let count = 0; count < readings; count += 1) {
    known.isChanged = false;
    [places, assertions] = [[], []];
    for (const [index, text] of texts.entries()) {
      try {
        const reader = new Reader(programs[index], text, known, isArtifact, made);
        reader.read();
        places.push(...reader.places);
        assertions.push(...reader.assertions);
      } catch {
        // What cannot be followed is not named: it never keeps a suite from judging.
      }
    }
    if (!known.isChanged) break;
  }
  return { places: places.slice(0, maxPlaces), assertions: assertions.slice(0, maxAssertions) };
}
