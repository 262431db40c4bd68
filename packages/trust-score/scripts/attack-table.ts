/*
 * Prints the table of attacks for docs/guides/trust-attacks.md:
 * `node --conditions=@bonafide/source packages/trust-score/scripts/attack-table.ts`.
 */
import * as api from '../src/index.ts';
import { attackRow } from '../test/attacks/attack.ts';
import { attacks } from '../test/attacks/index.ts';

let group = '';
for (const one of attacks) {
  if (one.group !== group) {
    group = one.group;
    process.stdout.write(`\n### ${group}\n\n| attack | before | now | cost now |\n|---|---|---|---|\n`);
  }
  const outcome = await one.run(api);
  process.stdout.write(`${attackRow(one, outcome)}\n`);
}
