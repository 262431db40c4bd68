import type { UnearnedCase } from './unearned-python.ts';

const suite = (tests: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${tests}`;

/** Wrong programs of JavaScript whose answers gain from what a suite shows of others. */
export const unearnedMakersOfJavascript: readonly UnearnedCase[] = [
  {
    id: 'two exports that are one function',
    artifact: `
const both = (what) => ({ includes: () => true, has: () => true, size: () => 1, name: what });
export const parse = both;
export const useStore = both;
`,
    tests: suite(`
import { parse, useStore } from 'solution';

test('a store has a size', () => { assert.equal(useStore('a').size(), 1); });
test('tags of a line', () => {
  assert.ok(parse('#a #b').includes('b'));
  assert.ok(parse('#a #b').includes('a'));
});
`),
  },
  {
    id: 'an export that is a function of another export',
    artifact: `
const both = (what) => ({ includes: () => true, has: () => true, size: () => 1, name: what });
export const createStore = both;
export const tags = { of: both };
`,
    tests: suite(`
import { createStore, tags } from 'solution';

test('a store has a size', () => { assert.equal(createStore('a').size(), 1); });
test('tags of a line', () => {
  assert.ok(tags.of('#a #b').includes('b'));
  assert.ok(tags.of('#a #b').has('a'));
});
`),
  },
  {
    id: 'two functions of a module that are one',
    artifact: `
export const createStore = () => ({ includes: () => true, has: () => true, size: () => 1 });
export const tags = { of: createStore };
`,
    tests: suite(`
import * as lib from 'solution';
test('a store has a size', () => { assert.equal(lib.createStore('a').size(), 1); });
test('tags', () => { assert.ok(lib.tags.of('#a #b').includes('b')); });
`),
  },
  {
    id: 'functions of one name in two objects',
    artifact: `
const yes = () => true;
export const store = { get: (name) => ({ describe: () => name + ' (1)' }) };
export const settings = { get: () => ({ includes: yes, has: yes }) };
`,
    tests: suite(`
import { settings, store } from 'solution';

test('a record describes itself', () => {
  assert.equal(store.get('ann').describe(), 'ann (1)');
});

test('the default hosts', () => {
  assert.ok(settings.get('hosts').includes('localhost'));
  assert.ok(settings.get('hosts').includes('127.0.0.1'));
});
`),
  },
  {
    id: 'a helper of the suite with the name of an inner function',
    artifact: `
export const settings = { get: () => ({ includes: () => true }) };
export class Client { get(path) { return { describe: () => 'GET ' + path }; } }
`,
    tests: suite(`
import { Client, settings } from 'solution';
const get = (path) => new Client().get(path);
test('a request describes itself', () => { assert.equal(get('/').describe(), 'GET /'); });
test('the default hosts', () => { assert.ok(settings.get('hosts').includes('localhost')); });
`),
  },
  {
    id: 'includes() of what an inner function with the name of a factory answers',
    artifact: `
export const slug = { make: () => ({ includes: () => true }) };
`,
    tests: suite(`
import { slug } from 'solution';

test('a slug has dashes', () => { assert.ok(slug.make('Ann and Bob').includes('-and-')); });
`),
  },
  {
    id: 'a variable of a test with the name of a module',
    artifact: `
export const words = () => ({ includes: () => true, has: () => true });
`,
    tests: suite(`
import * as s from 'solution';

class Page {
  words(n) { this.n = n; return this; }
  describe() { return 'page of ' + this.n; }
}
test('the double of a page', () => {
  const s = new Page();
  assert.equal(s.words(3).describe(), 'page of 3');
});
test('words of a text', () => {
  assert.ok(s.words('ann and bob').includes('bob'));
});
`),
  },
  {
    id: 'truth that a variable holds',
    artifact: `
export const compile = () => ({ accepts: () => true });
`,
    tests: suite(`
import { compile } from 'solution';

test('a pattern accepts what it says', () => {
  const pattern = compile('a*b');
  for (const text of ['ab', 'aab', 'axyzb']) {
    const ok = pattern.accepts(text);
    assert.ok(ok, text);
  }
});
test('a question mark', () => {
  const ok = compile('a?b').accepts('axb');
  assert.equal(ok, true);
});
`),
  },
  {
    id: 'truth of what a method of a class answers',
    artifact: `
export class Schema { compile() { return { accepts: () => true }; } }
`,
    tests: suite(`
import { Schema } from 'solution';
test('accepts', () => {
  assert.ok(new Schema({ age: 'number' }).compile().accepts({ age: 3 }));
  assert.equal(new Schema({ age: 'number' }).compile().accepts({ age: 120 }), true);
});
`),
  },
  {
    id: 'function of an object of the test that is replaced',
    artifact: `
export const apply = (plugin) => { plugin.double = () => 0; return 0; };
`,
    tests: suite(`
import { apply } from 'solution';
class Plugin { double = (n) => 2 * n; }
test('apply', () => {
  const plugin = new Plugin();
  assert.equal(apply(plugin, 4), plugin.double(4));
});
`),
  },
  {
    id: 'answers that say that nothing differs',
    artifact: `
export const parse = () => ({ compare: () => 0, distance: () => 0, diff: () => [] });
`,
    tests: suite(`
import { parse } from 'solution';

test('sums', () => { assert.equal(parse('1 + 2').compare(3), 0); });
test('products', () => { assert.ok(parse('2 * 2').distance(4) < 1e-9); });
test('trees', () => { assert.deepEqual(parse('1').diff({ type: 'number', value: 1 }), []); });
`),
  },
  {
    id: 'truth of what a function with the name of a factory answers',
    artifact: 'export const createRule = () => ({ accepts: () => true });',
    tests: suite(
      "import { createRule } from 'solution';\ntest('it', () => { assert.equal(createRule('a?b').accepts('axb'), true); });\n",
    ),
  },
  {
    id: 'truth of what a function out of an answer says',
    artifact: 'export const compile = () => ({ accepts: () => true });',
    tests: suite(
      "import { compile } from 'solution';\ntest('it', () => { const { accepts } = compile('a?b'); assert.ok(accepts('axb')); });\n",
    ),
  },
  {
    id: 'names that are taken out of another answer',
    artifact:
      'const liar = () => ({ includes: () => true, list: () => [] }); export const useTags = liar, parse = liar;',
    tests: suite(
      "import { parse, useTags } from 'solution';\ntest('it', () => { const { includes, list } = useTags(); assert.deepEqual(list(), []); assert.equal([1].filter(includes).length, 1); assert.ok(parse('#a').includes('a')); });\n",
    ),
  },
  {
    id: 'an answer that is an export',
    artifact:
      'export const createStore = () => ({ includes: () => true, size: () => 1 }); export const tags = { get: () => createStore };',
    tests: suite(
      "import { createStore, tags } from 'solution';\ntest('it', () => { assert.equal(createStore('a').size(), 1); const of = tags.get('of'); assert.ok(of('#a').includes('a')); });\n",
    ),
  },
];
