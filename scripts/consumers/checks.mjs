/** Thrown by a check that this machine cannot run; the message says why. */
export class Skipped extends Error {}

/**
 * What the checks work on.
 * @typedef {object} Context
 * @property {readonly import('./project.mjs').PackedPackage[]} packages
 * @property {{ bare: string, oldest: string, newest: string, recipes: string }} projects Folders: `bare` has the tools
 *   and no optional peer, the next two have every peer in its oldest or newest version, `recipes` what the recipes use.
 * @property {(age: 'oldest' | 'newest') => string} node Path of a Node binary; throws {@link Skipped} without one.
 * @property {string} expected What the portable program prints.
 * @property {string} folder For files of this run.
 */

/**
 * One line of the report. `run` resolves with a detail worth printing.
 * @typedef {{ name: string, run: (context: Context) => Promise<string> }} Check
 */
