/*
 * Prints what a fully manipulated model reaches by guard, upwards and downwards, for a stranger, a known peer and an honest
 * +8 peer (CTX-27): the farthest trust and the time of its arrival. `node guards.bench.ts`
 */
import { compromisedModelTable } from './compromised-model.ts';

console.log(compromisedModelTable());
