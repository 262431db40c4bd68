import { attacksOnDisputes, attacksOnTerms } from './agreements.ts';
import type { AttackCase } from './attack.ts';
import { attacksOnMeasurements } from './measurements.ts';
import { attacksOnReports } from './reports.ts';
import { attacksOnWebs } from './webs.ts';
import { attacksOnWork } from './work.ts';

const all: readonly AttackCase[] = [
  ...attacksOnReports,
  ...attacksOnTerms,
  ...attacksOnMeasurements,
  ...attacksOnDisputes,
  ...attacksOnWork,
  ...attacksOnWebs,
];
const groups = [...new Set(all.map(({ group }) => group))];

/** Every attack by group, in the order of the table. */
export const attacks: readonly AttackCase[] = groups.flatMap((name) =>
  all.filter(({ group }) => group === name),
);
