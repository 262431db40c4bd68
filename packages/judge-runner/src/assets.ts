import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Those that are built, since what they import cannot be installed in a box. */
const built = new Map([['analysis.mjs', 'dist/analysis.js']]);
const read = new Map<string, Promise<string>>();

/** A program that runs in a box or beside it. They lie beside both `src` and `dist`; each is read once. */
export function readAsset(name: string): Promise<string> {
  const known = read.get(name);
  if (known !== undefined) return known;
  const path = built.get(name) ?? `${name.endsWith('.py') ? 'python' : 'javascript'}/${name}`;
  const text = readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  read.set(name, text);
  return text;
}

/** Returns the path of an AppArmor profile that ships with the package. */
export const apparmorProfile = (name: 'bonafide-bwrap' | 'bonafide-judge-artifact'): string =>
  fileURLToPath(new URL(`../apparmor/${name}`, import.meta.url));

/** The line that loads such a profile, now and at every start. */
export const loadProfileCommand = (name: Parameters<typeof apparmorProfile>[0]): string =>
  `sudo cp '${apparmorProfile(name)}' /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/${name}`;
