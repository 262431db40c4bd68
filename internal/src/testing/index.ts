/**
 * Helpers for the tests of several packages. Never bundled into a package.
 * @packageDocumentation
 */
export { type Child, type ChildOptions, runChild } from './child-process.ts';
export { eventually, until } from './eventually.ts';
export { measured } from './metrics.ts';
export { tooOldMessage, withOldRuntime } from './old-runtime.ts';
export { patienceMs, patient, patientLimits } from './patience.ts';
export {
  noBooleans,
  noCounts,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from './wrong-input.ts';
