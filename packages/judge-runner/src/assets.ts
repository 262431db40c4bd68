import { readFile } from 'node:fs/promises';

const read = new Map<string, Promise<string>>();

/** A program that runs in a box or beside it. They lie in `python`, beside both `src` and `dist`; each is read once. */
export function readAsset(name: string): Promise<string> {
  const known = read.get(name);
  if (known !== undefined) return known;
  const text = readFile(new URL(`../python/${name}`, import.meta.url), 'utf8');
  read.set(name, text);
  return text;
}
