/*
 * Decides what a suite looks at of what a method says: only whether it is so, which any object can say of itself, or more. A method
 * that is given something and says nothing more than `0`, `null` or `[]` is no better: it may be given what the test expects.
 */
import { isDeepStrictEqual } from 'node:util';
import { nameOf, targetsOf } from './suite-bindings.mjs';

const maxDepth = 12;
const more = 'more';
/** Only its truth, or that it is nothing; and what is asserted of it, where that is known. */
const truth = 'truth';
const [isTrue, isFalse] = ['true', 'false'];
const not = (said) => (said === isTrue ? isFalse : said === isFalse ? isTrue : said);
/** Says nothing either way: a message, or a variable that is not read. */
const neutral = 'neutral';

/** Calls to which nothing is given but a function, whose answer they do not look at. */
const running = /^(?:throws|rejects|setTimeout|setImmediate|queueMicrotask)$/;
const conversion = /^(?:Boolean|Number|String|JSON\.stringify|Math\.\w+)$/;
const comparing = /^(?:not)?(?:deep)?(?:strict)?equal$|^notDeepStrictEqual$/i;

const isCallee = (node, parent) => parent?.type === 'CallExpression' && parent.callee === node;
const calledName = ({ callee }) => (callee.type === 'MemberExpression' ? nameOf(callee) : callee.name) ?? '';
const dottedName = ({ callee }) =>
  callee.type === 'MemberExpression' ? `${callee.object.name}.${nameOf(callee)}` : callee.name;

/** A value that is written out, in a list of its own; an empty list for any other expression. */
function literalOf(node) {
  if (node?.type === 'Literal') return node.regex || node.bigint ? [] : [node.value];
  if (node?.type === 'Identifier' && node.name === 'undefined') return [undefined];
  if (node?.type === 'UnaryExpression' && node.operator === 'void') return [undefined];
  if (node?.type === 'UnaryExpression' && node.operator === '-') return literalOf(node.argument);
  if (node?.type === 'ArrayExpression' && node.elements.length === 0) return [[]];
  if (node?.type === 'ObjectExpression' && node.properties.length === 0) return [{}];
  return [];
}
/** What says no more than that something is so, or that nothing is there, as a value or a text. */
const isWeak = (value) =>
  [true, false, 0, null, undefined, ''].includes(value) ||
  (typeof value === 'string' && /^(?:true|false|null|undefined|-?0(?:\.0+)?)$/.test(value)) ||
  (Object(value) === value && Object.keys(value).length === 0);

/** What each row of a table says, where a loop reads one of its columns: `for (const [text, is] of [['ab', true]])`. */
function columnOf(file, use) {
  const binding = file.bindings.get(use);
  const { item, path, target } = binding?.values.find((each) => 'item' in each) ?? {};
  if (item === undefined) return [];
  const rows = item.type === 'Identifier' ? file.valueAt(item)?.node : item;
  if (rows?.type !== 'ArrayExpression') return [];
  const pattern = file.parents.get(target);
  return rows.elements.flatMap((row) => {
    if (pattern.type === 'ArrayPattern') return literalOf(row?.elements?.[pattern.elements.indexOf(target)]);
    return literalOf(path?.length === 1 ? propertyOf(row, path[0]) : row);
  });
}
const keyOf = ({ key }) => key?.name ?? key?.value;
const propertyOf = (node, name) => node?.properties?.find((each) => keyOf(each) === name)?.value;

/** What is expected, as far as the file writes it out: several values where a table says more than one. */
function expectedOf(file, node) {
  const own = literalOf(node);
  if (own.length > 0 || node?.type !== 'Identifier') return own;
  const value = file.valueAt(node);
  return value?.node ? literalOf(value.node) : columnOf(file, node);
}

/** What values that are expected say of one that is compared with them. */
function saidBy(found, isGiven) {
  const [first] = found;
  if (found.length === 0 || !found.every((each) => isDeepStrictEqual(each, first))) return more;
  return typeof first === 'boolean' ? String(first) : isGiven && isWeak(first) ? truth : more;
}
function saidByExpected(file, node, isGiven) {
  const parts = node?.elements ?? node?.properties?.map((each) => each.value) ?? [];
  return saidBy(parts.length > 0 ? parts.flatMap(literalOf) : expectedOf(file, node), isGiven);
}

/** What is looked at of a value that a call of an assertion is given. */
function assertionSays(file, call, node, isGiven, depth) {
  const name = calledName(call);
  const index = call.arguments.indexOf(node);
  if (name === 'ok' || name === 'assert' || name === 'ifError')
    return index > 0 ? neutral : name === 'ifError' ? isFalse : isTrue;
  if (comparing.test(name)) {
    if (index > 1) return neutral;
    if (name.startsWith('not'))
      return isGiven ? truth : not(saidByExpected(file, call.arguments[1 - index], isGiven));
    return saidByExpected(file, call.arguments[1 - index], isGiven);
  }
  if (conversion.test(dottedName(call) ?? '')) return says(file, call, isGiven, depth + 1);
  if ((name === 'push' && isGiven) || dottedName(call) === 'Object.is') return truth;
  return helperSays(file, call, index, isGiven, depth) ?? more;
}

/** What a function of the suite looks at of its parameter. */
function helperSays(file, { callee }, index, isGiven, depth) {
  const value = callee.type === 'Identifier' ? file.valueAt(callee)?.node : undefined;
  if (value?.params === undefined) return null;
  const param = value.params[index];
  return param?.type === 'Identifier'
    ? variableSays(file, file.bindings.get(param), () => true, isGiven, depth)
    : null;
}

/** What several uses say together. */
function joined(found) {
  if (found.includes(more)) return more;
  const all = new Set(found.filter((each) => each !== neutral));
  return all.size > 1 ? truth : ([...all][0] ?? neutral);
}
function variableSays(file, binding, isOwn, isGiven, depth) {
  if (binding === undefined) return more;
  const found = binding.uses.filter(isOwn).map((use) => says(file, use, isGiven, depth + 1));
  return joined(found);
}

/** A list or an object that a test writes out of answers: what stands at the same place of what is expected. */
function partSays(file, node, isGiven, depth) {
  const parent = file.parents.get(node);
  const place = file.parents.get(parent);
  const holder = parent.type === 'Property' ? place : parent;
  const call = file.parents.get(holder);
  if (call?.type !== 'CallExpression' || !comparing.test(calledName(call)))
    return says(file, holder, isGiven, depth + 1);
  const other = call.arguments[1 - call.arguments.indexOf(holder)];
  const own =
    parent === holder
      ? literalOf(other?.elements?.[holder.elements.indexOf(node)])
      : literalOf(propertyOf(other, keyOf(parent)));
  // A list that says both says more.
  const isBoth = (other?.elements ?? []).flatMap(literalOf).includes(!own[0]);
  return isBoth ? more : saidBy(own, isGiven);
}

function functionSays(file, node) {
  const call = file.parents.get(node);
  return call?.type === 'CallExpression' && node.params.length === 0 && running.test(calledName(call))
    ? more
    : truth;
}

/**
 * What the suite looks at of an expression's value: `more` than its truth, `true` or `false` where only that is asserted, `truth` where no
 * more is known, and `neutral` where nothing is.
 * @param isGiven true where the artifact was given something to compute it
 */
export function says(file, node, isGiven, depth = 0) {
  const parent = file.parents.get(node);
  if (depth > maxDepth) return more;
  const up = () => says(file, parent, isGiven, depth + 1);
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'ChainExpression':
    case 'TemplateLiteral':
    case 'SpreadElement':
      return up();
    case 'MemberExpression': {
      if (parent.property === node) return more;
      const call = file.parents.get(parent);
      return isCallee(parent, call)
        ? says(file, call, isGiven || call.arguments.length > 0, depth + 1)
        : up();
    }
    case 'ArrowFunctionExpression':
      return functionSays(file, parent);
    case 'ReturnStatement': {
      let own = parent;
      while (own !== null && !/Function/.test(own.type)) own = file.parents.get(own);
      return own === null ? truth : functionSays(file, own);
    }
    case 'UnaryExpression':
      return parent.operator === '!'
        ? not(says(file, parent, isGiven, depth + 1))
        : parent.operator === 'typeof'
          ? neutral
          : more;
    case 'IfStatement':
    case 'SwitchStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return truth;
    case 'ConditionalExpression':
      return parent.test === node ? truth : up();
    case 'LogicalExpression':
      return parent.operator === '??' ? up() : truth;
    case 'BinaryExpression':
      if (/^[!=]==?$/.test(parent.operator)) return truth;
      return /^[<>]=?$/.test(parent.operator) ? up() : more;
    case 'CallExpression':
      return isCallee(node, parent) ? more : assertionSays(file, parent, node, isGiven, depth);
    case 'ArrayExpression':
    case 'Property':
      return partSays(file, node, isGiven, depth);
    case 'VariableDeclarator':
      return heldSays(file, parent.id, node, isGiven, depth);
    case 'ForOfStatement':
      return parent.right === node && parent.left.type === 'VariableDeclaration'
        ? heldSays(file, parent.left.declarations[0].id, node, isGiven, depth)
        : more;
    case 'AssignmentExpression':
      if (parent.operator !== '=' || parent.left.type === 'MemberExpression') return isGiven ? truth : more;
      return heldSays(file, parent.left, node, isGiven, depth);
    default:
      return neutral;
  }
}

/** What is looked at of the variables that hold a value, or its parts. */
function heldSays(file, pattern, node, isGiven, depth) {
  const isOwn = (use) => [file.valueAt(use)?.node, file.valueAt(use)?.item].includes(node);
  const found = [...targetsOf(pattern)].map(([target]) =>
    variableSays(file, file.bindings.get(target), isOwn, isGiven, depth),
  );
  return joined(found);
}
