/**
 * Helpers for the tests of several packages. Never bundled into a package.
 * @packageDocumentation
 */
export { measured } from './metrics.ts';
