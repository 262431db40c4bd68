// Reads the command line and the JSON files. What is wrong with them ends the program with one sentence and exit code 2.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/** Returns the path of a file in this folder. */
export const pathOf = (file: string) => join(import.meta.dirname, file);

function endWrong(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Returns the arguments of the command line. `--help` prints the usage and ends the program. */
export function readArguments(usage: string, most = 0): string[] {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
    if (positionals.length > most) throw new Error(`'${positionals[most]}' is one argument too many.`);
    if (!values.help) return positionals;
  } catch (error) {
    endWrong(`${(error as Error).message}\n\n${usage}`);
  }
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

/** Reads a JSON file that holds an array, or an object with these fields. */
export function readJson(path: string, fields: readonly string[] = []) {
  const name = relative('', path);
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'));
    if (read === null || typeof read !== 'object') throw new Error('it holds no object.');
    const missing = fields.filter((field) => !read[field]);
    if (missing.length > 0) throw new Error(`it has no ${missing.join(', ')}.`);
    return read;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    endWrong(code === 'ENOENT' ? `There is no file ${name}.` : `${name} cannot be used: ${message}`);
  }
}
