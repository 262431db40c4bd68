import type { CodeArtifact, Suite } from './suite.ts';

/** A test that the reference does not pass. */
export interface FailingTest {
  readonly id: string;
  readonly reason: string;
}

/** A construct that does not work across two boxes. */
export interface UnsupportedConstruct {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly construct: string;
}

/** A change of the reference that breaks it. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly change: string;
}

/** The result of checking a suite before it judges. */
export interface SuiteCheck {
  readonly suiteId: string;
  /** SHA-256 of the suite as JSON, lower-case hex. */
  readonly hash: string;
  /** True when nothing below keeps the suite from judging fairly: no failing, flaky or unsupported part. */
  readonly usable: boolean;
  readonly tests: number;
  /** Tests that the reference fails. Empty without a reference. */
  readonly failing: readonly FailingTest[];
  /** Tests that the reference passes in some of three runs. */
  readonly flaky: readonly string[];
  /** Constructs that are refused before anything runs. */
  readonly unsupported: readonly UnsupportedConstruct[];
  /** Places at which the reference answered objects that act: `file:function:place:operation`. */
  readonly shapes: readonly string[];
  /** Number of mutants that were judged. */
  readonly mutants: number;
  /** Mutants that pass every test: what the suite does not notice. */
  readonly survivors: readonly Mutant[];
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

/** Changes of a text of Python or JavaScript, each of one operator, constant or number. Pure. */
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
  reference: CodeArtifact,
  most: number,
): readonly { readonly mutant: Mutant; readonly artifact: CodeArtifact }[] {
  const main = reference.language === 'python' ? 'solution.py' : 'solution.js';
  const files = 'source' in reference ? { [main]: reference.source } : reference.files;
  const all = Object.entries(files).flatMap(([name, content]) =>
    typeof content === 'string' && /\.(?:py|[cm]?js)$/.test(name) ? mutate(name, content) : [],
  );
  const step = Math.max(1, all.length / most);
  const chosen = Array.from(
    { length: Math.min(most, all.length) },
    (_, index) => all[Math.floor(index * step)],
  );
  return chosen.flatMap((mutation) => {
    if (mutation === undefined) return [];
    const { text, ...mutant } = mutation;
    const artifact: CodeArtifact =
      'source' in reference
        ? { ...reference, source: text }
        : { ...reference, files: { ...reference.files, [mutant.file]: text } };
    return [{ mutant, artifact }];
  });
}

/** The reference of a suite, or of a suite of vectors its oracle; null without either. Pure. */
export function referenceOf(suite: Suite): CodeArtifact | null {
  if (suite.mode === 'program') return null;
  const found = suite.reference ?? (suite.mode === 'vectors' ? suite.oracle : undefined);
  return found === undefined ? null : ({ language: suite.language, ...found } as CodeArtifact);
}
