/*
 * What fairness and goodness cost (TRU-27, TRU-28). The curve's networks are each measured in a process of their own: this
 * file again, with a number of edges.
 */
export {};

await (process.argv[2] === undefined ? import('./compare.ts') : import('./measure-edges.ts'));
