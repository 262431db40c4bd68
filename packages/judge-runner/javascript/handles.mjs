/* What a tester's values are in the artifact's box: the numbers of the artifact's objects by their stand-ins, and of what the test has given. */

/** What stand-ins of the artifact's objects leave as. */
export const handles = new WeakMap();
/** Arrays and plain objects of the test that the artifact was given, and their numbers: it may answer the very same. */
export const ownNumbers = new WeakMap();
