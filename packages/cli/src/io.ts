import { styleText } from 'node:util';

/** A writable stream, such as `process.stdout`. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in characters. */
  readonly columns?: number | undefined;
}

/** Streams and environment of a command: output goes to `stdout`, messages to `stderr`. */
export interface CliIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the streams and the environment of this process. */
export function processIo(): CliIo {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env };
}

/** Text styles in use. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Applies a style, or returns the text unchanged where styles are disabled. */
export type Paint = (style: Style, text: string) => string;

/** Returns a function that styles text on a terminal only, and never when NO_COLOR is set (no-color.org). */
export function painter(output: Output, env: CliIo['env']): Paint {
  const plain = output.isTTY !== true || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }));
}
