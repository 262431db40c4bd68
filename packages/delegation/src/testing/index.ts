/**
 * Conformance suites of stores and engines for vitest.
 * @packageDocumentation
 */
export { testDelegationEngine } from './engine.ts';
export { testDelegationStore } from './store.ts';
