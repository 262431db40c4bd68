/*
 * Writes the table of attacks into docs/guides/trust-attacks.md:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/attack-table.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as api from '../src/index.ts';
import { attackRow } from '../test/attacks/attack.ts';
import { attacks } from '../test/attacks/index.ts';

const guide = new URL('../../../docs/guides/trust-attacks.md', import.meta.url);
const lines: string[] = [];
let group = '';
for (const one of attacks) {
  if (one.group !== group) {
    group = one.group;
    lines.push('', `### ${group}`, '', '| attack | before | now | cost now |', '|---|---|---|---|');
  }
  lines.push(attackRow(one, await one.run(api)));
}
const [begin, end] = ['<!-- attacks -->', '<!-- /attacks -->'];
const text = readFileSync(guide, 'utf8');
const table = `${text.slice(0, text.indexOf(begin) + begin.length)}\n${lines.join('\n')}\n\n${text.slice(text.indexOf(end))}`;
writeFileSync(guide, table);
