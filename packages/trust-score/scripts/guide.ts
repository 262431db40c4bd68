import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces the part between `<!-- name -->` and `<!-- /name -->` of docs/guides/trust-attacks.md, or of another guide. */
export function writeSection(name: string, lines: readonly string[], file = 'trust-attacks.md'): void {
  const guide = new URL(`../../../docs/guides/${file}`, import.meta.url);
  const text = readFileSync(guide, 'utf8');
  const [begin, end] = [text.indexOf(`<!-- ${name} -->`), text.indexOf(`<!-- /${name} -->`)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no section ${name}`);
  const opened = begin + `<!-- ${name} -->`.length;
  writeFileSync(guide, `${text.slice(0, opened)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`);
}
