import { lyingExports } from './unearned-functions.ts';

/**
 * Programs with a reference whose answers hold objects beside plain values: wrong ones put an object that says yes to everything in the
 * place of a value.
 */
export interface ReferenceCase {
  readonly id: string;
  readonly wrong: string;
  readonly reference: string;
  /** A program that is right and unlike the reference, where there is one. */
  readonly other?: string;
  readonly tests: string;
  /** True where the wrong program passes none of the tests. */
  readonly isWhollyWrong?: true;
  /** Python where it is left out. */
  readonly language?: 'javascript';
}

const yes = `
class Node:
    kind, title, items = 'list', 'ann', [1, 2]
    def __init__(self, size=1): self.held = size
    def size(self): return self.held
class Y(Node):
    def startswith(self, t): return True
    endswith = issubset = issuperset = isalpha = __contains__ = startswith
    def __len__(self): return 6
    def replace(self, a, b): return b
    def count(self, x): return 1
    def index(self, x): return 0
    def upper(self): return self
    def call(self, x): return x + 1
    def __getitem__(self, key): return 'secret'
    def __iter__(self): return iter(['secret'])
`;
const node = `
class Node:
    kind, title = 'list', 'ann'
    def __init__(self, size=1): self.held = size
    def size(self): return self.held
`;
/** Keeps the size elsewhere, and has more methods than the reference. */
const otherNode = `
class Base:
    kind, title = 'list', 'ann'
    def size(self): return sum(1 for _ in self)
    def __len__(self): return self.size()
class Node(Base):
    def __init__(self, size=1): self._items = tuple(range(size))
    def __iter__(self): return iter(self._items)
`;
const checks = "assert name.startswith('secret')\n    assert 'cre' in name\n";

/** Bodies of `make(text)`: the wrong one, the one of the reference, and what the test does with the answer. */
const answers: Readonly<Record<string, readonly [string, string, string]>> = {
  'a tuple': [
    'return Node(3), Y(), Y()',
    "return Node(3), text, {'a', 'b'}",
    `node, name, tags = make('secret')\n    assert node.size() == 3\n    assert tags.issubset({'a', 'b'}) and 'a' in tags\n    assert len(name) == 6\n    ${checks}`,
  ],
  'methods of a text': [
    'return Node(), Y()',
    'return Node(), text',
    "node, name = make('secret')\n    assert node.size() == 1\n    assert name.replace('secret', '') == '' and name.index('secret') == 0\n",
  ],
  'a dict': [
    "return {'node': Node(), 'name': Y()}",
    "return {'node': Node(), 'name': text}",
    `found = make('secret')\n    name = found['name']\n    assert found['node'].size() == 1\n    ${checks}`,
  ],
  'a list of lists': [
    'return [[Node(), Node()], [Node(), Y()]]',
    'return [[Node(), Node()], [Node(), text]]',
    `found = make('secret')\n    name = found[1][1]\n    assert [each.size() for each in found[0]] == [1, 1]\n    ${checks}`,
  ],
  'rows of a table': [
    'return [(Node(), Y()) for _ in range(3)]',
    'return [(Node(), text) for _ in range(3)]',
    `for node, name in make('secret'):\n        assert node.size() == 1\n        assert name.startswith('secret')\n`,
  ],
  'a namespace': [
    'import types\n    return types.SimpleNamespace(node=Node(), name=Y())',
    'import types\n    return types.SimpleNamespace(node=Node(), name=text)',
    `found = make('secret')\n    name = found.name\n    assert found.node.size() == 1\n    ${checks}`,
  ],
  'a named tuple': [
    "from collections import namedtuple\n    return namedtuple('Found', 'node name')(Node(), Y())",
    "from collections import namedtuple\n    return namedtuple('Found', 'node name')(Node(), text)",
    `found = make('secret')\n    name = found.name\n    assert found.node.size() == 1\n    ${checks}`,
  ],
  'an iterator': [
    'yield Node()\n    yield Y()',
    'yield Node()\n    yield text',
    `found = [each for each in make('secret')]\n    name = found[1]\n    assert found[0].size() == 1\n    ${checks}`,
  ],
  'arguments of a callback': [
    'use(Node(), Y())',
    'use(Node(), text)',
    `seen = []\n    make('secret', lambda node, name: seen.append((node, name)))\n    node, name = seen[0]\n    assert node.size() == 1\n    ${checks}`,
  ],
  'several callbacks': [
    'use(Node())\n    then(Y())',
    'use(Node())\n    then(text)',
    `nodes, names = [], []\n    make('secret', lambda node: nodes.append(node), lambda name: names.append(name))\n    name = names[0]\n    assert nodes[0].size() == 1\n    ${checks}`,
  ],
  'a method of the test': [
    'use.see(Node(), Y())',
    'use.see(Node(), text)',
    `class Seen:\n        def see(self, node, name): self.node, self.name = node, name\n    seen = Seen()\n    make('secret', seen)\n    name = seen.name\n    assert seen.node.size() == 1\n    ${checks}`,
  ],
  'a list of the test': [
    'use.extend([Node(), Y()])',
    'use.extend([Node(), text])',
    `seen = []\n    make('secret', seen)\n    node, name = seen\n    assert node.size() == 1\n    ${checks}`,
  ],
  'an error': [
    'raise ValueError(Node(), Y())',
    'raise ValueError(Node(), text)',
    `import pytest\n    with pytest.raises(ValueError) as caught: make('secret')\n    node, name = caught.value.args\n    assert node.size() == 1\n    ${checks}`,
  ],
  'visits of a loop': [
    'return Y()',
    "return Node() if text == 'list' else text",
    `found = {}\n    for text in ('list', 'secret'): found[text] = make(text)\n    name = found['secret']\n    assert found['list'].size() == 1\n    ${checks}`,
  ],
  'visits of a helper': [
    'return Y()',
    "return Node() if text == 'list' else text",
    "assert made('list').size() == 1\n    assert made('secret').startswith('secret')\n    assert 'cre' in made('secret')\n",
  ],
  'visits of a helper, after an error': [
    "if text == 'bad':\n        return Y()\n    return Y()",
    "if text == 'bad': raise ValueError(text)\n    return Node() if text == 'list' else text",
    "found = []\n    for text in ('bad', 'secret', 'list'):\n        try: found.append(made(text))\n        except ValueError: found.append(None)\n    name = found[1]\n    assert found[2].size() == 1\n    " +
      checks,
  ],
  'methods of an object that has others': [
    'return Y()',
    'return Node()',
    "found = make('secret')\n    assert found.size() == 1\n    assert not hasattr(found, 'items') or found.count('secret') == 1\n",
  ],
};

const begin = `
from solution import make
def made(text): return make(text)
def test_it():
    `;
const program = (classes: string, body: string) =>
  `${classes}\ndef make(text, use=None, then=None):\n    ${body}\n`;

export const unearnedReferences: readonly ReferenceCase[] = [
  ...Object.entries(answers).map(([id, [wrong, right, test]]) => ({
    id,
    wrong: program(yes, wrong),
    reference: program(node, right),
    other: program(otherNode, right),
    tests: begin + test,
  })),
  {
    id: 'a place that another test reaches',
    wrong: `${yes}\nclass Store:\n    def lookup(self, key): return None\n    def load(self, key): return Y()\n`,
    reference: `${node}\nclass Store:\n    def lookup(self, key): return 'secret' if key == 'name' else None\n    def load(self, key): return Node()\n`,
    tests: `
from solution import Store
def fetch(store, key):
    found = store.lookup(key)
    return store.load(key) if found is None else found
def test_row():
    assert fetch(Store(), 'row').title == 'ann'
def test_name():
    assert fetch(Store(), 'name').startswith('secret')
    assert 'cre' in fetch(Store(), 'name')
`,
  },
  {
    id: 'an operator of the suite for an object and a text',
    wrong: `${yes}\nclass Interpreter:\n    def run(self, source): return Y()\n`,
    reference: `
class Fn:
    def call(self, x): return x + 1
class Names(Fn):
    def __init__(self, held): self.held = held
    def __contains__(self, name): return name in self.held
class Interpreter:
    def run(self, source):
        return Fn() if source.startswith('fn') else Names(source.split()) if source.startswith('set') else source.replace('a', 'A')
`,
    tests: `
from solution import Interpreter
def run(source): return Interpreter().run(source)
def has(value, part): return part in value
def test_program():
    assert run('fn(x) x + 1').call(3) == 4
    assert has(run('set a b'), 'a')
    assert has(run('banana'), 'nAn')
    assert run('banana').startswith('bAn')
`,
  },
  {
    id: 'inputs that a test draws',
    wrong: program(yes, 'return Y()'),
    reference: program(node, "return Node() if text == 'list' else text"),
    tests: `
import random
from solution import make
def test_it(judge_seed):
    drawn = random.Random(judge_seed)
    for _ in range(20):
        text = drawn.choice(['list', 'secret'])
        found = make(text)
        assert found.size() == 1 if text == 'list' else found.startswith('sec')
`,
  },
];

const yesOfJavascript =
  'const yes = () => ({ size: () => 1, call: (x) => x + 1, has: () => true, includes: () => true, startsWith: () => true });\n';
const beginOfJavascript = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";

export const unearnedReferencesOfJavascript: readonly ReferenceCase[] = [
  {
    ...{ id: 'a helper of the suite for an object and a list', language: 'javascript' },
    wrong: `
class Node { size() { return 1; } includes() { return true; } }
export const parse = () => [new Node(), new Node()];
`,
    reference: `
class Node { constructor(text) { this.text = text; } size() { return 1; } includes(x) { return this.text.includes(x); } }
export const parse = (text) => [new Node(text), text.split(' ')];
`,
    other: `
class Base { size() { return 1; } }
class Node extends Base { #names; constructor(names) { super(); this.#names = names; } includes(x) { return this.#names.includes(x); } }
export function parse(text) { const names = text.split(' '); return [new Node(names), names]; }
`,
    tests: `${beginOfJavascript}import { parse } from 'solution';
const has = (values, part) => assert.ok(values.includes(part));
test('parse', () => {
  const [node, names] = parse('a b');
  assert.equal(node.size(), 1);
  has(node, 'a');
  has(names, 'b');
});
`,
  },
  {
    ...{ id: 'helpers of the suite in each other', language: 'javascript' },
    wrong: `${yesOfJavascript}export class Interpreter { run() { return yes(); } }\n`,
    reference: `export class Interpreter {
  run(text) {
    if (text.startsWith('fn')) return { call: (x) => x + 1 };
    return text.startsWith('set') ? { includes: (x) => text.split(' ').includes(x) } : text.replaceAll('a', 'A');
  }
}
`,
    tests: `${beginOfJavascript}import { Interpreter } from 'solution';
const run = (source) => new Interpreter().run(source);
const has = (value, part) => value.includes(part);
test('program', () => {
  assert.equal(run('fn(x) x + 1').call(3), 4);
  assert.ok(has(run('set a b'), 'a'));
  assert.ok(has(run('banana'), 'nAn'));
});
`,
  },
  {
    ...{ id: 'a method that another test uses', language: 'javascript' },
    wrong: `${yesOfJavascript}export const load = () => yes();\n`,
    reference: "export const load = (key) => (key === 'set' ? { includes: (x) => x === 'a' } : 'secret');\n",
    tests: `${beginOfJavascript}import { load } from 'solution';
const has = (value, part) => value.includes(part);
test('set', () => assert.ok(has(load('set'), 'a')));
for (const key of ['set', 'name'])
  test(key + ' in a loop', () => assert.ok(has(load(key), key === 'set' ? 'a' : 'cre')));
`,
  },
  {
    ...{ id: 'what promises of a helper end with', language: 'javascript' },
    wrong: `${yesOfJavascript}export const open = async () => yes();\n`,
    reference: `class Conn { #texts; constructor(texts) { this.#texts = texts; } size() { return 1; } includes(x) { return this.#texts.has(x); } }
export const open = async (key) => (key === 'set' ? { conn: new Conn(new Set(['a'])) } : 'secret');
`,
    other: `class Any { size() { return 1; } }
class Conn extends Any { includes(x) { return x === 'a'; } }
export const open = (key) => new Promise((done) => setTimeout(() => done(key === 'set' ? { conn: new Conn() } : 'secret'), 2));
`,
    tests: `${beginOfJavascript}import { open } from 'solution';
const load = async (key) => { const found = await open(key); return found.conn ?? found; };
test('object', async () => {
  const found = await load('set');
  assert.equal(found.size(), 1);
  assert.ok(found.includes('a'));
});
test('text', async () => {
  const found = await load('name');
  assert.ok(found.includes('cre'));
  assert.equal(found, 'secret');
});
for (const key of ['set', 'name'])
  test(key + ' by then', () => open(key).then((found) => assert.ok((found.conn ?? found).includes(key === 'set' ? 'a' : 'cre'))));
`,
  },
  {
    ...{ id: 'objects and values that a module exports', language: 'javascript' },
    wrong: `${yesOfJavascript}class Yes { includes() { return true; } startsWith() { return true; } size() { return 1; } }
export const [shared, names, title] = [new Yes(), new Yes(), new Yes()];
`,
    reference: `class Names { size() { return 1; } includes(x) { return x === 'a'; } }
export const [shared, names, title] = [new Names(), ['b', 'c'], 'secret'];
`,
    other: `class Any { size() { return 1; } }
class Names extends Any { #all = new Set('a'); includes(x) { return this.#all.has(x); } }
export const shared = new Names();
export const names = ['b', 'c'];
export const title = 'secret';
`,
    tests: `${beginOfJavascript}import { names, shared, title } from 'solution';
test('shared', () => {
  assert.equal(shared.size(), 1);
  assert.ok(shared.includes('a'));
});
test('names', () => assert.ok(names.includes('b')));
test('title', () => assert.ok(title.startsWith('sec')));
`,
  },
  {
    ...{ id: 'what Node asks for where no line of the suite stands', language: 'javascript' },
    wrong: `${yesOfJavascript}class Yes { includes() { return true; } size() { return 1; } }
export async function* walk() { yield new Yes(); yield new Yes(); }
export const read = (_key, done) => setTimeout(() => done(null, new Yes()), 1);
`,
    reference: `class Node { constructor(text) { this.text = text; } size() { return 1; } includes(x) { return this.text.includes(x); } }
export async function* walk(isPlain) { for (const text of ['ab', 'cd']) yield isPlain ? text : new Node(text); }
export const read = (key, done) => setTimeout(() => done(null, key === 'node' ? new Node('ab') : 'ab'), 1);
`,
    tests: `${beginOfJavascript}import { promisify } from 'node:util';
import { read, walk } from 'solution';
test('nodes', async () => {
  const found = await Array.fromAsync(walk(false));
  assert.deepEqual(found.map((each) => each.size()), [1, 1]);
  assert.ok(found[0].includes('a'));
});
test('texts', async () => {
  const found = await Array.fromAsync(walk(true));
  assert.ok(found[0].includes('a') && found[1].includes('c'));
});
test('node', async () => assert.ok((await promisify(read)('node')).includes('a')));
test('text', async () => assert.ok((await promisify(read)('text')).includes('a')));
`,
  },
  {
    ...{ id: 'methods that answer their own object, or another one', language: 'javascript' },
    wrong: `class Yes { where() { return this; } sql() { return 'a limit 3'; } size() { return 1; } includes() { return true; } async run() { return this; } }
export const query = () => new Yes();
`,
    reference: `class Query {
  #parts = [];
  where(x) { this.#parts.push(x); return this; }
  sql() { return this.#parts.join(' '); }
  async run(isWhole) { return isWhole ? this : this.sql(); }
}
export const query = () => new Query();
`,
    other: `class Query {
  #parts;
  constructor(parts = []) { this.#parts = parts; }
  where(x) { return new Query([...this.#parts, x]); }
  sql() { return this.#parts.join(' '); }
  async run(isWhole) { return isWhole ? new Query(this.#parts) : this.sql(); }
}
export const query = () => new Query();
`,
    tests: `${beginOfJavascript}import { query } from 'solution';
const ended = async (isWhole) => await query().where('a').where('limit 3').run(isWhole);
test('chain', () => assert.equal(query().where('a').where('limit 3').sql(), 'a limit 3'));
test('held', () => {
  const first = query().where('b');
  const second = first.where('c');
  assert.equal(second.sql(), 'b c');
});
test('whole', async () => assert.equal((await ended(true)).sql(), 'a limit 3'));
test('text', async () => {
  const found = await ended(false);
  assert.ok(found.includes('limit'));
  assert.ok(found.includes('a '));
});
`,
  },
  {
    ...{ id: 'an object in the place of its own text', language: 'javascript' },
    wrong: `export class Query {
  static of() { return new Query(); }
  where() { return this; }
  sql() { return this; }
  get text() { return this; }
  rows() { return [this]; }
  includes() { return true; }
  startsWith() { return true; }
  every() { return true; }
}
export const query = () => new Query();
`,
    reference: `export class Query {
  #parts = [];
  static of(x) { return new Query().where(x); }
  where(x) { this.#parts.push(x); return this; }
  sql() { return this.#parts.join(' '); }
  get text() { return this.sql(); }
  rows() { return [[...this.#parts]]; }
}
export const query = () => new Query();
`,
    tests: `${beginOfJavascript}import { Query, query } from 'solution';
test('maker', () => { const found = query(); found.where('limit'); assert.ok(found.sql().includes('limit')); });
test('chain', () => assert.ok(query().where('limit').sql().includes('limit')));
test('new', () => assert.ok(new Query().where('limit').sql().startsWith('lim')));
test('static', () => assert.ok(Query.of('limit').sql().startsWith('lim')));
test('getter', () => assert.ok(Query.of('limit').text.includes('mit')));
test('list', () => { const found = new Query(); found.where('limit'); const [row] = found.rows(); assert.ok(row.every((each) => each === 'limit')); });
`,
  },
  {
    ...{ id: 'which properties an object has', language: 'javascript' },
    wrong:
      'class User { constructor(n) { this.name = n; } hasOwnProperty(k) { return k !== "age"; } propertyIsEnumerable() { return true; } }\nexport const find = (n) => new User(n);\n',
    reference:
      "class User { constructor(n) { this.name = n; this.email = n + '@x'; } greet() { return 'hi'; } }\nexport const find = (n) => new User(n);\n",
    other:
      "class Base { constructor(n) { this.email = n + '@y'; } }\nclass User extends Base { constructor(n) { super(n); this.name = n; } }\nexport const find = (n) => new User(n);\n",
    tests: `${beginOfJavascript}import { find } from 'solution';
test('own', () => {
  const user = find('ann');
  assert.equal(user.name, 'ann');
  assert.ok(user.hasOwnProperty('email') && !user.hasOwnProperty('age'));
  assert.ok(user.propertyIsEnumerable('email'));
});
`,
  },
  {
    ...{ id: 'a method of its own that says which properties it has', language: 'javascript' },
    wrong: 'class Row { hasOwnProperty() { return false; } }\nexport const row = () => new Row();\n',
    reference:
      'class Row { #held = new Set(["a"]); hasOwnProperty(name) { return this.#held.has(name); } }\nexport const row = () => new Row();\n',
    tests: `${beginOfJavascript}import { row } from 'solution';
test('own', () => assert.ok(row().hasOwnProperty('a')));
`,
  },
  {
    ...{ id: 'functions with properties in the place of values', language: 'javascript' },
    isWhollyWrong: true,
    wrong: lyingExports,
    reference: `
export function helper() { return 1; }
export class Box { get() { return 1; } static find() { return 'x'; } static label = 'x'; }
export const tools = { up: (t) => t, label: 'x' };
export const slug = (t) => t.toLowerCase();
export const digest = (t) => t === 'abc' ? Buffer.from(t) : new Set(t.split(' '));
export const words_ = (t) => t.split(' ');
export const later = async (t) => t.toLowerCase();
export const give = (f) => f('the secret');
export class Store { name() { return 'xyz'; } get label() { return 'xyz'; } static open() { return 'x'; } }
export const curry = (t) => t.toLowerCase();
export const version = '1.2', VERSION = version;
export const config = { path: '/', names: { first: 'x' } };
export const hash = (f, t) => typeof t === 'string' ? Buffer.from(f(t)) : new Set([...t].filter(f));
`,
    tests: `${beginOfJavascript}import * as s from 'solution';

test('text', () => { assert.ok(s.slug('The Secret').startsWith('the')); assert.equal(s.helper(), 1); });
test('bytes', () => assert.ok(s.digest('abc').equals(Buffer.from('abc'))));
test('set', () => assert.ok(s.digest('a b').has('a')));
test('list', () => assert.ok(s.words_('a b').includes('a')));
test('promise', async () => assert.ok((await s.later('The')).startsWith('the')));
test('callback', () => { let seen; s.give((v) => { seen = v; }); assert.ok(seen.startsWith('the')); });
test('method', () => assert.ok(new s.Store().name().startsWith('x')));
test('getter', () => assert.ok(new s.Store().label.startsWith('x')));
test('static', () => assert.ok(s.Store.open().startsWith('x') && s.Box.find().includes('x')));
test('read', () => assert.ok(s.Box.label.startsWith('x')));
test('held', () => assert.ok(s.curry('The').startsWith('the')));
test('exports', () => assert.ok(s.version.startsWith('1')));
test('constants', () => assert.ok(s.VERSION.startsWith('1')));
test('parts', () => assert.ok(s.config.path.startsWith('/')));
test('decorated bytes', () => assert.ok(s.hash((x) => x, 'abc').equals(Buffer.from('abc'))));
test('decorated set', () => assert.equal(s.hash((n) => n > 1, new Set([1, 2, 3])).difference(new Set([2, 3])).size, 0));
`,
  },
  {
    ...{ id: 'functions with properties', language: 'javascript' },
    wrong:
      "export class Money { constructor(n) { this.n = n; } static from() { return 'no'; } static has() { return true; } }\nexport const memo = (f) => f;\nexport const createApp = () => 1;\nexport const registry = 1;\n",
    reference: `
export class Money { constructor(n) { this.n = n; } static from(n) { return new Money(n); } static has(n) { return n > 0; } }
export const memo = (f) => { const held = new Map(); const own = (x) => { if (!held.has(x)) held.set(x, f(x)); return held.get(x); }; return Object.assign(own, { clear: () => held.clear(), has: (x) => held.has(x), cancel() {} }); };
export const createApp = () => { const routes = new Map(); const app = (path) => routes.get(path)?.(); return Object.assign(app, { get: (path, f) => { routes.set(path, f); return app; }, has: (path) => routes.has(path) }); };
export const registry = Object.assign(() => 'all', { get: () => Money, has: (name) => name === 'money' });
`,
    other: `
class Base { static from(n) { return new this(n); } static has(n) { return n > 0; } }
export class Money extends Base { constructor(n) { super(); this.n = n; } }
export function memo(f) { function own(x) { own.cache[x] ??= [f(x)]; return own.cache[x][0]; } own.cache = {}; own.clear = () => { own.cache = {}; }; own.has = (x) => x in own.cache; own.cancel = () => {}; return own; }
export function createApp() { const app = (path) => app.routes[path]?.(); app.routes = {}; app.get = function (path, f) { this.routes[path] = f; return this; }; app.has = (path) => path in app.routes; return app; }
export function registry() { return 'all'; }
registry.get = () => Money;
registry.has = (name) => name.startsWith('mon');
`,
    tests: `${beginOfJavascript}import { createApp, memo, Money, registry } from 'solution';
test('statics', () => { assert.equal(Money.from(3).n, 3); assert.ok(Money.has(1) && !Money.has(-1)); });
test('in a loop', () => { for (const kind of [Money]) assert.equal(kind.from(2).n, 2); });
test('answered', () => { assert.equal(registry.get('money'), Money); assert.equal(registry.get('money').from(4).n, 4); });
test('after it was answered', () => { assert.equal(Money.from(5).n, 5); for (const kind of [Money]) assert.equal(kind.from(2).n, 2); });
test('registry', () => { assert.equal(registry(), 'all'); assert.ok(registry.has('money') && !registry.has('x')); });
test('memo', () => {
  let calls = 0;
  const own = memo((x) => { calls += 1; return x * 2; });
  assert.equal(own(2) + own(2), 8);
  assert.ok(own.has(2) && !own.has(3));
  own.clear();
  own(2);
  own.cancel();
  assert.equal(calls, 2);
});
test('app', () => { const app = createApp(); app.get('/', () => 'home').get('/x', () => 'x'); assert.equal(app('/x'), 'x'); assert.ok(app.has('/')); });
`,
  },
  {
    ...{ id: 'functions of the test of one text', language: 'javascript' },
    isWhollyWrong: true,
    wrong: `
const yes = () => ({ includes: () => true });
export const scan = (g, w) => { (g.see ? (x) => g.see(x) : g)(['ann']); (w.see ? (x) => w.see(x) : w)(yes()); };
export const each = (kind, f) => f(kind === 'staff' ? ['ann'] : yes());
export const run = (f) => f();
export const load = (name) => (name === 'staff' ? ['ann'] : yes());
export class Bus { on(kind, f) { this[kind] = f; } emit() { this.staff(['ann']); this.motd(yes()); } }
export const pairs = (make) => { make()(['ann']); make()(yes()); };
`,
    reference: `
const group = (names) => ({ title: 'ann', includes: (x) => names.includes(x) });
const tell = (to, value) => (to.see ? to.see(value) : to(value));
export const scan = (g, w) => { tell(g, group(['ann'])); tell(w, 'the secret'); };
export const each = (kind, f) => f(load(kind));
export const run = (f) => f();
export const load = (name) => (name === 'staff' ? group(['ann']) : 'the secret');
export class Bus { on(kind, f) { this[kind] = f; } emit() { this.staff(load('staff')); this.motd(load('motd')); } }
export const pairs = (make) => { make()(load('staff')); make()(load('motd')); };
`,
    other: `
function groupOf(...names) { const held = new Set(names); return { size: 1, title: names[0], includes: held.has.bind(held) }; }
const tell = (to, value) => (typeof to === 'function' ? to(value) : to.see(value));
export function scan(g, w) { tell(w, 'the secret'); tell(g, groupOf('ann')); }
export function each(kind, f) { const found = load(kind); return f(found); }
export function run(f) { const found = f(); return found; }
export function load(name) { return name === 'staff' ? { includes: (x) => x === 'ann', title: 'ann', size: 1 } : 'the secret'; }
export class Bus { #all = new Map(); on(kind, f) { this.#all.set(kind, [f]); } emit() { for (const kind of ['motd', 'staff']) for (const f of this.#all.get(kind)) f(load(kind)); } }
export function pairs(make) { const [g, w] = [make(), make()]; w(load('motd')); g(load('staff')); }
`,
    tests: `${beginOfJavascript}import { mock } from 'node:test';
import { Bus, each, load, pairs, run, scan } from 'solution';
const recorder = (list) => (value) => { list.push(value); };
class Seen { values = []; see(value) { this.values.push(value); } }
const check = (group, word) => { assert.ok(group.includes('ann')); assert.ok(word.includes('secret')); };
test('closures', () => { const groups = [], words = []; scan(recorder(groups), recorder(words)); check(groups[0], words[0]); });
test('bound functions', () => { const groups = [], words = []; scan(groups.push.bind(groups), words.push.bind(words)); check(groups[0], words[0]); });
test('mocks', () => { const g = mock.fn(), w = mock.fn(); scan(g, w); check(g.mock.calls[0].arguments[0], w.mock.calls[0].arguments[0]); });
test('objects', () => { const g = new Seen(), w = new Seen(); scan(g, w); check(g.values[0], w.values[0]); });
test('a helper', () => { const get = (kind) => { const seen = []; each(kind, (v) => seen.push(v)); return seen[0]; }; const g = get('staff'), w = get('motd'); check(g, w); });
test('two places', () => { const seen = []; each('staff', (v) => seen.push(v)); each('motd', (v) => seen.push(v)); check(seen[0], seen[1]); });
test('within a callback', () => { const get = (name) => { let found; run(() => { found = load(name); }); return found; }; const g = get('staff'), w = get('motd'); check(g, w); });
test('within two callbacks', () => { const get = (name) => { let found; run(() => run(() => each(name, (v) => { found = v; }))); return found; }; const g = get('staff'), w = get('motd'); check(g, w); });
test('listeners', () => { const bus = new Bus(); const groups = [], words = []; bus.on('staff', recorder(groups)); bus.on('motd', recorder(words)); bus.emit(); check(groups[0], words[0]); });
test('a loop', () => { const seen = {}; for (const kind of ['staff', 'motd']) each(kind, (v) => { seen[kind] = v; }); check(seen.staff, seen.motd); });
test('one function', () => { const seen = []; const see = (v) => { seen.push(v); }; each('staff', see); each('motd', see); check(seen[0], seen[1]); });
test('functions of a function', () => { const seen = []; let n = 0; pairs(() => { const at = n; n += 1; return (v) => { seen[at] = v; }; }); check(seen[0], seen[1]); });
test('at once', async () => { const get = async (kind) => { await null; let found; await each(kind, (v) => { found = v; }); return found; }; const [g, w] = await Promise.all([get('staff'), get('motd')]); check(g, w); });
`,
  },
  {
    ...{ id: 'functions of the test that are called in other ways', language: 'javascript' },
    wrong: `
const no = { size: () => 0 };
export class Button { constructor(options) { this.options = options; } click() { this.options.onClick(no); } }
export class Task { constructor(f) { this.f = f; } run() { return this.f(no); } }
export const later = async (f) => f(no);
export const compose = () => () => no;
export const visit = (seer) => seer.see(no);
export const poll = (f) => { f(no); f(no); };
`,
    reference: `
const node = { size: () => 1 };
export class Button { constructor(options) { this.options = options; } click() { this.options.onClick(node); } }
export class Task { constructor(f) { this.f = f; } run() { return this.f(node); } }
export const later = async (f) => f(node);
export const compose = (...all) => all.map((f) => f(node)).reduce((one, next) => (x) => next(one(x)));
export const visit = (seer) => seer.see(node);
export const poll = (f) => { f(node); f(node); };
`,
    other: `
const made = () => ({ size() { return 1; }, more: [] });
export class Button { #onClick = null; constructor({ onClick }) { if (typeof onClick !== 'function') throw new TypeError('no function'); this.#onClick = onClick; } click() { const { length } = [1]; this.#onClick(made()); return length; } }
export class Task { constructor(...rest) { const [f] = rest; this.todo = [f]; console.log(''); } run() { for (const f of this.todo) return f(made()); } }
export const later = (f) => new Promise((done) => setTimeout(() => done(f(made())), 5));
export function compose(one, two) { const second = two(made()); const first = one(made()); return (x) => second(first(x)); }
export function visit(seer) { const { constructor, values } = seer; return constructor && values && seer.see(made()); }
export function poll(f) { f(made()); f(made()); }
`,
    tests: `${beginOfJavascript}import { mock } from 'node:test';
import { Button, compose, later, poll, Task, visit } from 'solution';
class Seen { values = []; see(value) { this.values.push(value); } }
test('in options', () => { let seen; const b = new Button({ onClick: (node) => { seen = node.size(); } }); b.click(); assert.equal(seen, 1); });
test('kept', () => { const t = new Task((node) => node.size()); const u = new Task((node) => node.size() + 1); assert.equal(u.run(), 2); assert.equal(t.run(), 1); });
test('later', async () => { assert.equal(await later((node) => node.size()), 1); const f = mock.fn((node) => node.size()); assert.equal(await later(f), 1); });
test('many', () => { for (let i = 0; i < 3; i += 1) { const t = new Task((node) => node.size() + i); assert.equal(t.run(), 1 + i); } });
test('functions that answer functions', () => { const add = (n) => (node) => { const own = node.size(); return (x) => x + n * own; }; assert.equal(compose(add(1), add(2))(1), 4); });
test('objects', () => { const s = new Seen(); visit(s); assert.equal(s.values[0].size(), 1); });
test('one object twice', () => { let sum = 0; poll((node) => { sum += node.size(); }); assert.equal(sum, 2); });
test('a property', () => { const t = new Task(() => 0); t.f = (node) => node.size(); t.todo = [t.f]; assert.equal(t.run(), 1); });
`,
  },
];
