import type { EdgeTable } from '../src/index.ts';

let state = 42;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
};

/** Creates a random network in which a few nodes have most of the ratings, as in real ones. */
export function randomTable(edges: number, nodeCount: number): EdgeTable {
  const table: EdgeTable = {
    sources: new Uint32Array(edges),
    targets: new Uint32Array(edges),
    weights: new Float64Array(edges),
    nodeCount,
    nodes: null,
  };
  for (let row = 0; row < edges; row += 1) {
    table.sources[row] = Math.floor(nodeCount * random() ** 2);
    table.targets[row] = Math.floor(nodeCount * random() ** 2);
    table.weights[row] = Math.round(20 * random() ** 0.5 - 10) / 10;
  }
  return table;
}
