import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Language, type Node, Parser } from 'web-tree-sitter';
import {
  type Definitions,
  isDecimal,
  isThresholdKey,
  type LanguageSupport,
  type LiteralRange,
  type ThresholdNames,
} from './definition.ts';

/** The grammar lies beside the output; in the sources it comes from its package. */
function grammar(): Uint8Array {
  const bundled = fileURLToPath(new URL('./tree-sitter-python.wasm', import.meta.url));
  if (existsSync(bundled)) return readFileSync(bundled);
  return readFileSync(createRequire(import.meta.url).resolve('tree-sitter-python/tree-sitter-python.wasm'));
}

// WebAssembly loads asynchronously; with it loaded here, editing stays a synchronous function.
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(grammar()));

/** Runs `use` on the tree of a source, and frees the tree. Null for a syntax error. */
function withTree<Result>(source: string, use: (root: Node) => Result): Result | null {
  const tree = parser.parse(source);
  if (tree === null) return null;
  try {
    return tree.rootNode.hasError ? null : use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The text of a string without prefix, escapes and interpolation; null for any other string. */
function stringValue(node: Node): string | null {
  return node.type === 'string' ? (/^(["'])([^\\\n]*)\1$/u.exec(node.text)?.[2] ?? null) : null;
}

/** Removes parentheses around a value. */
function unwrap(node: Node | null): Node | null {
  if (node?.type !== 'parenthesized_expression') return node;
  const inner = node.namedChildren.filter((child) => child !== null && child.type !== 'comment');
  return inner.length === 1 ? unwrap(inner[0] ?? null) : node;
}

function literalOf(value: Node | null): LiteralRange | null {
  const node = unwrap(value);
  if (node === null || (node.type !== 'float' && node.type !== 'integer') || !isDecimal(node.text))
    return null;
  return { start: node.startIndex, end: node.endIndex, text: node.text };
}

const isSame = (one: Node | null, other: Node | null) =>
  one !== null && other !== null && one.id === other.id;

/** Returns true for a node inside of a function, whose names are its own. */
function isLocal(node: Node): boolean {
  for (let outer = node.parent; outer !== null; outer = outer.parent)
    if (outer.type === 'function_definition' || outer.type === 'lambda') return true;
  return false;
}

/** Returns true when the function around a node declares the name as global. */
function isGlobal(node: Node, name: string): boolean {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.type !== 'function_definition') continue;
    return outer
      .descendantsOfType('global_statement')
      .some((statement) => statement?.namedChildren.some((child) => child?.text === name));
  }
  return false;
}

/** Nodes in which a name is bound, by the field that binds it. */
const bindings: Readonly<Record<string, string | null>> = {
  augmented_assignment: 'left',
  named_expression: 'name',
  for_statement: 'left',
  aliased_import: 'alias',
  as_pattern_target: null,
  pattern_list: null,
  tuple_pattern: null,
  list_pattern: null,
  delete_statement: null,
};

function find(source: string, names: ThresholdNames): Definitions | null {
  return withTree(source, (root) => {
    const literals: LiteralRange[] = [];
    let others = 0;
    let reassignments = 0;
    const define = (value: Node | null) => {
      const literal = literalOf(value);
      if (literal === null) others += 1;
      else literals.push(literal);
    };

    for (const node of root.descendantsOfType('identifier')) {
      if (node === null || node.text !== names.constant) continue;
      const { parent } = node;
      if (parent === null) continue;
      if (isLocal(node) && !isGlobal(node, names.constant)) continue;
      if (parent.type === 'assignment' && isSame(parent.childForFieldName('left'), node)) {
        const right = parent.childForFieldName('right');
        // An annotation without a value defines nothing.
        if (right === null) continue;
        // In a chain, one number belongs to several names.
        const isChained = right.type === 'assignment' || parent.parent?.type === 'assignment';
        if (isLocal(node)) reassignments += 1;
        else define(isChained ? null : right);
        continue;
      }
      if (parent.type === 'dotted_name' && parent.parent?.type.startsWith('import')) {
        others += 1;
        continue;
      }
      const field = bindings[parent.type];
      if (field === undefined) continue;
      // A list on the right of an assignment reads the name.
      const isRead =
        parent.parent?.type === 'assignment' && isSame(parent.parent.childForFieldName('right'), parent);
      if (field === null ? !isRead : isSame(parent.childForFieldName(field), node)) {
        if (parent.type === 'augmented_assignment' || parent.type === 'named_expression') reassignments += 1;
        else others += 1;
      }
    }

    for (const pair of root.descendantsOfType('pair')) {
      if (pair === null || isLocal(pair)) continue;
      const dictionary = pair.parent;
      const key = pair.childForFieldName('key');
      const name = key === null ? null : stringValue(key);
      if (name === null || dictionary?.type !== 'dictionary') continue;
      if (!isThresholdKey(name, tableOf(dictionary), names)) continue;
      const isSpread = dictionary.namedChildren.some((child) => child?.type === 'dictionary_splat');
      define(isSpread ? null : pair.childForFieldName('value'));
    }
    return { literals, others, reassignments };
  });
}

/** Returns the name that a dictionary is assigned to, or null. */
function tableOf(dictionary: Node): string | null {
  const { parent } = dictionary;
  if (parent?.type !== 'assignment' || !isSame(parent.childForFieldName('right'), dictionary)) return null;
  return parent.childForFieldName('left')?.text ?? null;
}

/** The tokens of a source without comments. */
function tokensOf(root: Node): readonly string[] {
  const tokens: string[] = [];
  const cursor = root.walk();
  try {
    for (;;) {
      if (cursor.nodeType !== 'comment' && cursor.gotoFirstChild()) continue;
      if (cursor.nodeType !== 'comment') tokens.push(`${cursor.nodeType} ${cursor.nodeText}`);
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return tokens;
    }
  } finally {
    cursor.delete();
  }
}

/** Python, by tree-sitter's grammar. */
export const python: LanguageSupport = {
  comment: '#',
  find,
  differences(before, after) {
    const [one, other] = [withTree(before, tokensOf), withTree(after, tokensOf)];
    if (one === null || other === null) return null;
    if (one.length !== other.length) return Number.POSITIVE_INFINITY;
    return one.filter((token, index) => token !== other[index]).length;
  },
};
