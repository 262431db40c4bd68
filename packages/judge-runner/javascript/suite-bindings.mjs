/*
 * Resolves names in the files of a suite by their scopes: which expression stands for which export of the artifact, as
 * `module#name` or `module#object.name`, however the suite imports, destructures or renames it. A local name hides an import.
 */
import { treeOf } from './analysis.mjs';

/** Names under which a module is an export of itself. */
export const ofModule = new Set(['default', 'module.exports']);

/** The text that stands for an export, or for a function that one holds. */
export const exportName = (module, names) => {
  const inner = ofModule.has(names[0]) ? names.slice(1) : names;
  return `${module}#${inner.length === 0 ? 'default' : inner.join('.')}`;
};

const isFunction = (node) => /Function/.test(node.type);
const hasScope = (node) =>
  isFunction(node) ||
  /^(?:Program|BlockStatement|For\w*Statement|CatchClause|Class\w+|SwitchStatement)$/.test(node.type);

export function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((each) => typeof each?.type === 'string' && each.loc);
}

/** Identifiers that a pattern binds, each with the names of the properties that it stands for; null where these are not known. */
export function* targetsOf(pattern, path = []) {
  switch (pattern?.type) {
    case 'Identifier':
      yield [pattern, path];
      break;
    case 'ObjectPattern':
      for (const each of pattern.properties) {
        const name = each.computed ? undefined : (each.key?.name ?? each.key?.value);
        yield* targetsOf(
          each.value ?? each.argument,
          path === null || name === undefined ? null : [...path, name],
        );
      }
      break;
    case 'ArrayPattern':
      for (const each of pattern.elements) yield* targetsOf(each, null);
      break;
    case 'AssignmentPattern':
      yield* targetsOf(pattern.left, path);
      break;
    case 'RestElement':
      yield* targetsOf(pattern.argument, null);
      break;
  }
}

/** The name of a property that a member expression reads; null where it is computed. */
export const nameOf = ({ computed, property }) =>
  computed ? (typeof property.value === 'string' ? property.value : null) : (property.name ?? null);

/** The file of a suite, with parents of nodes and bindings of identifiers. */
export class File {
  parents = new Map();
  /** Bindings by identifier: `values` that are assigned to one, and `uses` of it. */
  bindings = new Map();
  calls = [];

  /** @param moduleOf the module of the artifact that a specifier stands for, or null */
  constructor(name, text, moduleOf) {
    Object.assign(this, { name, text, moduleOf });
    const tree = treeOf(text);
    this.visit(tree, null, new Map());
  }

  declare(scope, target, value = null) {
    if (!scope.has(target.name) || !scope.get(target.name).isOf(scope))
      scope.set(target.name, { values: [], uses: [], isOf: (other) => other === scope });
    const binding = scope.get(target.name);
    this.bindings.set(target, binding);
    if (value !== null) binding.values.push({ ...value, target, start: target.start });
  }
  /** Declares what a scope holds, before any of it is read. */
  hoist(node, scope) {
    const declareAll = (pattern, value) => {
      for (const [target, path] of targetsOf(pattern))
        this.declare(scope, target, value === null ? null : { ...value, path });
    };
    const walk = (each, isDeep) => {
      if (each.type === 'VariableDeclaration' && (!isDeep || each.kind === 'var')) {
        for (const { id, init } of each.declarations) declareAll(id, init === null ? null : { node: init });
      } else if (/^(?:Function|Class)Declaration$/.test(each.type) && each.id) {
        if (!isDeep) this.declare(scope, each.id, { node: each, path: [] });
      } else if (each.type === 'ImportDeclaration') {
        const module = this.moduleOf(String(each.source.value), `file:///suite/${this.name}`);
        for (const { type, local, imported } of each.specifiers) {
          const name = imported?.name ?? imported?.value;
          const path = type !== 'ImportSpecifier' || ofModule.has(name) ? [] : [name];
          this.declare(scope, local, { module, path });
        }
      } else if (each.type.startsWith('Export') && each.declaration) walk(each.declaration, isDeep);
      if (!isFunction(each) && !/^Class/.test(each.type))
        for (const part of childrenOf(each))
          if (/Statement$|Declaration$|SwitchCase|CatchClause/.test(part.type)) walk(part, true);
    };
    if (isFunction(node)) {
      for (const [index, param] of node.params.entries()) declareAll(param, { param: index, of: node });
      if (node.type === 'FunctionExpression' && node.id && !scope.has(node.id.name))
        this.declare(scope, node.id, { node, path: [] });
      if (node.body.type === 'BlockStatement') for (const each of childrenOf(node.body)) walk(each, true);
      return;
    }
    if (node.type === 'CatchClause') declareAll(node.param, { node: null });
    const own = /^For/.test(node.type)
      ? [node.init, node.left].filter(Boolean)
      : node.type === 'SwitchStatement'
        ? node.cases.flatMap((each) => each.consequent)
        : Array.isArray(node.body)
          ? node.body
          : [];
    for (const each of own) {
      walk(each, false);
      if (/^For(?:Of|In)/.test(node.type) && each.type === 'VariableDeclaration')
        declareAll(each.declarations[0].id, { item: node.right });
    }
  }
  visit(node, parent, outer) {
    this.parents.set(node, parent);
    let scope = outer;
    if (hasScope(node)) {
      scope = new Map(outer);
      this.hoist(node, scope);
    }
    if (node.type === 'CallExpression') this.calls.push(node);
    if (node.type === 'Identifier' && !this.bindings.has(node) && this.isReference(node, parent)) {
      const binding = scope.get(node.name);
      if (binding !== undefined) {
        this.bindings.set(node, binding);
        binding.uses.push(node);
      }
    }
    for (const each of childrenOf(node)) this.visit(each, node, scope);
    if (node.type === 'AssignmentExpression')
      for (const [target, path] of targetsOf(node.left)) {
        const binding = this.bindings.get(target);
        if (binding === undefined) continue;
        binding.uses = binding.uses.filter((each) => each !== target);
        binding.values.push({
          node: node.operator === '=' ? node.right : null,
          path,
          target,
          start: target.start,
        });
      }
  }
  isReference = (node, parent) =>
    !(parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) &&
    !(
      /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(parent?.type) &&
      parent.key === node &&
      !parent.computed
    );

  /** The value that a variable has where it is used: the only one, or the one that is assigned before. */
  valueAt(use) {
    const { values = [] } = this.bindings.get(use) ?? {};
    if (values.length <= 1) return values[0];
    return values
      .filter((each) => each.start <= use.start)
      .sort((one, other) => one.start - other.start)
      .at(-1);
  }

  /** What an expression stands for, as its module and names within it; null where that is none of the artifact's exports. */
  pathOf(node, depth = 0) {
    if (depth > 20 || !node) return null;
    const next = (each) => this.pathOf(each, depth + 1);
    switch (node.type) {
      case 'Identifier': {
        const binding = this.bindings.get(node);
        // A variable that is set twice may hold either.
        const [value] = binding?.values.length === 1 ? binding.values : [];
        if (!value?.path) return null;
        const found =
          'module' in value
            ? value.module === null
              ? null
              : { module: value.module, names: [] }
            : value.node
              ? next(value.node)
              : null;
        return found && this.within(found, value.path);
      }
      case 'MemberExpression': {
        const owner = next(node.object);
        const name = nameOf(node);
        return owner === null || name === null ? null : this.within(owner, [name]);
      }
      case 'ChainExpression':
        return next(node.expression);
      case 'AwaitExpression':
        return node.argument.type === 'ImportExpression' ? this.moduleAt(node.argument.source) : null;
      case 'CallExpression':
        return node.callee.name === 'require' && !this.bindings.has(node.callee)
          ? this.moduleAt(node.arguments[0])
          : null;
      default:
        return null;
    }
  }
  within = ({ module, names }, more) => ({
    module,
    names: [...names, ...more].filter((name, index) => index > 0 || !ofModule.has(name)),
  });
  moduleAt(source) {
    const module =
      typeof source?.value === 'string' ? this.moduleOf(source.value, `file:///suite/${this.name}`) : null;
    return module === null ? null : { module, names: [] };
  }
  /** The export that an expression stands for, as text; null for another. */
  exportOf(node) {
    const found = this.pathOf(node);
    return found === null ? null : exportName(found.module, found.names);
  }

  /** Where the engine says that a call is made, as `line:column`. */
  placeOf({ callee }) {
    const isNamed = callee.type === 'Identifier' || (callee.type === 'MemberExpression' && !callee.computed);
    const own = callee.type === 'MemberExpression' ? callee.property : callee;
    const isDirect = this.text.startsWith('(', this.text.slice(own.end).search(/\S/) + own.end);
    const at = isNamed && isDirect ? own.start : this.text.indexOf('(', callee.end);
    return this.lineAndColumn(at);
  }
  /** Where the engine may say that a method is read or called. */
  placesOf(call) {
    return [this.placeOf(call), ...this.placesOfRead(call.callee)];
  }
  /** Where the engine may say that a property is read. */
  placesOfRead({ object, property }) {
    const dot = object.end + this.text.slice(object.end).search(/\S/);
    return [dot, property.start].map((at) => this.lineAndColumn(at));
  }
  lineAndColumn(at) {
    const before = this.text.slice(0, at);
    return `${before.split('\n').length}:${at - before.lastIndexOf('\n')}`;
  }
}
