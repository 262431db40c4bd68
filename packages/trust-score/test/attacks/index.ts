import { attacksOnAgreements } from './agreements.ts';
import type { AttackCase } from './attack.ts';
import { attacksOnReports } from './reports.ts';
import { attacksOnWebs } from './webs.ts';
import { attacksOnWork } from './work.ts';

/** Every attack, in the order of the table. */
export const attacks: readonly AttackCase[] = [
  ...attacksOnReports,
  ...attacksOnAgreements,
  ...attacksOnWork,
  ...attacksOnWebs,
];
