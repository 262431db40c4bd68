import { type Comment, type Token, tokenize, UnsupportedPython } from './tokens.ts';

/** The expressions that assertions are made of. */
export type Expression = { readonly line: number } & (
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string' | 'bytes'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'call'; readonly target: Expression; readonly args: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'compare';
      readonly first: Expression;
      readonly rest: readonly (readonly [operator: string, right: Expression])[];
    }
  | { readonly kind: 'logical'; readonly operator: 'and' | 'or'; readonly parts: readonly Expression[] }
  | {
      readonly kind: 'comprehension';
      readonly type: 'list' | 'set' | 'generator';
      readonly element: Expression;
      readonly targets: readonly string[];
      readonly iterable: Expression;
      readonly conditions: readonly Expression[];
    }
  /** Something that may be written but not evaluated; it matters only where its value is needed. */
  | { readonly kind: 'unsupported'; readonly construct: string }
);

/** The statements that HumanEval's tests consist of. */
export type Statement = { readonly line: number } & (
  | { readonly kind: 'assert'; readonly test: Expression }
  | { readonly kind: 'assign'; readonly targets: readonly string[]; readonly value: Expression }
  | {
      readonly kind: 'for';
      readonly targets: readonly string[];
      readonly iterable: Expression;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'expression'; readonly value: Expression }
  | { readonly kind: 'import'; readonly names: readonly string[] }
  | {
      readonly kind: 'def';
      readonly name: string;
      readonly parameters: readonly string[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'pass' }
);

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', 'in', 'is', 'not']);
const binaryLevels: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%', '@'],
];
const keywords = new Set(
  `and as assert async await break class continue def del elif else except finally for from global if import in is
   lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);
/** An expression nested deeper than this is refused, before it exhausts the stack. */
const maxNesting = 200;

/**
 * Reads the subset of Python that HumanEval's tests are written in.
 * @throws UnsupportedPython naming the first construct that is not in it.
 */
export function parsePython(source: string): {
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
} {
  const { tokens, comments } = tokenize(source);
  let at = 0;
  let nesting = 0;

  const peek = (): Token => tokens[at] ?? { kind: 'end', text: '', line: 0 };
  const is = (text: string): boolean => {
    const { kind, text: found } = peek();
    return (kind === 'name' || kind === 'operator') && found === text;
  };
  const take = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const accept = (text: string): boolean => {
    if (!is(text)) return false;
    at += 1;
    return true;
  };
  const unsupported = (): UnsupportedPython => {
    const { kind, text, line } = peek();
    return new UnsupportedPython(text === '' ? `the ${kind} there` : `'${text}'`, line);
  };
  const expect = (text: string): void => {
    if (!accept(text)) throw unsupported();
  };
  const identifier = (): string => {
    const token = peek();
    if (token.kind !== 'name' || keywords.has(token.text)) throw unsupported();
    at += 1;
    return token.text;
  };

  /** Parses items up to `close`; reports a trailing comma, which makes a tuple. */
  const itemsUntil = (close: string, first?: Expression): { items: Expression[]; comma: boolean } => {
    const items = first ? [first] : [];
    let comma = false;
    if (first) comma = accept(',');
    while (!is(close)) {
      items.push(expression());
      comma = accept(',');
      if (!comma) break;
    }
    expect(close);
    return { items, comma };
  };

  const targets = (): string[] => {
    const open = accept('(');
    const names = [identifier()];
    while (accept(',')) names.push(identifier());
    if (open) expect(')');
    return names;
  };

  const comprehension = (
    type: 'list' | 'set' | 'generator',
    element: Expression,
    close: string,
  ): Expression => {
    const { line } = element;
    expect('for');
    const names = targets();
    expect('in');
    const iterable = disjunction();
    const conditions: Expression[] = [];
    while (accept('if')) conditions.push(disjunction());
    if (is('for')) throw new UnsupportedPython('a comprehension with two loops', line);
    expect(close);
    return { kind: 'comprehension', type, element, targets: names, iterable, conditions, line };
  };

  const parenthesized = (line: number): Expression => {
    if (accept(')')) return { kind: 'tuple', items: [], line };
    const first = expression();
    if (is('for')) return comprehension('generator', first, ')');
    if (accept(')')) return first;
    return { kind: 'tuple', items: itemsUntil(')', first).items, line };
  };

  const list = (line: number): Expression => {
    if (accept(']')) return { kind: 'list', items: [], line };
    const first = expression();
    if (is('for')) return comprehension('list', first, ']');
    return { kind: 'list', items: itemsUntil(']', first).items, line };
  };

  const braces = (line: number): Expression => {
    if (accept('}')) return { kind: 'dict', entries: [], line };
    const first = expression();
    if (is('for')) return comprehension('set', first, '}');
    if (!is(':')) return { kind: 'set', items: itemsUntil('}', first).items, line };
    expect(':');
    const entries: [Expression, Expression][] = [[first, expression()]];
    while (accept(',') && !is('}')) {
      const key = expression();
      expect(':');
      entries.push([key, expression()]);
    }
    expect('}');
    return { kind: 'dict', entries, line };
  };

  const atom = (): Expression => {
    const token = peek();
    const { line } = token;
    if (token.kind === 'int') {
      at += 1;
      return { kind: 'int', value: token.value, line };
    }
    if (token.kind === 'float') {
      at += 1;
      return { kind: 'float', value: token.value, line };
    }
    if (token.kind === 'string' || token.kind === 'bytes') {
      // Adjacent literals are one.
      let value = '';
      for (let next = peek(); next.kind === token.kind; next = peek()) {
        value += next.value;
        at += 1;
      }
      return { kind: token.kind, value, line };
    }
    if (token.kind === 'unsupported') {
      at += 1;
      return { kind: 'unsupported', construct: token.text, line };
    }
    if (accept('(')) return parenthesized(line);
    if (accept('[')) return list(line);
    if (accept('{')) return braces(line);
    if (accept('None')) return { kind: 'none', line };
    if (accept('True')) return { kind: 'bool', value: true, line };
    if (accept('False')) return { kind: 'bool', value: false, line };
    return { kind: 'name', name: identifier(), line };
  };

  const callArguments = (): Expression[] => {
    const args: Expression[] = [];
    while (!is(')')) {
      if (is('*') || is('**')) throw new UnsupportedPython('unpacked arguments', peek().line);
      const argument = expression();
      if (is('=')) throw new UnsupportedPython('a keyword argument', peek().line);
      args.push(is('for') ? generatorArgument(argument) : argument);
      if (!accept(',')) break;
    }
    expect(')');
    return args;
  };
  /** `sum(x for x in y)`: the parenthesis closes the call as well. */
  const generatorArgument = (element: Expression): Expression => {
    const found = comprehension('generator', element, ')');
    at -= 1;
    return found;
  };

  const postfix = (): Expression => {
    let found = atom();
    for (;;) {
      const { line } = peek();
      if (accept('(')) found = { kind: 'call', target: found, args: callArguments(), line };
      else if (accept('.')) found = { kind: 'attribute', object: found, name: identifier(), line };
      else if (is('[')) throw new UnsupportedPython('an index', line);
      else return found;
    }
  };

  const power = (): Expression => {
    const left = postfix();
    const { line } = peek();
    return accept('**') ? { kind: 'binary', operator: '**', left, right: unary(), line } : left;
  };

  const unary = (): Expression => {
    const { text, line } = peek();
    if (accept('-') || accept('+') || accept('~'))
      return { kind: 'unary', operator: text, operand: unary(), line };
    return power();
  };

  const binary = (level: number): Expression => {
    const operators = binaryLevels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (;;) {
      const { kind, text, line } = peek();
      if (kind !== 'operator' || !operators.includes(text)) return left;
      at += 1;
      left = { kind: 'binary', operator: text, left, right: binary(level + 1), line };
    }
  };

  const comparison = (): Expression => {
    const first = binary(0);
    const { line } = first;
    const rest: [string, Expression][] = [];
    while (comparisons.has(peek().text) && (peek().kind === 'name' || peek().kind === 'operator')) {
      let operator = take().text;
      if (operator === 'not') {
        expect('in');
        operator = 'not in';
      } else if (operator === 'is' && accept('not')) operator = 'is not';
      rest.push([operator, binary(0)]);
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest, line };
  };

  const inversion = (): Expression => {
    const { line } = peek();
    return accept('not') ? { kind: 'unary', operator: 'not', operand: inversion(), line } : comparison();
  };

  const logical = (operator: 'and' | 'or', part: () => Expression): Expression => {
    const first = part();
    const parts = [first];
    while (accept(operator)) parts.push(part());
    return parts.length === 1 ? first : { kind: 'logical', operator, parts, line: first.line };
  };
  const disjunction = (): Expression => logical('or', () => logical('and', inversion));

  const expression = (): Expression => {
    nesting += 1;
    if (nesting > maxNesting) throw new UnsupportedPython('so deep a nesting', peek().line);
    const { line } = peek();
    if (is('lambda')) throw new UnsupportedPython('a lambda', line);
    const found = disjunction();
    if (is('if')) throw new UnsupportedPython('a conditional expression', line);
    if (is(':=')) throw new UnsupportedPython("':='", line);
    nesting -= 1;
    return found;
  };

  /** An expression that may be a tuple without parentheses. */
  const expressionList = (): Expression => {
    const first = expression();
    if (!is(',')) return first;
    const items = [first];
    while (accept(',') && peek().kind !== 'newline') items.push(expression());
    return { kind: 'tuple', items, line: first.line };
  };

  const endOfLine = (): void => {
    if (accept(';')) return;
    if (peek().kind !== 'newline') throw unsupported();
    at += 1;
  };

  const block = (): Statement[] => {
    expect(':');
    if (peek().kind !== 'newline') return [statement()];
    at += 1;
    if (take().kind !== 'indent') throw unsupported();
    const body: Statement[] = [];
    while (peek().kind !== 'dedent') body.push(statement());
    at += 1;
    return body;
  };

  const definition = (line: number): Statement => {
    const name = identifier();
    expect('(');
    const parameters: string[] = [];
    while (!is(')')) {
      parameters.push(identifier());
      if (!accept(',')) break;
    }
    expect(')');
    return { kind: 'def', name, parameters, body: block(), line };
  };

  const imported = (line: number): Statement => {
    const names: string[] = [];
    // `from a import b as c` and `import a.b as c` bind the last name of each part.
    let last = '';
    for (; peek().kind !== 'newline'; at += 1) {
      const { text } = peek();
      if (text === ',' || text === 'import') {
        if (text === ',' && last !== '') names.push(last);
        last = '';
      } else if (text !== '(' && text !== ')' && text !== '.' && text !== 'as') last = text;
    }
    names.push(last);
    endOfLine();
    return { kind: 'import', names, line };
  };

  const statement = (): Statement => {
    const { line } = peek();
    if (accept('assert')) {
      const test = expression();
      // The message says nothing about right or wrong.
      if (accept(',')) while (peek().kind !== 'newline' && peek().kind !== 'end') at += 1;
      endOfLine();
      return { kind: 'assert', test, line };
    }
    if (accept('pass')) {
      endOfLine();
      return { kind: 'pass', line };
    }
    if (accept('import') || accept('from')) return imported(line);
    if (accept('def')) return definition(line);
    if (accept('for')) {
      const names = targets();
      expect('in');
      const iterable = expressionList();
      const body = block();
      if (is('else')) throw unsupported();
      return { kind: 'for', targets: names, iterable, body, line };
    }
    if (keywords.has(peek().text) && peek().kind === 'name' && !is('not')) throw unsupported();
    const value = expressionList();
    if (accept('=')) {
      const assigned = expressionList();
      endOfLine();
      const parts = value.kind === 'tuple' ? value.items : [value];
      const names = parts.map((part) => {
        if (part.kind !== 'name') throw new UnsupportedPython('an assignment to anything but names', line);
        return part.name;
      });
      return { kind: 'assign', targets: names, value: assigned, line };
    }
    endOfLine();
    return { kind: 'expression', value, line };
  };

  const statements: Statement[] = [];
  while (peek().kind !== 'end') statements.push(statement());
  return { statements, comments };
}
