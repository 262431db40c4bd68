/*
 * Writes the table of attacks into docs/guides/trust-attacks.md:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/attack-table.ts`.
 */
import * as api from '../src/index.ts';
import { attackRow } from '../test/attacks/attack.ts';
import { attacks } from '../test/attacks/index.ts';
import { writeSection } from './guide.ts';

const lines: string[] = [];
let group = '';
for (const one of attacks) {
  if (one.group !== group) {
    if (group !== '') lines.push('');
    group = one.group;
    lines.push(`### ${group}`, '', '| attack | before | now | cost now |', '|---|---|---|---|');
  }
  lines.push(attackRow(one, await one.run(api)));
}
writeSection('attacks', lines);
