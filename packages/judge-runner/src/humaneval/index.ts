/**
 * Loads HumanEval tasks as suites.
 * @packageDocumentation
 */
import { isBonafideError } from '@bonafide/internal';
import * as z from 'zod';
import { JudgeError } from '../errors.ts';
import { parse, parseSuite, parseVectorSuite } from '../schemas.ts';
import type { Conversion, Layer, Suite, VectorCase, VectorSuite } from '../suite.ts';
import { encodeValue, type Value } from '../value.ts';
import { bind, evaluate, iterate, type Scope } from './evaluate.ts';
import { type Expression, parsePython, type Statement } from './syntax.ts';
import { type Comment, UnsupportedPython } from './tokens.ts';

const taskSchema = z.looseObject({
  task_id: z.string().min(1).max(200),
  entry_point: z.string().min(1).max(200),
  prompt: z.string().max(1_000_000).optional(),
  test: z.string().max(1_000_000),
});

type Draft = Omit<VectorCase, 'id' | 'layer'>;

const conversions: ReadonlySet<string> = new Set<Conversion>(['list', 'tuple', 'set', 'sorted', 'len']);

/** The largest float below `value` (positive): `x < value` for floats is `x <= below(value)`. */
function below(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) - 1n);
  return view.getFloat64(0);
}

const isMutable = (value: Value): boolean =>
  typeof value === 'object' && value !== null && ['list', 'set', 'dict'].includes(value.type);

/** Returns every name that an expression mentions. */
function namesIn(expression: Expression): string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) {
      if ('kind' in part && part.kind === 'name' && 'name' in part) found.push(String(part.name));
      else Object.values(part).forEach(visit);
    }
  };
  visit(expression);
  return found;
}

/** The value of a name, or None for one that has none here, such as a builtin. */
function lookUp(name: string, scope: Scope): Value {
  try {
    return scope(name, 0);
  } catch (error) {
    if (error instanceof UnsupportedPython) return null;
    throw error;
  }
}

/** Creates a reader that turns a test's assertions into cases, statement by statement. */
function createReader(options: {
  readonly candidate: string;
  readonly comments: readonly Comment[];
  readonly globals: Scope;
  readonly onCase: (draft: Draft, layer: Layer) => void;
}) {
  const { candidate, comments, globals, onCase } = options;
  /** Names of mutable values that were passed to the function, which may have changed them. */
  const given = new Set<string>();

  const isCandidate = (expression: Expression): boolean =>
    expression.kind === 'call' && expression.target.kind === 'name' && expression.target.name === candidate;

  /** The call in `candidate(…)` or in `sorted(candidate(…))`, or null. */
  const answerOf = (
    expression: Expression,
  ): { readonly call: Expression & { readonly kind: 'call' }; readonly as?: Conversion } | null => {
    if (expression.kind !== 'call') return null;
    if (isCandidate(expression)) return { call: expression };
    const [inner] = expression.args;
    const { target } = expression;
    if (target.kind === 'name' && conversions.has(target.name) && expression.args.length === 1 && inner)
      if (inner.kind === 'call' && isCandidate(inner)) return { call: inner, as: target.name as Conversion };
    return null;
  };

  const giveAway = (expression: Expression, scope: Scope): void => {
    for (const name of namesIn(expression)) if (isMutable(lookUp(name, scope))) given.add(name);
  };

  const draftOf = (answer: NonNullable<ReturnType<typeof answerOf>>, scope: Scope): Draft => {
    const args = answer.call.args.map((arg) => evaluate(arg, scope));
    for (const arg of answer.call.args) giveAway(arg, scope);
    return {
      args: args.map(encodeValue),
      ...(answer.as === undefined ? {} : { as: answer.as }),
    };
  };

  /** `abs(candidate(…) - x)` in either order, or null. */
  const distance = (
    expression: Expression,
  ): { readonly left: Expression; readonly right: Expression } | null => {
    if (expression.kind !== 'call' || expression.args.length !== 1) return null;
    const { target } = expression;
    const isAbs =
      (target.kind === 'name' && target.name === 'abs') ||
      (target.kind === 'attribute' &&
        target.name === 'fabs' &&
        target.object.kind === 'name' &&
        target.object.name === 'math');
    const [inner] = expression.args;
    return isAbs && inner?.kind === 'binary' && inner.operator === '-' ? inner : null;
  };

  const equality = (left: Expression, right: Expression, scope: Scope, line: number): Draft => {
    const [leftAnswer, rightAnswer] = [answerOf(left), answerOf(right)];
    if (leftAnswer && !rightAnswer) {
      const draft = draftOf(leftAnswer, scope);
      return { ...draft, expect: encodeValue(evaluate(right, scope)) };
    }
    if (rightAnswer && !leftAnswer) {
      // Python looks at the left side first, so a list there is still what it was.
      const expect = encodeValue(evaluate(left, scope));
      return { ...draftOf(rightAnswer, scope), expect };
    }
    throw new UnsupportedPython(
      leftAnswer ? 'a comparison of two answers' : 'a comparison without a direct answer',
      line,
    );
  };

  const comparison = (expression: Expression & { readonly kind: 'compare' }, scope: Scope): Draft => {
    const { first, rest, line } = expression;
    const [only] = rest;
    if (rest.length !== 1 || !only) throw new UnsupportedPython('a chain of comparisons', line);
    const [operator, right] = only;
    if (operator === '==') return equality(first, right, scope, line);
    if (operator === 'is') {
      if (right.kind !== 'none' && right.kind !== 'bool')
        throw new UnsupportedPython("'is' with this value", line);
      return { ...equality(first, right, scope, line), match: 'same' };
    }
    const near = distance(first);
    if (near && (operator === '<' || operator === '<=')) {
      const draft = equality(near.left, near.right, scope, line);
      const epsilon = Number(evaluate(right, scope));
      if (!(epsilon > 0) || !Number.isFinite(epsilon)) throw new UnsupportedPython('this tolerance', line);
      return { ...draft, tolerance: operator === '<' ? below(epsilon) : epsilon };
    }
    throw new UnsupportedPython(`'${operator}' with an answer`, line);
  };

  const assertion = (test: Expression, scope: Scope): Draft[] => {
    // `assert True` is a place-holder.
    if (test.kind === 'bool' && test.value) return [];
    if (test.kind === 'logical' && test.operator === 'and')
      return test.parts.flatMap((part) => assertion(part, scope));
    if (test.kind === 'compare') return [comparison(test, scope)];
    const negated = test.kind === 'unary' && test.operator === 'not';
    const answer = answerOf(negated ? test.operand : test);
    if (!answer) throw new UnsupportedPython('an assertion that does not compare an answer', test.line);
    return [{ ...draftOf(answer, scope), expect: !negated, match: 'truth' }];
  };

  /** HumanEval marks its edge cases by a comment above them. */
  const layerAt = (line: number): Layer => {
    const last = comments.filter((comment) => comment.line < line).at(-1);
    return last && /\bedge\b/i.test(last.text) ? 'edge' : 'correctness';
  };

  const own = new Map<string, Value>();
  const scope: Scope = (name, line) => {
    if (given.has(name))
      throw new UnsupportedPython(`'${name}' after the function may have changed it`, line);
    const value = own.get(name);
    return value !== undefined ? value : globals(name, line);
  };
  const assign = (targets: readonly string[], value: Value, line: number): void => {
    const bound = bind(targets, value, scope, line);
    for (const name of targets) {
      given.delete(name);
      own.set(name, bound(name, line));
    }
  };

  const loop = (statement: Statement & { readonly kind: 'for' }): void => {
    let gaveAway = false;
    for (const item of iterate(statement.iterable, scope)) {
      assign(statement.targets, item, statement.line);
      read(statement.body);
      gaveAway ||= statement.targets.some((name) => given.has(name));
    }
    // What the function may have changed is a part of what was looped over.
    if (gaveAway) for (const name of namesIn(statement.iterable)) given.add(name);
  };

  const read = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      const { line } = statement;
      switch (statement.kind) {
        case 'assert':
          for (const draft of assertion(statement.test, scope)) onCase(draft, layerAt(line));
          break;
        case 'assign': {
          const value = evaluate(statement.value, scope);
          // A second name for one list would hide that it was given away.
          if (isMutable(value) && namesIn(statement.value).length > 0 && statement.value.kind !== 'call')
            throw new UnsupportedPython('a second name for a part of a list', line);
          assign(statement.targets, value, line);
          break;
        }
        case 'for':
          loop(statement);
          break;
        case 'expression':
          // A name or a text by itself does nothing.
          if (statement.value.kind !== 'name' && statement.value.kind !== 'string')
            throw new UnsupportedPython('an expression as a statement', line);
          break;
        case 'def':
          throw new UnsupportedPython(`the definition of ${statement.name}()`, line);
        case 'import':
        case 'pass':
          break;
      }
    }
  };
  return read;
}

/**
 * Creates a suite of vectors from a HumanEval task, for tests that vectors express exactly: assertions that hold an answer
 * against a value, by `==`, `is`, its truth or a tolerance. Pure; no Python runs.
 *
 * The first case is the smoke test, and cases below an 'edge cases' comment are the `edge` layer. The artifact to judge
 * with it is a whole file: for a completion, `prompt + completion`.
 * @param line - One parsed line of HumanEval's JSONL: `task_id`, `entry_point`, `test`; other fields are ignored.
 * @throws JudgeError `SUITE_INVALID` for another shape, `SUITE_UNSUPPORTED` naming the construct that cannot be
 * expressed exactly.
 */
export function loadHumanEvalTask(line: object): VectorSuite {
  const parsed = readTask(line);
  const { task_id: id, entry_point: entryPoint, test } = parsed;
  const drafts: { readonly draft: Draft; readonly layer: Layer }[] = [];
  try {
    readTest(test, entryPoint, (draft, layer) => drafts.push({ draft, layer }));
  } catch (error) {
    if (!(error instanceof UnsupportedPython)) throw error;
    throw new JudgeError(
      'SUITE_UNSUPPORTED',
      `The test of ${id} cannot be expressed as vectors because of ${error.construct} (line ${error.line}).`,
      { cause: error },
    );
  }
  if (drafts.length === 0)
    throw new JudgeError('SUITE_UNSUPPORTED', `The test of ${id} holds no answer against a value.`);
  return parseVectorSuite({
    id,
    language: 'python',
    mode: 'vectors',
    entryPoint,
    cases: drafts.map(({ draft, layer }, index) => ({
      id: `case-${index + 1}`,
      layer: index === 0 && drafts.length > 1 ? 'smoke' : layer,
      ...draft,
    })),
  });
}

/** A text, a name, or the call of check(), which is what happens anyway. */
function isIdle(statement: Statement): boolean {
  if (statement.kind !== 'expression') return false;
  const { value } = statement;
  if (value.kind === 'call') return value.target.kind === 'name' && value.target.name === 'check';
  return value.kind === 'name' || value.kind === 'string';
}

function readTest(test: string, entryPoint: string, onCase: (draft: Draft, layer: Layer) => void): void {
  const { statements, comments } = parsePython(test);
  let check: (Statement & { readonly kind: 'def' }) | undefined;
  const constants = new Map<string, Expression>();
  for (const statement of statements) {
    if (statement.kind === 'def' && statement.name === 'check') check = statement;
    else if (statement.kind === 'assign' && statement.targets.length === 1)
      constants.set(statement.targets[0] ?? '', statement.value);
    else if (statement.kind !== 'import' && statement.kind !== 'pass' && !isIdle(statement))
      throw new UnsupportedPython('a statement outside of check()', statement.line);
  }
  const [candidate] = check?.parameters ?? [];
  if (!check || candidate === undefined) throw new UnsupportedPython('the absence of check(candidate)', 1);
  const globals: Scope = (name, line) => {
    const constant = constants.get(name);
    if (constant) return evaluate(constant, globals);
    throw new UnsupportedPython(
      name === entryPoint ? `a call of ${name}() itself` : `the name '${name}'`,
      line,
    );
  };
  createReader({ candidate, comments, globals, onCase })(check.body);
}

function readTask(line: object): z.infer<typeof taskSchema> {
  return parse(taskSchema, line, 'SUITE_INVALID', 'a HumanEval task');
}

/**
 * Creates a suite from any HumanEval task: vectors where they can express its test, else a pytest file in the
 * mode `split`, in which the test runs unchanged.
 * @throws JudgeError `SUITE_INVALID`.
 */
export function loadHumanEvalSuite(line: object): Suite {
  try {
    return loadHumanEvalTask(line);
  } catch (error) {
    if (!isBonafideError(error, 'SUITE_UNSUPPORTED')) throw error;
  }
  const { task_id: id, entry_point: entryPoint, prompt = '', test } = readTask(line);
  // Functions that the prompt gives are the prompt's, not what an artifact makes of them.
  const helpers = 'task_prompt';
  const file = `from ${helpers} import *\nfrom solution import ${entryPoint}\n${test}\n\ndef test_check():\n    check(${entryPoint})\n`;
  return parseSuite({
    id,
    language: 'python',
    mode: 'split',
    files: { 'test_task.py': file, [`${helpers}.py`]: prompt },
    tests: [{ id: 'test_task.py::test_check', layer: 'correctness' }],
  });
}
