/* Prints the ten rows of the simulation plan under both settings of the guards (CTX-26). `node plan.bench.ts` */
import { planTable } from './plan/rows.ts';

console.log(await planTable());
