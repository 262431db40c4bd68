/**
 * An embedded world for the demo: a relay on loopback and four providers of code.
 * @packageDocumentation
 */
export { largeJobMsat } from './behaviours.ts';
export { signerFromFile } from './keys.ts';
export { codeGeneration, jobKind } from './provider-arguments.ts';
export { seededRandom, shuffled } from './random.ts';
export { type Strangers, type StrangersOptions, startStrangers } from './strangers.ts';
export { type HumanEvalTask, loadTasks } from './tasks.ts';
export { loadTestedTasks } from './tested-tasks.ts';
