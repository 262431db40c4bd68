/**
 * An embedded world for the demo: a relay on loopback, four providers of code, their tasks, and a database.
 * @packageDocumentation
 */
export { largeJobMsat } from './behaviours.ts';
export { openDatabase } from './database.ts';
export { signerFromFile } from './keys.ts';
export { startProcesses } from './processes.ts';
export { codeGeneration, jobKind } from './provider-arguments.ts';
export { seededRandom } from './random.ts';
export { type Strangers, type StrangersOptions, startStrangers } from './strangers.ts';
export { type HumanEvalTask, loadTasks } from './tasks.ts';
export { loadRunTasks } from './tested-tasks.ts';
