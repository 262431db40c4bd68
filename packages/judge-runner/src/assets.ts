import { readFile } from 'node:fs/promises';

const read = new Map<string, Promise<string>>();

/** A program that runs in a box or beside it. They lie beside both `src` and `dist`; each is read once. */
export function readAsset(name: string): Promise<string> {
  const folder = name.endsWith('.py') ? 'python' : 'javascript';
  const known = read.get(name);
  if (known !== undefined) return known;
  const text = readFile(new URL(`../${folder}/${name}`, import.meta.url), 'utf8');
  read.set(name, text);
  return text;
}
