import type { FidelityCase } from './fidelity-case.ts';

const head = `import test, { describe, it } from 'node:test';
import assert from 'node:assert/strict';
`;
/** Correct modules that answer, take and change values that contain themselves, with ordinary tests. */
export const fidelityJavascriptCircles: readonly FidelityCase[] = [
  {
    id: 'trees with parents',
    artifact: `
const link = (node, parent) => { const made = { name: node.name, parent, children: [] }; made.children = (node.children ?? []).map((each) => link(each, made)); return made; };
export const buildTree = (node) => link(node, null);
export const find = (tree, name) => tree.name === name ? tree : tree.children.map((each) => find(each, name)).find(Boolean) ?? null;
export const pathOf = (node) => node === null ? [] : [...pathOf(node.parent), node.name];
export const add = (node, name) => { const made = { name, parent: node, children: [] }; node.children.push(made); return made; };
export const remove = (node) => { node.parent.children = node.parent.children.filter((each) => each !== node); node.parent = null; return node; };
export const depthOf = (node) => node.parent === null ? 0 : 1 + depthOf(node.parent);
export const count = (node) => 1 + node.children.reduce((sum, each) => sum + count(each), 0);
export const parse = (text) => { const root = { type: 'root', body: [] }; for (const word of text.split(' ')) root.body.push({ type: 'word', word, parent: root }); return root; };
`,
    tests:
      head +
      `
import { add, buildTree, count, depthOf, find, parse, pathOf, remove } from 'solution';
const plan = { name: 'root', children: [{ name: 'a', children: [{ name: 'c' }] }, { name: 'b' }] };
describe('tree', () => {
  it('names', () => { const t = buildTree(plan); assert.equal(t.name, 'root'); assert.deepEqual(t.children.map((c) => c.name), ['a', 'b']); });
  it('parents', () => { const t = buildTree(plan); assert.equal(t.parent, null); assert.strictEqual(t.children[0].parent, t); assert.equal(t.children[0].children[0].parent.parent, t); });
  it('finds', () => { const t = buildTree(plan); assert.strictEqual(find(t, 'c'), t.children[0].children[0]); assert.equal(find(t, 'x'), null); });
  it('paths', () => { const t = buildTree(plan); assert.deepEqual(pathOf(find(t, 'c')), ['root', 'a', 'c']); });
  it('depths', () => { const t = buildTree(plan); assert.equal(depthOf(t), 0); assert.equal(depthOf(t.children[0].children[0]), 2); });
  it('adds', () => { const t = buildTree(plan); const d = add(find(t, 'b'), 'd'); assert.equal(d.parent.name, 'b'); assert.equal(count(t), 5); assert.deepEqual(t.children[1].children.map((c) => c.name), ['d']); });
  it('removes', () => { const t = buildTree(plan); const a = remove(t.children[0]); assert.equal(a.parent, null); assert.equal(count(t), 2); assert.equal(t.children.length, 1); });
  it('whole', () => { const root = { name: 'r', parent: null, children: [] }; root.children.push({ name: 'x', parent: root, children: [] }); assert.deepEqual(buildTree({ name: 'r', children: [{ name: 'x' }] }), root); });
  it('whole, other', () => { const root = { name: 'r', parent: null, children: [] }; root.children.push({ name: 'y', parent: root, children: [] }); assert.notDeepEqual(buildTree({ name: 'r', children: [{ name: 'x' }] }), root); });
  it('of the test', () => { const root = { name: 'r', parent: null, children: [] }; const x = { name: 'x', parent: root, children: [] }; root.children.push(x); assert.equal(count(root), 2); assert.deepEqual(pathOf(x), ['r', 'x']); assert.strictEqual(find(root, 'x'), x); add(x, 'y'); assert.equal(x.children[0].parent, x); assert.equal(count(root), 3); });
});
test('keys', () => { const r = parse('a b'); assert.deepEqual(Object.keys(r), ['type', 'body']); assert.ok(r.body.every((w) => w.parent === r)); assert.deepEqual(r.body.map(({ word }) => word), ['a', 'b']); });
test('no JSON', () => { assert.throws(() => JSON.stringify(parse('a')), TypeError); });
test('JSON without parents', () => { assert.equal(JSON.stringify(parse('a'), (key, value) => (key === 'parent' ? undefined : value)), '{"type":"root","body":[{"type":"word","word":"a"}]}'); });
`,
  },
  {
    id: 'circles of the test',
    artifact: `
export const hasCircle = (value, seen = new Set()) => { if (typeof value !== 'object' || value === null) return false; if (seen.has(value)) return true; seen.add(value); const found = Object.values(value).some((each) => hasCircle(each, seen)); seen.delete(value); return found; };
export const stringify = (value) => { const above = []; return JSON.stringify(value, function (key, each) { if (typeof each !== 'object' || each === null) return each; while (above.length > 0 && above.at(-1) !== this) above.pop(); if (above.includes(each)) return '[Circular]'; above.push(each); return each; }); };
export function clone(value, seen = new Map()) {
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const made = Array.isArray(value) ? [] : value instanceof Map ? new Map() : value instanceof Set ? new Set() : {};
  seen.set(value, made);
  if (value instanceof Map) for (const [key, each] of value) made.set(clone(key, seen), clone(each, seen));
  else if (value instanceof Set) for (const each of value) made.add(clone(each, seen));
  else for (const key of Object.keys(value)) made[key] = clone(value[key], seen);
  return made;
}
export const isEqual = (a, b, seen = new Map()) => { if (Object.is(a, b)) return true; if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false; if (seen.get(a) === b) return true; seen.set(a, b); const keys = Object.keys(a); return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key], b[key], seen)); };
export const freezeAll = (value) => { Object.freeze(value); for (const each of Object.values(value)) if (typeof each === 'object' && each !== null && !Object.isFrozen(each)) freezeAll(each); return value; };
export const tie = (a, b) => { a.other = b; b.other = a; };
export const untie = (a) => { delete a.other.other; delete a.other; return a; };
export const same = (value) => value;
export const ring = (...names) => { const nodes = names.map((name) => ({ name })); nodes.forEach((node, index) => { node.next = nodes[(index + 1) % nodes.length]; }); return nodes[0]; };
export const chain = (...values) => { let last = null; const nodes = values.map((value) => { const node = { value, prev: last, next: null }; if (last) last.next = node; last = node; return node; }); return { head: nodes[0], tail: last, size: nodes.length }; };
export const graph = (edges) => { const nodes = new Map(); const at = (id) => { if (!nodes.has(id)) nodes.set(id, { id, near: [] }); return nodes.get(id); }; for (const [from, to] of edges) { at(from).near.push(at(to)); at(to).near.push(at(from)); } return nodes; };
let kept = null;
export const keep = (value) => { kept = value; };
export const held = () => kept;
`,
    tests:
      head +
      `
import { chain, clone, freezeAll, graph, hasCircle, held, isEqual, keep, ring, same, stringify, tie, untie } from 'solution';
const circle = (name = 'a') => { const made = { name, list: [1] }; made.self = made; return made; };
test('finds circles', () => { assert.equal(hasCircle(circle()), true); assert.equal(hasCircle({ a: { b: 1 } }), false); const shared = {}; assert.equal(hasCircle({ a: shared, b: shared }), false); const list = []; list.push(list); assert.ok(hasCircle(list)); });
test('writes circles', () => { assert.equal(stringify(circle()), '{"name":"a","list":[1],"self":"[Circular]"}'); const a = { x: 1 }; a.b = { a }; assert.equal(stringify(a), '{"x":1,"b":{"a":"[Circular]"}}'); });
test('clones circles', () => { const a = circle(); const b = clone(a); assert.notStrictEqual(b, a); assert.strictEqual(b.self, b); assert.equal(b.self.self.name, 'a'); assert.deepEqual(b, a); assert.notStrictEqual(b.list, a.list); });
test('clones maps', () => { const m = new Map(); m.set('me', m); const made = clone({ m }); assert.ok(made.m instanceof Map); });
test('compares circles', () => { assert.equal(isEqual(circle(), circle()), true); assert.equal(isEqual(circle('a'), circle('b')), false); });
test('the same', () => { const a = circle(); assert.strictEqual(same(a), a); const [b] = same([a]); assert.strictEqual(b, a); const s = new Set(); s.add(s); assert.strictEqual(same(s), s); });
test('freezes', () => { const a = circle(); assert.strictEqual(freezeAll(a), a); assert.equal(a.self, a); });
test('ties', () => { const a = { n: 1 }; const b = { n: 2 }; tie(a, b); assert.strictEqual(a.other, b); assert.strictEqual(b.other.other, b); assert.equal(untie(a), a); assert.deepEqual([a, b], [{ n: 1 }, { n: 2 }]); });
test('rings', () => { const r = ring('x', 'y', 'z'); assert.equal(r.next.next.name, 'z'); assert.strictEqual(r.next.next.next, r); const one = ring('o'); assert.strictEqual(one.next, one); const expected = { name: 'o' }; expected.next = expected; assert.deepEqual(one, expected); });
test('chains', () => { const c = chain(1, 2, 3); assert.equal(c.size, 3); assert.equal(c.head.next.value, 2); assert.strictEqual(c.tail.prev.prev, c.head); assert.equal(c.head.prev, null); const values = []; for (let n = c.head; n; n = n.next) values.push(n.value); assert.deepEqual(values, [1, 2, 3]); });
test('graphs', () => { const names = 'abcdefghij'; const g = graph([...names].flatMap((a, i) => [...names.slice(i + 1)].map((b) => [a, b]))); assert.equal(g.size, 10); assert.equal(g.get('a').near.length, 9); assert.strictEqual(g.get('a').near[0], g.get('b')); assert.deepEqual(g.get('j').near.map((n) => n.id), [...'abcdefghi']); });
const common = circle('common');
test('keeps', () => { keep(common); assert.strictEqual(held(), common); });
test('keeps nothing else', () => { keep({ x: 1 }); assert.deepEqual(held(), { x: 1 }); });
test('kept what it was given', () => { assert.deepEqual(held(), { x: 1 }); keep(common); });
test('keeps for another test', () => { assert.equal(held().name, 'common'); assert.equal(held().self.self.name, 'common'); keep(common); assert.strictEqual(held(), common); });
`,
  },
];
