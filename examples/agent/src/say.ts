import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const verbs: Readonly<Record<string, Style>> = {
  note: 'dim',
  meet: 'cyan',
  try: 'blue',
  hire: 'blue',
  decide: 'magenta',
  reflect: 'yellow',
};

const outcomes: Readonly<Record<string, Style>> = {
  SUCCESS: 'green',
  PARTIAL: 'yellow',
  FAILURE: 'red',
  ERROR: 'red',
  SECURITY_VIOLATION: ['bold', 'red'],
  ACTIVE: 'green',
  CONDITIONAL: 'yellow',
  REJECTED: 'red',
  BLACKLISTED: ['bold', 'red'],
};

/** Colours one of the words that a person looks for; others stay as they are. NO_COLOR and pipes are respected. */
export function coloured(word: string, stream: NodeJS.WriteStream): string {
  const style = outcomes[word] ?? verbs[word];
  return style === undefined ? word : styleText(style, word, { stream });
}

/** Prints one line per event; `verb` says what kind of event it was. */
export type Say = (verb: keyof typeof verbs & string, ...columns: readonly string[]) => void;

const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - text.length));

/** Progress goes to stderr, so that stdout holds nothing but the result. */
export function createSay(stream: NodeJS.WriteStream): Say {
  const startedAt = performance.now();
  return (verb, ...columns) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
    const [first = '', ...rest] = columns;
    const words = rest.map((column) => column.replace(/\b[A-Z_]{5,}\b/g, (word) => coloured(word, stream)));
    const line = [pad(first, 10), ...words].join('  ').trimEnd();
    stream.write(
      `${seconds} s  ${coloured(pad(verb, 8), stream).replace(verb, coloured(verb, stream))} ${line}\n`,
    );
  };
}
