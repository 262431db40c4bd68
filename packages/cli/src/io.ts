import { stripVTControlCharacters, styleText } from 'node:util';

/** Where text goes: `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
}

/** What a command may touch: output goes to `stdout`, messages to `stderr`. */
export interface CliIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The process's own. */
export function processIo(): CliIo {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env };
}

/** The colours and weights in use. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Styles text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours on a terminal only, and never when NO_COLOR is set to anything (no-color.org). */
export function painter(output: Output, env: CliIo['env']): Paint {
  const plain = output.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }));
}

/** Columns that a text takes, near enough for wrapping our own words. */
export const widthOf = (text: string): number => stripVTControlCharacters(text).length;
