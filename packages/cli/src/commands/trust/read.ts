import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { sanitizeRemoteText } from '@bonafide/internal';
import { CliError } from '../../errors.ts';

const mostBytes = 16 * 2 ** 20;

/** Reads a JSON file; `-` is standard input. Throws `USAGE`, naming the file, when it is missing, too large or not JSON. */
export async function readJson(path: string): Promise<unknown> {
  const name = path === '-' ? 'standard input' : sanitizeRemoteText(path, 200);
  let text: string;
  try {
    text = path === '-' ? await readAll(process.stdin) : await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unreadable' } = cause as NodeJS.ErrnoException;
    throw new CliError('USAGE', code === 'ENOENT' ? `The file ${name} does not exist.` : `${name}: ${code}`, {
      cause,
    });
  }
  if (text.length > mostBytes) throw new CliError('USAGE', `${name} is larger than 16 MiB.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('USAGE', `${name} is not JSON.`, { cause });
  }
}

/** Splits a text into lines that are safe for a terminal, with their indentation. */
export function safeLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const indent = line.length - line.trimStart().length;
      return `${' '.repeat(indent)}${sanitizeRemoteText(line, 2_000)}`;
    });
}
