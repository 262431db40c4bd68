/** What several packages' own tests need. Never built into a package. @packageDocumentation */
export { measured } from './metrics.ts';
