import { parseSync } from 'oxc-parser';
import {
  type Definitions,
  isDecimal,
  isThresholdKey,
  type LanguageSupport,
  type LiteralRange,
  type ThresholdNames,
} from './definition.ts';

/** A node of the syntax tree (ESTree with TypeScript), as far as it is read here. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function parse(source: string): SyntaxNode | null {
  const { program, errors } = parseSync('orchestrator.ts', source, {
    lang: 'ts',
    sourceType: 'module',
    preserveParens: true,
  });
  return errors.length > 0 ? null : (program as unknown as SyntaxNode);
}

/** Wrappers that leave a value as it is. */
const wrappers = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
]);

function unwrap(value: unknown): SyntaxNode | null {
  if (!isNode(value)) return null;
  return wrappers.has(value.type) ? unwrap(value.expression) : value;
}

function literalOf(value: unknown): LiteralRange | null {
  const node = unwrap(value);
  if (node?.type !== 'Literal' || typeof node.value !== 'number') return null;
  const text = String(node.raw);
  return isDecimal(text) ? { start: node.start, end: node.end, text } : null;
}

/** Returns the name of a key that is not computed. */
function keyOf({ key, computed }: SyntaxNode): string | null {
  if (!isNode(key) || computed === true) return null;
  if (key.type === 'Identifier') return String(key.name);
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null;
}

const isIdentifier = (value: unknown, name: string) =>
  isNode(value) && value.type === 'Identifier' && value.name === name;

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Returns true when a binding pattern binds the name. */
function binds(pattern: unknown, name: string): boolean {
  if (!isNode(pattern)) return Array.isArray(pattern) && pattern.some((each) => binds(each, name));
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name;
    case 'ObjectPattern':
      return binds(pattern.properties, name);
    case 'Property':
      return binds(pattern.value, name);
    case 'ArrayPattern':
      return binds(pattern.elements, name);
    case 'AssignmentPattern':
      return binds(pattern.left, name);
    case 'RestElement':
      return binds(pattern.argument, name);
    default:
      return false;
  }
}

function find(source: string, names: ThresholdNames): Definitions | null {
  const root = parse(source);
  if (root === null) return null;
  const literals: LiteralRange[] = [];
  let others = 0;
  let reassignments = 0;
  const name = names.constant;
  const define = (value: unknown) => {
    const literal = literalOf(value);
    if (literal === null) others += 1;
    else literals.push(literal);
  };

  function visit(
    node: SyntaxNode,
    context: { readonly local: boolean; readonly table: string | null },
  ): void {
    const { local } = context;
    let { table } = context;
    switch (node.type) {
      case 'VariableDeclarator': {
        const { id, init } = node;
        if (!local && isIdentifier(id, name)) define(init);
        else if (!local && binds(id, name)) others += 1;
        table = isNode(id) && id.type === 'Identifier' ? String(id.name) : null;
        break;
      }
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        if (isIdentifier(node.local, name)) others += 1;
        break;
      case 'AssignmentExpression':
        if (binds(node.left, name)) reassignments += 1;
        break;
      case 'UpdateExpression':
        if (isIdentifier(node.argument, name)) reassignments += 1;
        break;
      case 'ObjectExpression': {
        const properties = Array.isArray(node.properties) ? node.properties.filter(isNode) : [];
        const isSpread = properties.some(({ type }) => type === 'SpreadElement');
        for (const property of properties) {
          const key = keyOf(property);
          if (local || property.type !== 'Property' || key === null || !isThresholdKey(key, table, names))
            continue;
          // A shorthand reads a variable of this name, whose definition counts.
          if (property.shorthand !== true) define(isSpread ? null : property.value);
        }
        table = null;
        break;
      }
      case 'PropertyDefinition':
        if (!local && keyOf(node) === name) define(node.value);
        break;
      case 'TSEnumMember':
        if (!local && (isIdentifier(node.id, name) || (isNode(node.id) && node.id.value === name)))
          define(node.initializer);
        break;
      case 'CallExpression': {
        // Object.freeze and the like keep the table.
        const args = Array.isArray(node.arguments) ? node.arguments.length : 0;
        if (args !== 1) table = null;
        break;
      }
      default:
        if (!wrappers.has(node.type)) table = null;
    }
    const inside = { local: local || functions.has(node.type), table };
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inside);
    }
  }
  visit(root, { local: false, table: null });
  return { literals, others, reassignments };
}

/** Counts the leaves in which two trees differ, without positions; infinite when their shapes differ. */
function countDifferences(one: unknown, other: unknown): number {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return Number.POSITIVE_INFINITY;
    return one.reduce((sum: number, each, index) => sum + countDifferences(each, other[index]), 0);
  }
  if (isPlain(one) && isPlain(other)) {
    // A number is one leaf, although the tree holds its value and its spelling.
    if (one.type === 'Literal' && other.type === 'Literal') return one.raw === other.raw ? 0 : 1;
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    let sum = 0;
    for (const key of keys)
      if (key !== 'start' && key !== 'end' && key !== 'range') sum += countDifferences(one[key], other[key]);
    return sum;
  }
  return Object.is(one, other) ? 0 : 1;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** TypeScript, by oxc. */
export const typescript: LanguageSupport = {
  comment: '//',
  find,
  differences(before, after) {
    const [one, other] = [parse(before), parse(after)];
    return one === null || other === null ? null : countDifferences(one, other);
  },
};
