/**
 * Helpers for tests of a cortex: a scripted reflector, and the conformance suite for state adapters.
 * @packageDocumentation
 */
export { createScriptedReflector, type ScriptedReflector, type ScriptStep } from './scripted-reflector.ts';
export { type StatePortGroup, testStatePort } from './state-suite.ts';
