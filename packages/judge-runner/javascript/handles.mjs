/* What a tester's values are in the artifact's box: the numbers of the artifact's objects by their stand-ins, and of what the test has given. */

/** What stand-ins of the artifact's objects leave as. */
export const handles = new WeakMap();
/** Arrays and plain objects of the test that the artifact was given, and their numbers: it may answer the very same. */
export const ownNumbers = new WeakMap();
/** Stand-ins of the artifact's classes by the prototypes of their objects: a prototype may name another class as its constructor. */
const classes = new WeakMap();
export const noteClassWith = (prototype, kind) => void classes.set(prototype, kind);
/** The artifact's class that has a prototype; undefined for a prototype of no such class. */
export const remoteClassWith = (prototype) => classes.get(prototype);
/** The class of objects that have a prototype. */
export const classWith = (prototype) => remoteClassWith(prototype) ?? prototype?.constructor;
