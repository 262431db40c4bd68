import { programFile } from './languages/program.ts';
import type { Artifact } from './suite.ts';

/** A change of the reference that breaks it. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
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
const token =
  /#.*|\/\/.*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|[<>=!]==?|&&|\|\||=>|->|\*\*|\/\/|[+\-*/%]=|[-+*<>=]|./g;

/** A text with one change. */
interface Mutation extends Mutant {
  readonly text: string;
}

/** Changes of a program's text, each of one operator, constant or number. Pure. */
function mutate(file: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  for (const match of text.matchAll(token)) {
    const [old] = match;
    const next = /^\d+$/.test(old) ? String(Number(old) + 1) : changes[old];
    if (next === undefined) continue;
    const before = text.slice(0, match.index);
    found.push({
      file,
      line: before.split('\n').length,
      change: `${old} becomes ${next}`,
      text: `${before}${next}${text.slice(match.index + old.length)}`,
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
