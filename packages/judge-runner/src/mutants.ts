import { programFile } from './languages/program.ts';
import type { Artifact } from './suite.ts';

/** A change of the reference that breaks it. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** As `+ becomes -`. */
  readonly change: string;
}

const changes: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  True: 'False',
  False: 'True',
  true: 'false',
  false: 'true',
};
const texts = String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const words = String.raw`[A-Za-z_$][\w$]*|\d+(?:\.\d+)?`;
const operators = String.raw`[<>=!]==?|&&|\|\||=>|->|\*\*|\/\/|[+\-*/%]=|[-+*<>=]|\S`;
const withHashes = new RegExp(`#.*|${texts}|${words}|${operators}`, 'g');
const withSlashes = new RegExp(
  String.raw`\/\/.*|\/\*[\s\S]*?\*\/|${texts}|\x60(?:\\.|[^\x60\\])*\x60|${words}|${operators}`,
  'g',
);
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;
/** What ends an expression: a slash behind it divides, and a star multiplies. */
const ending = /[\w$)\]}'"`]$/;
const beforeExpressions = new Set(['return', 'yield', 'typeof', 'case', 'in', 'of', 'await', 'print']);
const endsExpression = (last: string) => ending.test(last) && !beforeExpressions.has(last);

/** The operators, constants and numbers of a program, with their places: none of its texts, comments, patterns and unpackings. Pure. */
function* tokensOf(file: string, text: string): Generator<{ old: string; index: number }> {
  const token = /\.(?:py|sh)$/.test(file) ? withHashes : withSlashes;
  let last = '';
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: old, index } = match;
    if (token === withHashes ? old.startsWith('#') : /^\/[/*]/.test(old)) continue;
    pattern.lastIndex = index;
    const isPattern =
      old.startsWith('/') && token === withSlashes && !endsExpression(last) && pattern.test(text);
    if (isPattern) token.lastIndex = pattern.lastIndex;
    else if (old !== '*' || endsExpression(last)) yield { old, index };
    last = isPattern ? 'pattern' : old;
  }
}

/** A text with one change. */
interface Mutation extends Mutant {
  readonly text: string;
}

/** Changes of a program's text, each of one operator, constant or number. Pure. */
function mutate(file: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  for (const { old, index } of tokensOf(file, text)) {
    const next = /^\d+$/.test(old) ? String(Number(old) + 1) : changes[old];
    if (next === undefined) continue;
    const before = text.slice(0, index);
    found.push({
      file,
      line: before.split('\n').length,
      column: index - before.lastIndexOf('\n'),
      change: `${old} becomes ${next}`,
      text: `${before}${next}${text.slice(index + old.length)}`,
    });
  }
  return found;
}

/**
 * Draws mutants of a reference, spread evenly over its text. Pure.
 * @param most - Largest number of mutants.
 */
export function mutantsOf(
  reference: Artifact,
  most: number,
): readonly { readonly mutant: Mutant; readonly artifact: Artifact }[] {
  const main = reference.language === 'javascript' ? 'solution.js' : programFile(reference.language);
  const files = 'source' in reference ? { [main]: reference.source } : reference.files;
  const all = Object.entries(files).flatMap(([name, content]) =>
    typeof content === 'string' && /\.(?:py|[cm]?js|c|cpp|go|rs|java|sh)$/.test(name)
      ? mutate(name, content)
      : [],
  );
  const step = Math.max(1, all.length / most);
  const chosen = Array.from(
    { length: Math.min(most, all.length) },
    (_, index) => all[Math.floor(index * step)],
  );
  return chosen.flatMap((mutation) => {
    if (mutation === undefined) return [];
    const { text, ...mutant } = mutation;
    const artifact: Artifact =
      'source' in reference
        ? { ...reference, source: text }
        : { ...reference, files: { ...reference.files, [mutant.file]: text } };
    return [{ mutant, artifact }];
  });
}
