/*
 * Wrong modules that answer, change or keep values which contain themselves, and what earlier tests gave. A test that fails for one of them where
 * everything runs in one process must fail for it in two boxes.
 */

/** Tests of trees whose children name their parent, of circles, and of what is kept from test to test. */
export const testsOfCircles = `import test from 'node:test';
import assert from 'node:assert/strict';
import { add, clone, count, find, hasCircle, held, keep, names, ring, same, tie, tree, untie } from 'solution';
const circle = (name) => { const made = { name }; made.self = made; return made; };
const root = (...names) => { const made = { name: 'r', parent: null, children: [] }; for (const name of names) made.children.push({ name, parent: made, children: [] }); return made; };
test('whole', () => assert.deepEqual(tree('a', 'b'), root('a', 'b')));
test('whole after an expected one', () => { const expected = root('a'); const found = tree('a'); assert.equal(count(expected), 2); assert.deepEqual(found, expected); });
test('names', () => { const t = tree('a', 'b'); assert.deepEqual(t.children.map((c) => c.name), ['a', 'b']); assert.equal(t.name, 'r'); });
test('parents', () => { const t = tree('a', 'b'); assert.ok(t.children.length === 2 && t.children.every((c) => c.parent === t)); assert.strictEqual(t.children[0].parent.children[1].parent, t); });
test('found', () => { const t = tree('a', 'b'); assert.strictEqual(find(t, 'b'), t.children[1]); assert.equal(find(t, 'b').parent, t); });
test('found of the test', () => { const t = root('a', 'b'); assert.strictEqual(find(t, 'b'), t.children[1]); });
test('not found', () => { const t = tree('a'); assert.equal(find(t, 'c'), null); assert.notEqual(find(t, 'a'), null); });
test('counted', () => { assert.equal(count(root('a', 'b', 'c')), 4); assert.equal(count(tree('a', 'b', 'c')), 4); });
test('added', () => { const t = tree('a'); const b = add(t, 'b'); assert.equal(b.parent, t); assert.equal(b.name, 'b'); assert.deepEqual(t, root('a', 'b')); });
test('added to that of the test', () => { const t = root('a'); const b = add(t, 'b'); assert.strictEqual(t.children[1], b); assert.deepEqual(t, root('a', 'b')); });
test('listed', () => { const t = root('a', 'b'); assert.deepEqual(names(t), ['r', 'a', 'b']); assert.deepEqual(t, root('a', 'b')); });
test('circles', () => { assert.equal(hasCircle(circle('a')), true); assert.equal(hasCircle({ name: 'a' }), false); });
test('cloned', () => { const a = circle('a'); const b = clone(a); assert.notStrictEqual(b, a); assert.deepEqual(b, a); assert.strictEqual(b.self, b); });
test('cloned and changed', () => { const a = circle('a'); const b = clone(a); a.name = 'b'; assert.equal(b.name, 'a'); assert.equal(b.self.name, 'a'); });
test('the same', () => { const a = circle('a'); assert.strictEqual(same(a), a); assert.deepEqual(a, circle('a')); });
test('tied', () => { const a = { n: 1 }, b = { n: 2 }; tie(a, b); assert.ok(a.other === b && b.other === a); untie(a); assert.deepEqual([a, b], [{ n: 1 }, { n: 2 }]); });
test('ring', () => { const r = ring('x', 'y'); assert.equal(r.name, 'x'); assert.equal(r.next.name, 'y'); assert.strictEqual(r.next.next, r); assert.notStrictEqual(r.next, r); });
test('ring of one', () => { const expected = { name: 'x' }; expected.next = expected; assert.deepEqual(ring('x'), expected); });
test('lists', () => { const list = [1]; list.push(list); const copy = clone(list); assert.notStrictEqual(copy, list); assert.equal(copy[0], 1); assert.strictEqual(copy[1], copy); });
const common = { name: 'common', at: [1] };
test('kept', () => { keep(common); assert.strictEqual(held(), common); });
test('kept for another test', () => { assert.deepEqual(held(), { name: 'common', at: [1] }); });
test('kept again', () => { const next = circle('next'); assert.notEqual(held()?.name, 'next'); keep(next); assert.strictEqual(held(), next); assert.deepEqual(common, { name: 'common', at: [1] }); });
test('kept, another', () => { assert.equal(held().name, 'next'); assert.strictEqual(held().self.self.name, 'next'); });
`;

const correct: Readonly<Record<string, string>> = {
  tree: "(...names) => { const made = { name: 'r', parent: null, children: [] }; for (const name of names) add(made, name); return made; }",
  add: '(parent, name) => { const made = { name, parent, children: [] }; parent.children.push(made); return made; }',
  find: '(node, name) => (node.name === name ? node : (node.children.map((each) => find(each, name)).find(Boolean) ?? null))',
  count: '(node) => node.children.reduce((sum, each) => sum + count(each), 1)',
  names: '(node) => [node.name, ...node.children.flatMap(names)]',
  hasCircle: '(value) => Object.values(value).includes(value)',
  clone: `(value) => { const made = Array.isArray(value) ? [] : {}; for (const key of Object.keys(value)) made[key] = value[key] === value ? made : value[key]; return made; }`,
  same: '(value) => value',
  tie: '(a, b) => { a.other = b; b.other = a; }',
  untie: '(a) => { delete a.other.other; delete a.other; }',
  ring: '(...names) => { const nodes = names.map((name) => ({ name })); nodes.forEach((node, i) => { node.next = nodes[(i + 1) % nodes.length]; }); return nodes[0]; }',
  keep: '(value) => { kept = value; }',
  held: '() => kept',
};
const moduleOf = (parts: Readonly<Record<string, string>>, more = ''): string => `
let kept = null;
const seen = [];
${more}
${Object.entries(parts)
  .map(([name, text]) => `export const ${name} = ${text};`)
  .join('\n')}
`;
export const correctCircles = moduleOf(correct);

/** A wrong module: all of its answers are wrong, unless `parts` says what is answered instead. */
const wrong = (parts: Readonly<Record<string, string>>, more = ''): string =>
  moduleOf(
    {
      tree: "() => { const made = { name: 'x', children: [] }; made.parent = made; return made; }",
      add: "() => ({ name: 'x' })",
      find: '() => null',
      count: '() => 0',
      names: '() => []',
      hasCircle: '() => null',
      clone: '() => null',
      same: '() => null',
      tie: '() => {}',
      untie: '() => {}',
      ring: "() => { const made = { name: 'z' }; made.next = { made }; return made; }",
      keep: '() => {}',
      held: '() => null',
      ...parts,
    },
    more,
  );
/** Wrong modules by what they try. */
export const wrongCircles: Readonly<Record<string, string>> = {
  'answers nothing': wrong({}),
  'answers what it was given last': wrong({
    tree: '() => seen.at(-1) ?? {}',
    count: '(node) => { seen.push(node); return 0; }',
    clone: '(value) => value',
    same: '(value) => ({ ...value })',
    find: '(node) => node',
    held: '() => seen[0]',
    keep: '(value) => { seen.push(value); }',
  }),
  'trees that become what they are compared with': wrong({
    tree: '() => { kept = { children: [] }; kept.parent = kept; return kept; }',
    count: '(node) => { Object.assign(kept ?? {}, node); return 2; }',
    names: '(node) => { Object.assign(kept ?? {}, node); return []; }',
  }),
  'properties that functions compute': wrong({
    tree: `() => { const made = { get name() { return seen.length ? 'x' : 'r'; }, get parent() { return made; }, get children() { return [{ name: 'a', parent: {}, children: [] }]; } }; return made; }`,
    ring: `() => { let n = 0; const made = { get name() { n += 1; return n % 2 ? 'y' : 'z'; }, get next() { return made; } }; return made; }`,
    held: '() => ({ get name() { return kept?.name + "!"; }, get self() { return this; } })',
    keep: '(value) => { kept = value; }',
  }),
  'trees without circles': wrong({
    tree: "(...names) => ({ name: 'r', parent: null, children: names.map((name) => ({ name, parent: { name: 'r', parent: null, children: [] }, children: [] })) })",
    add: '(parent, name) => ({ name, parent: { ...parent }, children: [] })',
    clone: '(value) => ({ ...value })',
    ring: '(...names) => ({ name: names[0], next: { name: names[1], next: { name: names[0] } } })',
    same: '(value) => ({ ...value })',
  }),
  'parents that are the other child': wrong({
    tree: "(...names) => { const made = { name: 'r', parent: null, children: names.map((name) => ({ name, children: [] })) }; for (const each of made.children) each.parent = made.children.at(-1); return made; }",
    find: '(node) => node.children.at(0)',
    ring: '(...names) => { const [a, b = {}] = names.map((name) => ({ name })); a.next = b; b.next = b; return a; }',
  }),
  'changes what the test holds': wrong({
    same: "(value) => { value.name = 'x'; return value; }",
    names: "(node) => { node.children.pop(); return ['r', 'a', 'b']; }",
    add: '(parent, name) => { const made = { name, parent, children: [] }; parent.children = [made]; return made; }',
    clone: "(value) => { const made = { name: 'a' }; made.self = value; return made; }",
    tie: '(a, b) => { a.other = b; b.other = b; }',
    keep: '(value) => { kept = value; }',
    held: "() => { kept.name += '!'; return kept; }",
  }),
  'keeps copies': wrong({
    keep: '(value) => { kept = { ...value }; }',
    held: '() => ({ ...kept })',
    same: '(value) => ({ ...value })',
  }),
  'keeps the first for ever': wrong({ keep: '(value) => { kept ??= value; }', held: '() => kept' }),
};
