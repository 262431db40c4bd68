import type { FidelityPackage } from './fidelity-case.ts';

/** Correct packages with ordinary tests, written without a look at the judge: schemas, queries, templates, arguments, containers, machines and trees. */
export const fidelityJavascriptBuilders: readonly FidelityPackage[] = [
  {
    id: 'registry-schema',
    breaks: [['src/schema.mjs', `() => structuredClone(value)`, `() => value`]],
    artifact: {
      'src/schema.mjs': `export class ValidationError extends Error {
  constructor(issues) {
    super(issues.map((i) => \`\${i.path.join('.') || '(root)'}: \${i.message}\`).join('; '));
    this.name = 'ValidationError';
    this.issues = issues;
  }

  format() {
    const tree = {};
    for (const { path, message } of this.issues) {
      let node = tree;
      for (const key of path) node = node[key] ??= {};
      (node._errors ??= []).push(message);
    }
    return tree;
  }
}

class Schema {
  checks = [];
  isOptional = false;

  _clone() {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
    copy.checks = [...this.checks];
    return copy;
  }

  _with(check) {
    const copy = this._clone();
    copy.checks.push(check);
    return copy;
  }

  optional() {
    const copy = this._clone();
    copy.isOptional = true;
    return copy;
  }

  default(value) {
    const copy = this._clone();
    copy.fallback = typeof value === 'function' ? value : () => structuredClone(value);
    return copy;
  }

  refine(test, message = 'Invalid input') {
    return this._with((value) => (test(value) ? null : typeof message === 'function' ? message(value) : message));
  }

  transform(fn) {
    const copy = this._clone();
    const before = this.after;
    copy.after = before ? (v) => fn(before(v)) : fn;
    return copy;
  }

  describe(description) {
    const copy = this._clone();
    copy.description = description;
    return copy;
  }

  _run(value, path, issues) {
    if (value === undefined) {
      if (this.fallback) return this.fallback();
      if (this.isOptional) return undefined;
    }
    const count = issues.length;
    const result = this._type(value, path, issues);
    if (issues.length > count) return result;
    for (const check of this.checks) {
      const message = check(result);
      if (message) issues.push({ path, message });
    }
    return issues.length === count && this.after ? this.after(result) : result;
  }

  safeParse(value) {
    const issues = [];
    const data = this._run(value, [], issues);
    return issues.length ? { success: false, error: new ValidationError(issues) } : { success: true, data };
  }

  parse(value) {
    const result = this.safeParse(value);
    if (!result.success) throw result.error;
    return result.data;
  }

  is(value) {
    return this.safeParse(value).success;
  }
}

const typeName = (v) => (v === null ? 'null' : Array.isArray(v) ? 'array' : typeof v);
const expected = (what, v, path, issues) => issues.push({ path, message: v === undefined ? 'Required' : \`Expected \${what}, received \${typeName(v)}\` });

class StringSchema extends Schema {
  _type(v, path, issues) {
    if (typeof v !== 'string') expected('string', v, path, issues);
    return v;
  }
  min(n) { return this._with((v) => (v.length < n ? \`at least \${n} characters\` : null)); }
  max(n) { return this._with((v) => (v.length > n ? \`at most \${n} characters\` : null)); }
  regex(re, message = 'Invalid format') { return this._with((v) => (re.test(v) ? null : message)); }
  email() { return this.regex(/^[^@\\s]+@[^@\\s]+\\.\\w+$/, 'Invalid email'); }
  trim() { return this.transform((v) => v.trim()); }
}

class NumberSchema extends Schema {
  _type(v, path, issues) {
    if (typeof v !== 'number' || Number.isNaN(v)) expected('number', v, path, issues);
    return v;
  }
  int() { return this._with((v) => (Number.isInteger(v) ? null : 'must be an integer')); }
  min(n) { return this._with((v) => (v < n ? \`must be >= \${n}\` : null)); }
  positive() { return this._with((v) => (v > 0 ? null : 'must be positive')); }
}

class EnumSchema extends Schema {
  constructor(options) { super(); this.options = options; }
  _type(v, path, issues) {
    if (!this.options.includes(v)) issues.push({ path, message: \`Expected one of \${this.options.join(', ')}\` });
    return v;
  }
}

class ArraySchema extends Schema {
  constructor(item) { super(); this.item = item; }
  _type(v, path, issues) {
    if (!Array.isArray(v)) { expected('array', v, path, issues); return v; }
    return v.map((x, i) => this.item._run(x, [...path, i], issues));
  }
  nonempty() { return this._with((v) => (v.length ? null : 'must not be empty')); }
}

class ObjectSchema extends Schema {
  constructor(shape) { super(); this.shape = shape; this.mode = 'strip'; }
  _type(v, path, issues) {
    if (typeName(v) !== 'object') { expected('object', v, path, issues); return v; }
    const out = {};
    for (const [key, schema] of Object.entries(this.shape)) {
      const value = schema._run(v[key], [...path, key], issues);
      if (value !== undefined || key in v) out[key] = value;
    }
    const extra = Object.keys(v).filter((k) => !(k in this.shape));
    if (this.mode === 'strict' && extra.length) issues.push({ path, message: \`Unrecognized key(s): \${extra.join(', ')}\` });
    if (this.mode === 'passthrough') for (const k of extra) out[k] = v[k];
    return out;
  }
  strict() { const c = this._clone(); c.mode = 'strict'; return c; }
  passthrough() { const c = this._clone(); c.mode = 'passthrough'; return c; }
  extend(shape) { const c = this._clone(); c.shape = { ...this.shape, ...shape }; return c; }
  pick(...keys) { const c = this._clone(); c.shape = Object.fromEntries(keys.map((k) => [k, this.shape[k]])); return c; }
  partial() {
    const c = this._clone();
    c.shape = Object.fromEntries(Object.entries(this.shape).map(([k, s]) => [k, s.optional()]));
    return c;
  }
}

class UnionSchema extends Schema {
  constructor(options) { super(); this.options = options; }
  _type(v, path, issues) {
    for (const option of this.options) {
      const tried = [];
      const out = option._run(v, path, tried);
      if (!tried.length) return out;
    }
    issues.push({ path, message: 'No variant matched' });
    return v;
  }
}

export const s = {
  string: () => new StringSchema(),
  number: () => new NumberSchema(),
  enum: (...options) => new EnumSchema(options),
  array: (item) => new ArraySchema(item),
  object: (shape) => new ObjectSchema(shape),
  union: (...options) => new UnionSchema(options),
};
export { Schema };
export default s;
`,
    },
    tests: {
      'test/schema.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import s, { Schema, ValidationError } from '../src/schema.mjs';

const User = s.object({
  name: s.string().min(2),
  age: s.number().int().positive().optional(),
  role: s.enum('admin', 'guest').default('guest'),
  tags: s.array(s.string()).default([]),
});

const issuesOf = (schema, value) => {
  const result = schema.safeParse(value);
  assert.equal(result.success, false);
  return result.error.issues;
};

describe('primitives', () => {
  it('parses strings', () => {
    assert.equal(s.string().parse('x'), 'x');
    assert.throws(() => s.string().parse(12), ValidationError);
    assert.throws(() => s.string().parse(null), { message: '(root): Expected string, received null' });
  });

  it('chains checks', () => {
    const schema = s.string().min(3).max(5).regex(/^[a-z]+$/);
    assert.ok(schema.is('abcd'));
    assert.ok(!schema.is('ab'));
    assert.deepEqual(issuesOf(schema, 'AB'), [
      { path: [], message: 'at least 3 characters' },
      { path: [], message: 'Invalid format' },
    ]);
  });

  it('does not change a schema by chaining', () => {
    const base = s.string();
    const short = base.max(1);
    assert.notEqual(base, short);
    assert.ok(base.is('long text'));
    assert.ok(!short.is('long text'));
  });

  it('parses numbers', () => {
    for (const [value, ok] of [[1, true], [0, false], [-3, false], [1.5, false], [Number.NaN, false], ['1', false]]) {
      assert.equal(s.number().int().positive().is(value), ok, \`\${value}\`);
    }
  });

  it('transforms', () => {
    const schema = s.string().trim().transform((v) => v.toUpperCase()).transform((v) => v.split(''));
    assert.deepEqual(schema.parse(' ab '), ['A', 'B']);
  });

  it('refines with a message of its own', () => {
    const even = s.number().refine((n) => n % 2 === 0, (n) => \`\${n} is odd\`);
    assert.equal(even.parse(4), 4);
    assert.throws(() => even.parse(5), /5 is odd/);
  });

  it('is an instance of Schema', () => {
    assert.ok(s.number() instanceof Schema);
    assert.equal(s.number().describe('an amount').description, 'an amount');
    assert.equal(s.number().constructor.name, 'NumberSchema');
  });
});

describe('objects', () => {
  it('fills defaults and strips unknown keys', () => {
    assert.deepEqual(User.parse({ name: 'Ann', extra: true }), { name: 'Ann', role: 'guest', tags: [] });
  });

  it('makes new defaults each time', () => {
    const a = User.parse({ name: 'Ann' });
    const b = User.parse({ name: 'Bob' });
    a.tags.push('x');
    assert.deepEqual(b.tags, []);
    assert.notStrictEqual(a.tags, b.tags);
  });

  it('collects all issues with paths', () => {
    const issues = issuesOf(User, { name: 'A', age: -1, tags: ['ok', 3], role: 'root' });
    assert.deepEqual(issues.map((i) => i.path.join('.')), ['name', 'age', 'role', 'tags.1']);
    assert.equal(issues.at(-1).message, 'Expected string, received number');
  });

  it('formats nested errors', () => {
    const nested = s.object({ user: User, count: s.number() });
    const { error } = nested.safeParse({ user: { name: '' } });
    assert.ok(error instanceof ValidationError);
    assert.deepEqual(error.format(), {
      user: { name: { _errors: ['at least 2 characters'] } },
      count: { _errors: ['Required'] },
    });
    assert.equal(error.message, 'user.name: at least 2 characters; count: Required');
  });

  it('strict and passthrough', () => {
    const point = s.object({ x: s.number() });
    assert.throws(() => point.strict().parse({ x: 1, y: 2, z: 3 }), /Unrecognized key\\(s\\): y, z/);
    assert.deepEqual(point.passthrough().parse({ x: 1, y: 2 }), { x: 1, y: 2 });
    assert.deepEqual(point.parse({ x: 1, y: 2 }), { x: 1 });
  });

  it('extend, pick and partial', () => {
    const extended = User.extend({ email: s.string().email() });
    assert.deepEqual(Object.keys(extended.shape), ['name', 'age', 'role', 'tags', 'email']);
    assert.deepEqual(Object.keys(User.shape).length, 4);
    assert.deepEqual(User.pick('name').parse({ name: 'Bob', age: 'x' }), { name: 'Bob' });
    assert.deepEqual(User.partial().parse({}), { role: 'guest', tags: [] });
    assert.throws(() => extended.parse({ name: 'Bob', email: 'nope' }), (error) => {
      assert.partialDeepStrictEqual(error.issues, [{ message: 'Invalid email' }]);
      return error.name === 'ValidationError';
    });
  });

  it('rejects what is no object', () => {
    for (const value of [null, [], 'text', 1]) assert.ok(!User.is(value));
    assert.deepEqual(issuesOf(User, []), [{ path: [], message: 'Expected object, received array' }]);
  });
});

describe('arrays and unions', () => {
  it('validates items', () => {
    const list = s.array(s.number().min(0)).nonempty();
    assert.deepEqual(list.parse([1, 2]), [1, 2]);
    assert.throws(() => list.parse([]), { issues: [{ path: [], message: 'must not be empty' }] });
    assert.deepEqual(issuesOf(list, [1, -1]), [{ path: [1], message: 'must be >= 0' }]);
  });

  it('takes the first variant that fits', () => {
    const id = s.union(s.number(), s.string().transform((t) => \`#\${t}\`));
    assert.equal(id.parse(7), 7);
    assert.equal(id.parse('a'), '#a');
    assert.throws(() => id.parse(true), { message: '(root): No variant matched' });
  });

  it('accepts schemas of one\\'s own', () => {
    class BooleanSchema extends Schema {
      _type(v, path, issues) {
        if (typeof v !== 'boolean') issues.push({ path, message: 'Expected boolean' });
        return v;
      }
    }
    const flags = s.object({ on: new BooleanSchema(), off: new BooleanSchema().optional() });
    assert.deepEqual(flags.parse({ on: true }), { on: true });
    assert.deepEqual(issuesOf(flags, { on: 1, off: 'x' }).map((i) => i.path[0]), ['on', 'off']);
  });
});
`,
    },
  },
  {
    id: 'registry-query',
    breaks: [['lib/builder.cjs', `copy[key] = [...this[key]]`, `copy[key] = this[key]`]],
    artifact: {
      'lib/builder.cjs': `'use strict';
const util = require('node:util');

class Raw {
  constructor(sql, bindings = []) {
    this.sql = sql;
    this.bindings = bindings;
  }
  toString() {
    return this.sql;
  }
}

function sql(strings, ...values) {
  let text = strings[0];
  const bindings = [];
  values.forEach((value, i) => {
    if (value instanceof Raw) {
      text += value.sql;
      bindings.push(...value.bindings);
    } else {
      text += '?';
      bindings.push(value);
    }
    text += strings[i + 1];
  });
  return new Raw(text, bindings);
}

const quote = (name) => (name instanceof Raw ? name.sql : name === '*' ? '*' : name.split('.').map((p) => (p === '*' ? p : \`"\${p.replaceAll('"', '""')}"\`)).join('.'));
const OPERATORS = new Set(['=', '<', '>', '<=', '>=', '<>', 'like', 'in']);

class QueryBuilder {
  constructor(table) {
    this._table = table;
    this._columns = [];
    this._where = [];
    this._joins = [];
    this._order = [];
    this._limit = undefined;
  }

  select(...columns) {
    this._columns.push(...columns.flat());
    return this;
  }

  where(column, operator, value) {
    if (typeof column === 'function') {
      const group = new QueryBuilder();
      column.call(group, group);
      this._where.push({ join: 'and', group });
      return this;
    }
    if (column !== null && typeof column === 'object' && !(column instanceof Raw)) {
      for (const [key, v] of Object.entries(column)) this.where(key, v);
      return this;
    }
    return this._add('and', column, operator, value, arguments.length);
  }

  orWhere(column, operator, value) {
    return this._add('or', column, operator, value, arguments.length);
  }

  _add(join, column, operator, value, count) {
    if (column instanceof Raw) this._where.push({ join, raw: column });
    else {
      if (count === 2) [operator, value] = [Array.isArray(operator) ? 'in' : '=', operator];
      if (!OPERATORS.has(operator)) throw new Error(\`The operator "\${operator}" is not permitted\`);
      this._where.push({ join, column, operator, value });
    }
    return this;
  }

  join(table, left, right) {
    this._joins.push([table, left, right]);
    return this;
  }

  orderBy(column, direction = 'asc') {
    this._order.push([column, direction]);
    return this;
  }

  limit(n) {
    if (!Number.isInteger(n) || n < 0) throw new TypeError('limit must be a non-negative integer');
    this._limit = n;
    return this;
  }

  clone() {
    const copy = new QueryBuilder(this._table);
    for (const key of ['_columns', '_where', '_joins', '_order']) copy[key] = [...this[key]];
    copy._limit = this._limit;
    return copy;
  }

  _conditions(bindings) {
    return this._where.map((w, i) => {
      const lead = i === 0 ? '' : \` \${w.join} \`;
      if (w.group) return \`\${lead}(\${w.group._conditions(bindings)})\`;
      if (w.raw) {
        bindings.push(...w.raw.bindings);
        return lead + w.raw.sql;
      }
      if (w.operator === 'in') {
        bindings.push(...w.value);
        return \`\${lead}\${quote(w.column)} in (\${w.value.map(() => '?').join(', ')})\`;
      }
      if (w.value === null) return \`\${lead}\${quote(w.column)} is \${w.operator === '=' ? '' : 'not '}null\`;
      bindings.push(w.value);
      return \`\${lead}\${quote(w.column)} \${w.operator} ?\`;
    }).join('');
  }

  toSQL() {
    const bindings = [];
    const columns = this._columns.length ? this._columns.map((c) => quote(c)).join(', ') : '*';
    let text = \`select \${columns} from \${quote(this._table)}\`;
    for (const [t, l, r] of this._joins) text += \` inner join \${quote(t)} on \${quote(l)} = \${quote(r)}\`;
    if (this._where.length) text += \` where \${this._conditions(bindings)}\`;
    if (this._order.length) text += \` order by \${this._order.map(([c, d]) => \`\${quote(c)} \${d}\`).join(', ')}\`;
    if (this._limit !== undefined) {
      text += ' limit ?';
      bindings.push(this._limit);
    }
    return { sql: text, bindings };
  }

  toString() {
    const { sql: text, bindings } = this.toSQL();
    let i = 0;
    return text.replace(/\\?/g, () => {
      const value = bindings[i++];
      return typeof value === 'string' ? \`'\${value.replaceAll("'", "''")}'\` : value instanceof Date ? \`'\${value.toISOString()}'\` : String(value);
    });
  }

  [util.inspect.custom]() {
    return \`QueryBuilder <\${this}>\`;
  }

  then(resolve, reject) {
    return Promise.resolve()
      .then(() => {
        if (!QueryBuilder.client) throw new Error('no client');
        return QueryBuilder.client(this.toSQL());
      })
      .then(resolve, reject);
  }
}
QueryBuilder.client = null;

function db(table) {
  return new QueryBuilder(table);
}
db.raw = (text, bindings) => new Raw(text, bindings);
db.connect = (client) => {
  QueryBuilder.client = client;
  return () => {
    QueryBuilder.client = null;
  };
};

module.exports = db;
module.exports.sql = sql;
module.exports.Raw = Raw;
module.exports.QueryBuilder = QueryBuilder;
`,
    },
    tests: {
      'test/builder.test.cjs': `'use strict';
const { describe, it, afterEach } = require('node:test');
const assert = require('node:assert/strict');
const util = require('node:util');
const db = require('../lib/builder.cjs');
const { sql, Raw, QueryBuilder } = db;

function check(query, text, bindings = []) {
  const compiled = query.toSQL();
  assert.equal(compiled.sql, text);
  assert.deepEqual(compiled.bindings, bindings);
}

describe('query builder', () => {
  it('selects everything by default', () => {
    check(db('users'), 'select * from "users"');
  });

  it('selects columns', () => {
    check(db('users').select('id', ['name', 'users.email']), 'select "id", "name", "users"."email" from "users"');
  });

  it('where with two and three arguments', () => {
    check(db('t').where('a', 1).where('b', '>', 2), 'select * from "t" where "a" = ? and "b" > ?', [1, 2]);
  });

  it('where with an object', () => {
    check(db('t').where({ a: 'x', b: null }), 'select * from "t" where "a" = ? and "b" is null', ['x']);
  });

  it('where in', () => {
    check(db('t').where('id', [1, 2, 3]), 'select * from "t" where "id" in (?, ?, ?)', [1, 2, 3]);
  });

  it('groups', () => {
    check(
      db('t').where('a', 1).where((q) => q.where('b', 2).orWhere('c', 3)),
      'select * from "t" where "a" = ? and ("b" = ? or "c" = ?)',
      [1, 2, 3],
    );
  });

  it('groups with this', () => {
    check(
      db('t').where(function () {
        this.where('b', 2).orWhere('c', 'like', '%x');
      }),
      'select * from "t" where ("b" = ? or "c" like ?)',
      [2, '%x'],
    );
  });

  it('rejects unknown operators', () => {
    assert.throws(() => db('t').where('a', 'drop', 1), { message: 'The operator "drop" is not permitted' });
  });

  it('joins, orders and limits', () => {
    check(
      db('a').join('b', 'a.id', 'b.a_id').orderBy('a.id').orderBy('b.x', 'desc').limit(10),
      'select * from "a" inner join "b" on "a"."id" = "b"."a_id" order by "a"."id" asc, "b"."x" desc limit ?',
      [10],
    );
    for (const n of [-1, 1.5, '2']) assert.throws(() => db('a').limit(n), TypeError);
  });

  it('quotes names', () => {
    check(db('we"ird').select('*', 't.*'), 'select *, "t".* from "we""ird"');
  });

  it('clones', () => {
    const base = db('t').where('a', 1);
    const narrowed = base.clone().where('b', 2).limit(1);
    check(base, 'select * from "t" where "a" = ?', [1]);
    check(narrowed, 'select * from "t" where "a" = ? and "b" = ? limit ?', [1, 2, 1]);
    assert.ok(narrowed instanceof QueryBuilder);
    assert.notEqual(narrowed, base);
  });

  it('tagged templates', () => {
    const part = sql\`lower(name) = \${'bob'}\`;
    assert.ok(part instanceof Raw);
    const whole = sql\`\${part} and age > \${18}\`;
    assert.equal(whole.sql, 'lower(name) = ? and age > ?');
    assert.deepEqual(whole.bindings, ['bob', 18]);
    check(db('t').where(whole).select(db.raw('count(*)')), 'select count(*) from "t" where lower(name) = ? and age > ?', ['bob', 18]);
  });

  it('prints with values in place', () => {
    const query = db('t').where({ name: "O'Neil", at: new Date(0) });
    assert.equal(\`\${query}\`, \`select * from "t" where "name" = 'O''Neil' and "at" = '1970-01-01T00:00:00.000Z'\`);
    assert.equal(query.toString(), String(query));
    assert.equal(util.inspect(db('t')), 'QueryBuilder <select * from "t">');
  });

  it('Raw has sensible equality', () => {
    assert.deepEqual(db.raw('now()'), new Raw('now()'));
    assert.notDeepEqual(db.raw('now()'), new Raw('now()', [1]));
    assert.equal(String(db.raw('now()')), 'now()');
  });

  describe('with a client', () => {
    let disconnect;
    afterEach(() => disconnect?.());

    it('is thenable', async (t) => {
      const client = t.mock.fn(async () => [{ id: 1 }]);
      disconnect = db.connect(client);
      const rows = await db('users').where('id', 1);
      assert.deepEqual(rows, [{ id: 1 }]);
      assert.deepEqual(client.mock.calls[0].arguments, [{ sql: 'select * from "users" where "id" = ?', bindings: [1] }]);
    });

    it('passes on errors', async () => {
      const failure = new Error('connection lost');
      disconnect = db.connect(() => Promise.reject(failure));
      await assert.rejects(async () => await db('users'), failure);
    });

    it('rejects without a client', async () => {
      disconnect = undefined;
      await assert.rejects(db('users').then((rows) => rows), /no client/);
    });
  });
});
`,
    },
  },
  {
    id: 'registry-template',
    breaks: [['src/template.mjs', `value = value.call(scope)`, `value = value()`]],
    artifact: {
      'src/template.mjs': `export class TemplateError extends SyntaxError {
  constructor(message, { line, column, source }) {
    super(\`\${message} (\${line}:\${column})\`);
    Object.assign(this, { line, column });
    Object.defineProperty(this, 'source', { value: source, enumerable: false });
  }
  get name() {
    return 'TemplateError';
  }
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => ESCAPES[c]);
}

export class SafeString {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

function* tokenize(source) {
  const pattern = /\\{\\{([#^/>!&]?)\\s*([^}]*?)\\s*\\}\\}/g;
  let last = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > last) yield { type: 'text', value: source.slice(last, match.index) };
    yield { type: match[1] || 'value', value: match[2], index: match.index };
    last = match.index + match[0].length;
  }
  if (last < source.length) yield { type: 'text', value: source.slice(last) };
}

function fail(message, source, index) {
  const before = source.slice(0, index).split('\\n');
  throw new TemplateError(message, { line: before.length, column: before.at(-1).length + 1, source });
}

function parse(source) {
  const root = { children: [] };
  const stack = [root];
  for (const token of tokenize(source)) {
    const top = stack.at(-1);
    if (token.type === '!') continue;
    if (token.type === '#' || token.type === '^') {
      const node = { ...token, children: [] };
      top.children.push(node);
      stack.push(node);
    } else if (token.type === '/') {
      if (stack.length === 1) fail(\`unexpected end of "\${token.value}"\`, source, token.index);
      if (top.value.split(' ')[0] !== token.value && top.value !== token.value) fail(\`expected end of "\${top.value}"\`, source, token.index);
      stack.pop();
    } else {
      top.children.push(token);
    }
  }
  if (stack.length > 1) fail(\`unclosed "\${stack.at(-1).value}"\`, source, stack.at(-1).index);
  return root;
}

export class Engine {
  #helpers = new Map();
  #partials = new Map();
  #cache = new Map();

  constructor({ helpers = {}, partials = {} } = {}) {
    for (const [name, fn] of Object.entries(helpers)) this.helper(name, fn);
    for (const [name, text] of Object.entries(partials)) this.partial(name, text);
  }

  get compiled() {
    return this.#cache.size;
  }

  helper(name, fn) {
    this.#helpers.set(name, fn);
    return this;
  }

  partial(name, text) {
    this.#partials.set(name, text);
    return this;
  }

  compile(source) {
    if (!this.#cache.has(source)) {
      const tree = parse(source);
      this.#cache.set(source, (data = {}) => this.#render(tree.children, [data]));
    }
    return this.#cache.get(source);
  }

  render(source, data) {
    return this.compile(source)(data);
  }

  async renderAsync(source, data) {
    const entries = await Promise.all(Object.entries(data).map(async ([k, v]) => [k, await (typeof v === 'function' ? v() : v)]));
    return this.render(source, Object.fromEntries(entries));
  }

  #lookup(path, scopes) {
    if (path === '.') return scopes.at(-1);
    const [first, ...rest] = path.split('.');
    for (let i = scopes.length - 1; i >= 0; i--) {
      const scope = scopes[i];
      if (scope !== null && typeof scope === 'object' && first in scope) {
        let value = scope[first];
        if (typeof value === 'function') value = value.call(scope);
        for (const key of rest) value = value?.[key];
        return value;
      }
    }
    return undefined;
  }

  #value(expression, scopes) {
    const [name, ...args] = expression.split(/\\s+/);
    const helper = this.#helpers.get(name);
    if (!helper) return this.#lookup(name, scopes);
    return helper.apply(scopes.at(-1), args.map((a) => (/^(".*"|\\d+)$/.test(a) ? JSON.parse(a) : this.#lookup(a, scopes))));
  }

  #render(nodes, scopes) {
    return nodes.map((node) => {
      switch (node.type) {
        case 'text': return node.value;
        case '>': {
          if (!this.#partials.has(node.value)) throw new ReferenceError(\`no partial "\${node.value}"\`);
          return this.#render(parse(this.#partials.get(node.value)).children, scopes);
        }
        case '#': {
          const value = this.#value(node.value, scopes);
          if (Array.isArray(value)) return value.map((v) => this.#render(node.children, [...scopes, v])).join('');
          return value ? this.#render(node.children, [...scopes, value]) : '';
        }
        case '^': {
          const value = this.#value(node.value, scopes);
          return !value || value.length === 0 ? this.#render(node.children, scopes) : '';
        }
        default: {
          const value = this.#value(node.value, scopes);
          if (value === undefined || value === null) return '';
          return node.type === '&' || value instanceof SafeString ? String(value) : escape(value);
        }
      }
    }).join('');
  }
}

export const render = (source, data, options) => new Engine(options).render(source, data);
`,
    },
    tests: {
      'test/template.test.mjs': `import { describe, it, before } from 'node:test';
import assert from 'node:assert/strict';
import { Engine, SafeString, TemplateError, escape, render } from '../src/template.mjs';

describe('escape', () => {
  it('escapes html', () => {
    assert.equal(escape(\`<a href="x">'&'</a>\`), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
    assert.equal(escape(12), '12');
  });
});

describe('render', () => {
  it('interpolates', () => {
    assert.equal(render('Hello {{ name }}!', { name: 'World' }), 'Hello World!');
    assert.equal(render('{{a.b.c}}', { a: { b: { c: 1 } } }), '1');
    assert.equal(render('[{{missing.x}}]', {}), '[]');
  });

  it('escapes unless told otherwise', () => {
    const data = { html: '<b>' };
    assert.equal(render('{{html}} {{&html}}', data), '&lt;b&gt; <b>');
  });

  it('renders sections', () => {
    const template = '{{#items}}<li>{{name}}</li>{{/items}}{{^items}}none{{/items}}';
    assert.equal(render(template, { items: [{ name: 'a' }, { name: 'b' }] }), '<li>a</li><li>b</li>');
    assert.equal(render(template, { items: [] }), 'none');
  });

  it('looks names up in outer scopes', () => {
    assert.equal(render('{{#list}}{{.}}{{sep}}{{/list}}', { list: [1, 2], sep: ';' }), '1;2;');
  });

  it('calls functions of the data with this', () => {
    const person = {
      first: 'Ada',
      last: 'Lovelace',
      full() {
        return \`\${this.first} \${this.last}\`;
      },
    };
    assert.equal(render('{{full}}', person), 'Ada Lovelace');
    assert.equal(render('{{#person}}{{full}}{{/person}}', { person }), 'Ada Lovelace');
  });

  it('reads getters of instances', () => {
    class Cart {
      items = [2, 3];
      get total() {
        return this.items.reduce((a, b) => a + b, 0);
      }
    }
    assert.equal(render('{{cart.total}}', { cart: new Cart() }), '5');
    assert.equal(render('{{total}}', new Cart()), '5');
  });

  it('drops comments', () => {
    assert.equal(render('a{{! nothing }}b', {}), 'ab');
  });
});

describe('Engine', () => {
  let engine;

  before(() => {
    engine = new Engine({
      helpers: { upper: (s) => s.toUpperCase(), bold: (s) => new SafeString(\`<b>\${s}</b>\`) },
      partials: { greet: 'Hi {{name}}' },
    });
  });

  it('uses helpers', () => {
    assert.equal(engine.render('{{upper name}} {{bold "x"}}', { name: 'bob' }), 'BOB <b>x</b>');
  });

  it('gives helpers this', () => {
    engine.helper('self', function () {
      return this.id;
    });
    assert.equal(engine.render('{{self}}', { id: 7 }), '7');
  });

  it('uses partials', () => {
    assert.equal(engine.render('{{#people}}{{> greet}}. {{/people}}', { people: [{ name: 'A' }, { name: 'B' }] }), 'Hi A. Hi B. ');
    assert.throws(() => engine.render('{{> nope}}'), { name: 'ReferenceError', message: 'no partial "nope"' });
  });

  it('compiles once', () => {
    const own = new Engine();
    const hello = own.compile('Hello {{who}}');
    assert.equal(own.compile('Hello {{who}}'), hello);
    assert.equal(own.compiled, 1);
    assert.equal(hello({ who: 'x' }), 'Hello x');
    assert.equal(hello(), 'Hello ');
  });

  it('chains', () => {
    const own = new Engine().helper('one', () => 1).partial('p', '{{one}}');
    assert.ok(own instanceof Engine);
    assert.equal(own.render('{{>p}}'), '1');
  });

  it('awaits values', async () => {
    const data = { user: Promise.resolve({ name: 'Eve' }), n: async () => 3 };
    assert.equal(await engine.renderAsync('{{user.name}}:{{n}}', data), 'Eve:3');
    await assert.rejects(engine.renderAsync('x', { bad: Promise.reject(new Error('db')) }), /db/);
  });

  it('converts what it is given', () => {
    const money = { toString: () => '$5' };
    assert.equal(engine.render('{{price}}', { price: money }), '$5');
    assert.equal(engine.render('{{when}}', { when: new Date(NaN) }), 'Invalid Date');
  });
});

describe('errors', () => {
  const failing = {
    'unclosed section': ['a\\n {{#x}}b', /unclosed "x" \\(2:2\\)/, 2],
    'wrong end': ['{{#a}}{{/b}}', /expected end of "a" \\(1:7\\)/, 1],
    'unexpected end': ['\\n\\n{{/z}}', /unexpected end of "z" \\(3:1\\)/, 3],
  };
  for (const [name, [source, message, line]] of Object.entries(failing)) {
    it(\`reports \${name}\`, () => {
      assert.throws(() => render(source, {}), (error) => {
        assert.ok(error instanceof TemplateError);
        assert.ok(error instanceof SyntaxError);
        assert.match(error.message, message);
        assert.equal(error.line, line);
        assert.equal(error.source, source);
        assert.ok(!Object.keys(error).includes('source'));
        return true;
      });
    });
  }

  it('can be made', () => {
    const error = new TemplateError('bad', { line: 1, column: 2, source: 'x' });
    assert.equal(error.name, 'TemplateError');
    assert.equal(String(error), 'TemplateError: bad (1:2)');
    assert.deepEqual({ ...error }, { line: 1, column: 2 });
  });
});
`,
    },
  },
  {
    id: 'registry-args',
    breaks: [['src/args.mjs', `arg.split(/=(.*)/s)`, `arg.split('=')`]],
    artifact: {
      'src/args.mjs': `export class UsageError extends Error {
  name = 'UsageError';
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

const camel = (s) => s.replace(/-(\\w)/g, (_, c) => c.toUpperCase());

function distance(a, b) {
  const row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let left = i;
    for (let j = 1; j <= b.length; j++) {
      const next = a[i - 1] === b[j - 1] ? row[j - 1] : 1 + Math.min(row[j - 1], row[j], left);
      row[j - 1] = left;
      left = next;
    }
    row[b.length] = left;
  }
  return row[b.length];
}

class Command {
  constructor(name, description = '') {
    this.name = name;
    this.description = description;
    this.options = [];
    this.commands = new Map();
    this.handler = null;
    this.parent = null;
  }

  option(flags, description = '', config = {}) {
    const [, short, long, value] = /^(?:-(\\w), )?--([\\w-]+)(?: <(\\w+)>)?$/.exec(flags) ?? [];
    if (!long) throw new UsageError(\`invalid flags: \${flags}\`);
    this.options.push({ short, long, key: camel(long), takesValue: value !== undefined, valueName: value, description, ...config });
    return this;
  }

  command(name, description) {
    const child = new Command(name, description);
    child.parent = this;
    this.commands.set(name, child);
    return child;
  }

  action(handler) {
    this.handler = handler;
    return this;
  }

  get path() {
    return this.parent ? \`\${this.parent.path} \${this.name}\` : this.name;
  }

  #find(flag) {
    for (let c = this; c; c = c.parent) {
      const found = c.options.find((o) => flag === \`--\${o.long}\` || flag === \`-\${o.short}\`);
      if (found) return found;
    }
    const known = this.options.map((o) => \`--\${o.long}\`).sort((a, b) => distance(a, flag) - distance(b, flag))[0];
    throw new UsageError(\`unknown option \${flag}\`, known && distance(known, flag) <= 3 ? \`did you mean \${known}?\` : undefined);
  }

  parse(argv) {
    const child = this.commands.get(argv[0]);
    if (child) return child.parse(argv.slice(1));
    const options = {};
    const rest = [];
    for (let c = this; c; c = c.parent) {
      for (const o of c.options) if (o.default !== undefined) options[o.key] ??= o.default;
    }
    for (let i = 0; i < argv.length; i++) {
      const arg = argv[i];
      if (arg === '--') {
        rest.push(...argv.slice(i + 1));
        break;
      }
      if (!arg.startsWith('-') || arg === '-') {
        rest.push(arg);
        continue;
      }
      const [flag, inline] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
      if (flag.startsWith('--no-')) {
        options[this.#find(\`--\${flag.slice(5)}\`).key] = false;
        continue;
      }
      if (/^-\\w\\w+$/.test(flag)) {
        argv.splice(i + 1, 0, ...[...flag.slice(1)].map((c) => \`-\${c}\`));
        continue;
      }
      const option = this.#find(flag);
      let value = true;
      if (option.takesValue) {
        value = inline ?? argv[++i];
        if (value === undefined) throw new UsageError(\`option \${flag} needs a value\`);
        if (option.coerce) value = option.coerce(value);
      }
      if (option.choices && !option.choices.includes(value)) throw new UsageError(\`\${flag} must be one of \${option.choices.join(', ')}\`);
      if (option.multiple) (options[option.key] = options[option.key] ?? []).push(value);
      else options[option.key] = value;
    }
    for (const o of this.options) if (o.required && options[o.key] === undefined) throw new UsageError(\`missing --\${o.long}\`);
    return { command: this, options, args: rest };
  }

  async run(argv, context = {}) {
    const { command, options, args } = this.parse(argv);
    if (!command.handler) throw new UsageError(\`nothing to do for "\${command.path}"\`);
    return command.handler.call(context, options, ...args);
  }

  help() {
    const lines = [\`Usage: \${this.path} [options]\`];
    if (this.description) lines.push('', this.description);
    if (this.options.length) {
      const left = this.options.map((o) => \`\${o.short ? \`-\${o.short}, \` : '    '}--\${o.long}\${o.takesValue ? \` <\${o.valueName}>\` : ''}\`);
      const width = Math.max(...left.map((l) => l.length));
      lines.push('', 'Options:', ...this.options.map((o, i) => \`  \${left[i].padEnd(width)}  \${o.description}\`.trimEnd()));
    }
    return lines.join('\\n');
  }
}

export const program = (name, description) => new Command(name, description);
`,
    },
    tests: {
      'test/args.test.mjs': `import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { program, UsageError } from '../src/args.mjs';

describe('program', () => {
  let cli;
  beforeEach(() => {
    cli = program('tool', 'Does things')
      .option('-v, --verbose', 'say more')
      .option('-o, --out-file <path>', 'where to', { default: 'a.out' })
      .option('--level <n>', 'how much', { coerce: Number })
      .option('--color', '', { default: true });
  });

  const parse = (...argv) => cli.parse(argv).options;

  it('applies defaults', () => {
    assert.deepEqual(parse(), { outFile: 'a.out', color: true });
  });

  it('parses long and short flags', () => {
    assert.deepEqual(parse('--verbose', '-o', 'x.js'), { verbose: true, outFile: 'x.js', color: true });
    assert.equal(parse('--out-file=y=z').outFile, 'y=z');
  });

  it('negates', () => {
    assert.equal(parse('--no-color').color, false);
  });

  it('coerces', () => {
    assert.strictEqual(parse('--level', '3').level, 3);
    assert.ok(Number.isNaN(parse('--level', 'x').level));
  });

  it('splits short flags', () => {
    cli.option('-x, --extract').option('-f, --force');
    const { verbose, extract, force } = parse('-vxf');
    assert.ok(verbose && extract && force);
  });

  it('collects positionals', () => {
    const { args, options } = cli.parse(['a', '-v', 'b', '--', '--level', '-']);
    assert.deepEqual(args, ['a', 'b', '--level', '-']);
    assert.equal(options.level, undefined);
  });

  it('repeats', () => {
    cli.option('--tag <t>', '', { multiple: true });
    assert.deepEqual(parse('--tag', 'a', '--tag=b').tag, ['a', 'b']);
  });

  it('rejects unknown flags with a hint', () => {
    assert.throws(() => parse('--verbos'), (e) => e instanceof UsageError && e.hint === 'did you mean --verbose?');
    assert.throws(() => parse('--zzzzzzzzzzz'), { name: 'UsageError', message: 'unknown option --zzzzzzzzzzz', hint: undefined });
  });

  it('rejects missing and wrong values', () => {
    cli.option('--mode <m>', '', { choices: ['fast', 'slow'] });
    assert.throws(() => parse('--level'), /needs a value/);
    assert.throws(() => parse('--mode', 'odd'), /must be one of fast, slow/);
    assert.throws(() => cli.option('verbose'), UsageError);
  });

  it('requires', () => {
    cli.option('--id <n>', '', { required: true });
    assert.throws(() => parse(), { message: 'missing --id' });
    assert.partialDeepStrictEqual(parse('--id', '1'), { id: '1' });
  });

  it('prints help', () => {
    assert.equal(
      cli.help(),
      [
        'Usage: tool [options]',
        '',
        'Does things',
        '',
        'Options:',
        '  -v, --verbose          say more',
        '  -o, --out-file <path>  where to',
        '      --level <n>        how much',
        '      --color',
      ].join('\\n'),
    );
  });

  describe('commands', () => {
    it('dispatches to a command', async (t) => {
      const build = t.mock.fn(async (options, ...files) => files.length);
      cli.command('build', 'Builds').option('--watch').action(build);
      assert.equal(await cli.run(['build', '--watch', 'a.js', 'b.js', '-v']), 2);
      const [options, ...files] = build.mock.calls[0].arguments;
      assert.deepEqual(options, { watch: true, verbose: true, outFile: 'a.out', color: true });
      assert.deepEqual(files, ['a.js', 'b.js']);
    });

    it('knows its path', () => {
      const remote = cli.command('remote');
      const add = remote.command('add');
      assert.equal(add.path, 'tool remote add');
      assert.strictEqual(cli.parse(['remote', 'add', 'x']).command, add);
      assert.deepEqual([...cli.commands.keys()], ['remote']);
      assert.equal(add.parent.parent, cli);
    });

    it('gives the context as this', async () => {
      const printed = [];
      cli.command('hi').action(function (options, name) {
        this.print(\`hi \${name}\`);
      });
      await cli.run(['hi', 'bob'], { print: (line) => printed.push(line) });
      assert.deepEqual(printed, ['hi bob']);
    });

    it('rejects without an action', async () => {
      cli.command('empty');
      await assert.rejects(cli.run(['empty']), { name: 'UsageError', message: 'nothing to do for "tool empty"' });
      await assert.rejects(() => cli.run([]), UsageError);
    });
  });
});
`,
    },
  },
  {
    id: 'registry-container',
    leaning: ['scopes may replace'],
    breaks: [
      [
        'src/container.mjs',
        `const home = registration.lifetime === Lifetime.SCOPED ? this : owner;`,
        `const home = owner;`,
      ],
    ],
    artifact: {
      'src/container.mjs': `export const Lifetime = Object.freeze({ SINGLETON: 'singleton', TRANSIENT: 'transient', SCOPED: 'scoped' });

export class ResolutionError extends Error {
  constructor(name, path, cause) {
    super(\`Could not resolve "\${String(name)}".\${path.length ? \` Path: \${[...path, name].map(String).join(' -> ')}\` : ''}\`, { cause });
    this.name = 'ResolutionError';
    this.path = path;
  }
}

export function token(description) {
  return Symbol(description);
}

export class Container {
  #registrations = new Map();
  #instances = new Map();
  #parent;
  #disposed = false;

  constructor(parent) {
    this.#parent = parent;
  }

  value(name, value) {
    this.#registrations.set(name, { factory: () => value, lifetime: Lifetime.SINGLETON });
    return this;
  }

  factory(name, factory, { lifetime = Lifetime.SINGLETON } = {}) {
    this.#registrations.set(name, { factory, lifetime });
    return this;
  }

  class(name, Class, { lifetime = Lifetime.SINGLETON, inject = Class.inject ?? [] } = {}) {
    return this.factory(name, (c) => new Class(...inject.map((n) => c.get(n))), { lifetime });
  }

  has(name) {
    return this.#registrations.has(name) || (this.#parent?.has(name) ?? false);
  }

  #find(name) {
    const own = this.#registrations.get(name);
    if (own) return { registration: own, owner: this };
    return this.#parent ? this.#parent.#find(name) : undefined;
  }

  get(name, path = []) {
    if (this.#disposed) throw new Error('container is disposed');
    const found = this.#find(name);
    if (!found || path.includes(name)) throw new ResolutionError(name, path);
    const { registration, owner } = found;
    const home = registration.lifetime === Lifetime.SCOPED ? this : owner;
    if (registration.lifetime !== Lifetime.TRANSIENT && home.#instances.has(name)) return home.#instances.get(name);
    const scope = { get: (n) => this.get(n, [...path, name]), container: this };
    let instance;
    try {
      instance = registration.factory(scope);
    } catch (error) {
      if (error instanceof ResolutionError) throw error;
      throw new ResolutionError(name, path, error);
    }
    if (registration.lifetime !== Lifetime.TRANSIENT) home.#instances.set(name, instance);
    return instance;
  }

  get cradle() {
    return new Proxy({}, { get: (_, name) => (typeof name === 'string' ? this.get(name) : undefined), has: (_, name) => this.has(name) });
  }

  createScope() {
    return new Container(this);
  }

  async dispose() {
    this.#disposed = true;
    for (const [, instance] of [...this.#instances].reverse()) await instance?.dispose?.();
    this.#instances.clear();
  }

  [Symbol.asyncDispose]() {
    return this.dispose();
  }
}

export class PluginHost {
  #plugins = new Map();
  #hooks = new Map();
  constructor(options = {}) {
    this.options = options;
  }
  use(plugin, options = {}) {
    const { name } = plugin;
    if (!name) throw new TypeError('a plugin needs a name');
    if (this.#plugins.has(name)) return this;
    for (const dependency of plugin.requires ?? []) {
      if (!this.#plugins.has(dependency)) throw new Error(\`plugin "\${name}" requires "\${dependency}"\`);
    }
    const api = typeof plugin === 'function' ? plugin(this, options) : plugin.install(this, options);
    this.#plugins.set(name, api);
    if (api && typeof api === 'object') Object.assign(this, api);
    return this;
  }
  get plugins() {
    return [...this.#plugins.keys()];
  }
  hook(name, fn) {
    const list = this.#hooks.get(name) ?? [];
    this.#hooks.set(name, [...list, fn]);
    return this;
  }
  async call(name, value) {
    for (const fn of this.#hooks.get(name) ?? []) {
      const next = await fn.call(this, value);
      if (next !== undefined) value = next;
    }
    return value;
  }
}
`,
    },
    tests: {
      'test/container.test.mjs': `import { describe, test, beforeEach, afterEach } from 'node:test';
import assert from 'node:assert/strict';
import { Container, Lifetime, PluginHost, ResolutionError, token } from '../src/container.mjs';

class Logger {
  lines = [];
  log(line) {
    this.lines.push(line);
  }
}

class Repository {
  static inject = ['db', 'logger'];
  constructor(db, logger) {
    this.db = db;
    this.logger = logger;
  }
  find(id) {
    this.logger.log(\`find \${id}\`);
    return this.db[id] ?? null;
  }
}

describe('Container', () => {
  let container;

  beforeEach(() => {
    container = new Container().value('db', { 1: 'one' }).class('logger', Logger).class('repository', Repository);
  });

  afterEach(async () => {
    await container.dispose();
  });

  test('injects classes', () => {
    const repository = container.get('repository');
    assert.ok(repository instanceof Repository);
    assert.equal(repository.find(1), 'one');
    assert.equal(repository.find(2), null);
    assert.deepEqual(container.get('logger').lines, ['find 1', 'find 2']);
  });

  test('singletons are made once', () => {
    assert.equal(container.get('logger'), container.get('logger'));
    assert.equal(container.get('repository').logger, container.get('logger'));
  });

  test('transients are made each time', (t) => {
    const make = t.mock.fn(() => ({ id: make.mock.callCount() }));
    container.factory('job', make, { lifetime: Lifetime.TRANSIENT });
    const [a, b] = [container.get('job'), container.get('job')];
    assert.notEqual(a, b);
    assert.deepEqual([a.id, b.id], [0, 1]);
  });

  test('scoped live in their scope', () => {
    container.factory('request', () => ({ at: {} }), { lifetime: Lifetime.SCOPED });
    const scope = container.createScope();
    assert.equal(scope.get('request'), scope.get('request'));
    assert.notEqual(scope.get('request'), container.createScope().get('request'));
    assert.equal(scope.get('logger'), container.get('logger'));
  });

  test('scopes may replace', () => {
    const scope = container.createScope().value('db', { 1: 'uno' });
    assert.equal(scope.get('db')[1], 'uno');
    assert.equal(container.get('db')[1], 'one');
    assert.ok(scope.has('logger'));
    assert.ok(!scope.has('nothing'));
  });

  test('takes symbols', () => {
    const TOKEN = token('config');
    container.value(TOKEN, 42).factory('answer', (c) => c.get(TOKEN));
    assert.equal(container.get('answer'), 42);
    assert.equal(TOKEN.description, 'config');
  });

  test('names what is missing', () => {
    container.factory('a', (c) => c.get('b')).factory('b', (c) => c.get('c'));
    assert.throws(() => container.get('a'), { name: 'ResolutionError', message: 'Could not resolve "c". Path: a -> b -> c' });
    assert.throws(() => container.get('zzz'), { message: 'Could not resolve "zzz".', path: [] });
  });

  test('finds cycles', () => {
    container.factory('x', (c) => c.get('y')).factory('y', (c) => c.get('x'));
    assert.throws(() => container.get('x'), (error) => {
      assert.ok(error instanceof ResolutionError);
      assert.deepEqual(error.path, ['x', 'y']);
      return true;
    });
  });

  test('keeps the cause', () => {
    const cause = new Error('no connection');
    container.factory('bad', () => { throw cause; });
    assert.throws(() => container.get('bad'), (e) => e.cause === cause);
  });

  test('cradle', () => {
    const { logger, repository } = container.cradle;
    assert.equal(repository.logger, logger);
    assert.ok('db' in container.cradle);
    assert.throws(() => container.cradle.missing, ResolutionError);
  });

  test('disposes in reverse', async () => {
    const order = [];
    const own = new Container()
      .factory('first', () => ({ dispose: () => order.push('first') }))
      .factory('second', (c) => { c.get('first'); return { dispose: async () => { await null; order.push('second'); } }; });
    own.get('second');
    await own.dispose();
    assert.deepEqual(order, ['second', 'first']);
    assert.throws(() => own.get('first'), /disposed/);
  });

  test('await using', async (t) => {
    const dispose = t.mock.fn();
    {
      await using own = new Container().value('res', { dispose });
      own.get('res');
      assert.equal(dispose.mock.callCount(), 0);
    }
    assert.equal(dispose.mock.callCount(), 1);
  });
});

describe('PluginHost', () => {
  test('installs plugins with options', (t) => {
    const install = t.mock.fn((host, { prefix }) => ({ shout: (s) => \`\${prefix}\${s.toUpperCase()}\` }));
    const host = new PluginHost().use({ name: 'shout', install }, { prefix: '>' });
    assert.equal(host.shout('hi'), '>HI');
    assert.equal(install.mock.calls[0].arguments[0], host);
    assert.deepEqual(host.plugins, ['shout']);
  });

  test('installs a plugin once', (t) => {
    const plugin = { name: 'once', install: t.mock.fn() };
    const host = new PluginHost();
    host.use(plugin).use(plugin);
    assert.equal(plugin.install.mock.callCount(), 1);
  });

  test('functions are plugins', () => {
    function counter(host) {
      host.count = 0;
      return { increment: () => ++host.count };
    }
    const host = new PluginHost().use(counter);
    host.increment();
    host.increment();
    assert.equal(host.count, 2);
  });

  test('checks', () => {
    const host = new PluginHost({ debug: true });
    assert.deepEqual(host.options, { debug: true });
    assert.throws(() => host.use({ install() {} }), TypeError);
    assert.throws(() => host.use({ name: 'b', requires: ['a'], install() {} }), { message: 'plugin "b" requires "a"' });
    host.use({ name: 'a', install() {} });
    assert.doesNotThrow(() => host.use({ name: 'b', requires: ['a'], install() {} }));
  });

  test('hooks form a waterfall', async () => {
    const host = new PluginHost();
    let self;
    host.hook('title', (s) => s.trim()).hook('title', async function (s) { self = this; return s + '!'; }).hook('title', () => {});
    assert.equal(await host.call('title', ' a '), 'a!');
    assert.equal(self, host);
    assert.equal(await host.call('unknown', 3), 3);
  });

  test('a hook may reject', async () => {
    const host = new PluginHost().hook('save', async () => Promise.reject(new RangeError('full')));
    await assert.rejects(host.call('save', {}), { name: 'RangeError', message: 'full' });
  });

  test('can be extended', async () => {
    class App extends PluginHost {
      constructor() {
        super({ app: true });
        this.started = [];
      }
      async start() {
        await this.call('start', this);
        return this;
      }
    }
    const app = new App();
    app.hook('start', (self) => { self.started.push('x'); });
    assert.equal(await app.start(), app);
    assert.deepEqual(app.started, ['x']);
    assert.ok(app.options.app);
  });
});
`,
    },
  },
  {
    id: 'registry-machine',
    leaning: ['mixins work on classes of the test'],
    breaks: [['src/machine.mjs', `if (t.guard && !t.guard(this.#context, data)) return false;`, ``]],
    artifact: {
      'src/machine.mjs': `export class TransitionError extends Error {
  constructor(state, event, options) {
    super(\`no transition for "\${event}" in "\${state}"\`, options);
    this.name = 'TransitionError';
    this.state = state;
    this.event = event;
  }
}

export class Machine {
  #config;
  #listeners = new Set();
  #state;
  #context;
  #history = [];

  constructor(config) {
    this.#config = config;
    this.#state = config.initial;
    this.#context = { ...config.context };
    if (!(config.initial in config.states)) throw new RangeError(\`unknown initial state "\${config.initial}"\`);
    for (const [name, state] of Object.entries(config.states)) {
      for (const [event, t] of Object.entries(state.on ?? {})) {
        const target = typeof t === 'string' ? t : t.target;
        if (target !== undefined && !(target in config.states)) throw new RangeError(\`"\${name}.\${event}" leads to unknown state "\${target}"\`);
      }
    }
  }

  get state() { return this.#state; }
  get context() { return this.#context; }
  get history() { return [...this.#history]; }
  get done() { return this.#config.states[this.#state].final === true; }

  matches(...states) { return states.includes(this.#state); }

  can(event) {
    const t = this.#config.states[this.#state].on?.[event];
    return t !== undefined && (typeof t === 'string' || !t.guard || t.guard(this.#context));
  }

  send(event, payload) {
    const type = typeof event === 'string' ? event : event.type;
    const data = typeof event === 'string' ? payload : event;
    const from = this.#state;
    const found = this.#config.states[from].on?.[type];
    if (!found) {
      if (this.#config.strict) throw new TransitionError(from, type);
      return false;
    }
    const t = typeof found === 'string' ? { target: found } : found;
    if (t.guard && !t.guard(this.#context, data)) return false;
    const to = t.target ?? from;
    if (to !== from) this.#config.states[from].exit?.(this.#context, data);
    if (t.assign) this.#context = { ...this.#context, ...t.assign(this.#context, data) };
    this.#state = to;
    if (to !== from) this.#config.states[to].entry?.(this.#context, data);
    this.#history.push({ from, event: type, to });
    for (const listener of this.#listeners) listener(this.snapshot());
    return true;
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return { unsubscribe: () => this.#listeners.delete(listener) };
  }

  snapshot() { return { state: this.#state, context: this.#context, done: this.done }; }

  async waitFor(state, { signal } = {}) {
    if (this.#state === state) return this.snapshot();
    return new Promise((resolve, reject) => {
      const subscription = this.subscribe((snapshot) => {
        if (snapshot.state !== state) return;
        subscription.unsubscribe();
        resolve(snapshot);
      });
      signal?.addEventListener('abort', () => {
        subscription.unsubscribe();
        reject(signal.reason);
      }, { once: true });
    });
  }

  toJSON() { return { state: this.#state, context: this.#context }; }

  static restore(config, json) {
    const machine = new Machine({ ...config, initial: json.state, context: json.context });
    return machine;
  }
}

export class Shape {
  constructor(name) {
    if (new.target === Shape) throw new TypeError('Shape is abstract');
    this.name = name ?? this.constructor.name.toLowerCase();
  }
  area() { throw new Error(\`\${this.constructor.name} does not implement area()\`); }
  describe() { return \`\${this.name} of \${this.area().toFixed(1)}\`; }
  compareTo(other) { return Math.sign(this.area() - other.area()); }
  static largest(...shapes) { return shapes.reduce((a, b) => (a.compareTo(b) >= 0 ? a : b)); }
}

export class Circle extends Shape {
  constructor(radius) { super(); this.radius = radius; }
  area() { return Math.PI * this.radius ** 2; }
  get diameter() { return this.radius * 2; }
  set diameter(d) { this.radius = d / 2; }
}

export const Serializable = (Base) => class extends Base {
  serialize() { return JSON.stringify(this); }
  static deserialize(text) { return Object.assign(Object.create(this.prototype), JSON.parse(text)); }
};
`,
    },
    tests: {
      'test/machine.test.mjs': `import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { Machine, TransitionError, Shape, Circle, Serializable } from '../src/machine.mjs';

const light = {
  initial: 'green',
  states: { green: { on: { NEXT: 'yellow' } }, yellow: { on: { NEXT: 'red' } }, red: { on: { NEXT: 'green', OFF: 'off' } }, off: { final: true } },
};

describe('Machine', () => {
  it('starts in the initial state', () => {
    const machine = new Machine(light);
    assert.equal(machine.state, 'green');
    assert.ok(machine.matches('green', 'red'));
    assert.ok(!machine.done);
  });

  it('follows transitions', () => {
    const machine = new Machine(light);
    assert.equal(machine.send('NEXT'), true);
    assert.equal(machine.send('OFF'), false);
    machine.send('NEXT');
    machine.send({ type: 'OFF' });
    assert.equal(machine.state, 'off');
    assert.ok(machine.done);
    assert.deepEqual(machine.history, [
      { from: 'green', event: 'NEXT', to: 'yellow' },
      { from: 'yellow', event: 'NEXT', to: 'red' },
      { from: 'red', event: 'OFF', to: 'off' },
    ]);
  });

  it('throws in strict mode', () => {
    const machine = new Machine({ ...light, strict: true });
    assert.throws(() => machine.send('OFF'), new TransitionError('green', 'OFF'));
    assert.throws(() => machine.send('OFF'), { state: 'green', event: 'OFF' });
  });

  it('checks its configuration', () => {
    assert.throws(() => new Machine({ initial: 'x', states: {} }), /unknown initial state "x"/);
    assert.throws(() => new Machine({ initial: 'a', states: { a: { on: { GO: 'b' } } } }), { name: 'RangeError', message: '"a.GO" leads to unknown state "b"' });
  });

  describe('with context', () => {
    let log;
    let counter;
    let config;
    beforeEach(() => {
      log = [];
      config = {
        initial: 'open',
        context: { count: 0 },
        states: {
          open: {
            exit: (ctx) => log.push(['exit', ctx.count]),
            on: {
              ADD: { assign: ({ count }, { by = 1 } = {}) => ({ count: count + by }) },
              CLOSE: { target: 'closed', guard: ({ count }) => count > 1 },
            },
          },
          closed: { entry: (ctx, data) => log.push(['entry', ctx.count, data]) },
        },
      };
      counter = new Machine(config);
    });

    it('assigns', () => {
      counter.send('ADD');
      counter.send('ADD', { by: 5 });
      counter.send({ type: 'ADD', by: 10 });
      assert.deepEqual(counter.context, { count: 16 });
      assert.deepEqual(config.context, { count: 0 });
    });

    it('guards', () => {
      assert.ok(!counter.can('CLOSE'));
      assert.equal(counter.send('CLOSE'), false);
      counter.send('ADD', { by: 2 });
      assert.ok(counter.can('CLOSE'));
      assert.ok(!counter.can('NOPE'));
    });

    it('runs entry and exit', () => {
      counter.send('ADD', { by: 2 });
      counter.send('CLOSE', { why: 'late' });
      assert.deepEqual(log, [['exit', 2], ['entry', 2, { why: 'late' }]]);
    });

    it('tells subscribers', (t) => {
      const listener = t.mock.fn();
      const subscription = counter.subscribe(listener);
      counter.send('ADD');
      subscription.unsubscribe();
      counter.send('ADD');
      assert.equal(listener.mock.callCount(), 1);
      assert.deepEqual(listener.mock.calls[0].arguments[0], { state: 'open', context: { count: 1 }, done: false });
    });

    it('is restored from JSON', () => {
      counter.send('ADD', { by: 7 });
      const restored = Machine.restore(config, JSON.parse(JSON.stringify(counter)));
      assert.deepEqual(restored.snapshot(), counter.snapshot());
      assert.equal(JSON.stringify(restored), '{"state":"open","context":{"count":7}}');
    });
  });

  it('waits for a state', async () => {
    const machine = new Machine(light);
    const waiting = machine.waitFor('red');
    machine.send('NEXT');
    machine.send('NEXT');
    assert.partialDeepStrictEqual(await waiting, { state: 'red' });
    assert.equal((await machine.waitFor('red')).done, false);
  });

  it('stops waiting when aborted', async () => {
    const machine = new Machine(light);
    const controller = new AbortController();
    const waiting = machine.waitFor('off', { signal: controller.signal });
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });
});

describe('Shape', () => {
  class Square extends Shape {
    constructor(side) {
      super();
      this.side = side;
    }
    area() {
      return this.side ** 2;
    }
  }

  it('is abstract', () => {
    assert.throws(() => new Shape(), TypeError);
    class Blob extends Shape {}
    assert.throws(() => new Blob().describe(), /Blob does not implement area\\(\\)/);
  });

  it('uses overridden methods', () => {
    const square = new Square(2);
    assert.equal(square.describe(), 'square of 4.0');
    assert.equal(square.name, 'square');
    assert.ok(square instanceof Shape);
  });

  it('compares across classes', () => {
    const [small, large, circle] = [new Square(1), new Square(3), new Circle(1)];
    assert.equal(Shape.largest(small, large, circle), large);
    assert.equal(circle.compareTo(small), 1);
    assert.deepEqual([large, circle, small].sort((a, b) => a.compareTo(b)), [small, circle, large]);
  });

  it('super calls reach the base', () => {
    class Loud extends Circle {
      describe() {
        return \`\${super.describe().toUpperCase()}!\`;
      }
    }
    const loud = new Loud(1);
    assert.equal(loud.describe(), 'LOUD OF 3.1!');
    loud.diameter = 4;
    assert.equal(loud.radius, 2);
  });

  it('mixins work on classes of the test', () => {
    class Point {
      constructor(x, y) {
        this.x = x;
        this.y = y;
      }
      sum() {
        return this.x + this.y;
      }
    }
    const Both = Serializable(Point);
    const point = new Both(1, 2);
    assert.equal(point.serialize(), '{"x":1,"y":2}');
    const copy = Both.deserialize(point.serialize());
    assert.ok(copy instanceof Point);
    assert.equal(copy.sum(), 3);
    assert.deepEqual(copy, point);
  });

  it('mixins work on classes of the package', () => {
    const SerialCircle = Serializable(Circle);
    const c = new SerialCircle(2);
    assert.ok(c instanceof Circle);
    assert.deepEqual(JSON.parse(c.serialize()).radius, 2);
  });
});
`,
    },
  },
  {
    id: 'registry-ast',
    breaks: [['src/ast.cjs', `if (result !== SKIP) n`, `if (result === undefined || result) n`]],
    artifact: {
      'src/ast.cjs': `'use strict';

class Node {
  constructor(type, props, children = []) {
    this.type = type;
    this.props = props;
    this.children = children;
    this.parent = null;
    for (const child of children) if (child instanceof Node) child.parent = this;
  }
  get depth() { return this.parent ? this.parent.depth + 1 : 0; }
  append(child) { this.children.push(child); if (child instanceof Node) child.parent = this; return this; }
  accept(visitor) { return visitor[\`visit\${this.type}\`]?.(this) ?? visitor.visit?.(this); }
  *[Symbol.iterator]() { yield this; for (const child of this.children) if (child instanceof Node) yield* child; }
  toString() {
    const attrs = Object.entries(this.props).map(([k, v]) => \` \${k}="\${v}"\`).join('');
    return this.children.length ? \`<\${this.type}\${attrs}>\${this.children.join('')}</\${this.type}>\` : \`<\${this.type}\${attrs}/>\`;
  }
  toJSON() { return { type: this.type, props: this.props, children: this.children }; }
  static isNode(value) { return value instanceof Node; }
}

const h = (type, props, ...children) => new Node(type, props ?? {}, children.flat(Infinity).filter((c) => c !== null && c !== false));

function walk(node, { enter, leave } = {}) {
  const SKIP = walk.SKIP;
  const visit = (n, index, parent) => {
    const result = enter?.call({ skip: () => SKIP }, n, index, parent);
    if (result !== SKIP) n.children.forEach((c, i) => { if (c instanceof Node) visit(c, i, n); });
    leave?.(n);
  };
  visit(node, null, null);
}
walk.SKIP = Symbol('skip');

function map(node, fn) {
  const made = fn(node) ?? node;
  return new Node(made.type, { ...made.props }, made.children.map((c) => (c instanceof Node ? map(c, fn) : c)));
}

function select(node, selector) {
  const [, type, name, value] = /^(\\w+|\\*)(?:\\[(\\w+)(?:=(\\w+))?\\])?$/.exec(selector) ?? [];
  if (!type) throw new SyntaxError(\`bad selector: \${selector}\`);
  return [...node].filter((n) => (type === '*' || n.type === type) && (!name || (name in n.props && (!value || n.props[name] === value))));
}

class Printer {
  constructor({ indent = '  ' } = {}) { this.indent = indent; this.level = 0; }
  visit(node) {
    const pad = this.indent.repeat(this.level);
    this.level++;
    const inner = node.children.map((c) => (c instanceof Node ? c.accept(this) : \`\${this.indent.repeat(this.level)}\${c}\`));
    this.level--;
    return [\`\${pad}\${node.type}\`, ...inner].join('\\n');
  }
}

function html(strings, ...values) {
  return strings.raw.map((s, i) => s + (i < values.length ? String(values[i]).replace(/</g, '&lt;') : '')).join('');
}

module.exports = { Node, Printer, h, html, map, select, walk };
`,
    },
    tests: {
      'test/ast.test.cjs': `const test = require('node:test');
const assert = require('node:assert/strict');
const { Node, Printer, h, html, map, select, walk } = require('../src/ast.cjs');

const tree = () => h('ul', { id: 'x' }, h('li', null, 'one'), [h('li', { class: 'b' }, h('b', null, 'two'))], null);

test('h makes nodes', () => {
  const node = tree();
  assert.ok(Node.isNode(node));
  assert.equal(node.children.length, 2);
  assert.deepEqual(node.props, { id: 'x' });
  assert.equal(node.children[1].children[0].type, 'b');
});

test('nodes know their parents', () => {
  const node = tree();
  const b = node.children[1].children[0];
  assert.equal(b.parent, node.children[1]);
  assert.equal(b.parent.parent, node);
  assert.equal(b.depth, 2);
  assert.equal(node.parent, null);
});

test('iterates depth first', () => {
  assert.deepEqual([...tree()].map((n) => n.type), ['ul', 'li', 'li', 'b']);
});

test('prints', () => {
  assert.equal(String(tree()), '<ul id="x"><li>one</li><li class="b"><b>two</b></li></ul>');
  assert.equal(\`\${h('br')}\`, '<br/>');
  assert.equal(JSON.stringify(h('p', { a: 1 }, 'x')), '{"type":"p","props":{"a":1},"children":["x"]}');
});

test('append', () => {
  const list = h('ul');
  const item = h('li');
  assert.equal(list.append(item), list);
  assert.equal(item.parent, list);
  assert.equal(list.children[0], item);
});

test('walk enters and leaves', () => {
  const log = [];
  walk(tree(), { enter: (n) => { log.push(\`+\${n.type}\`); }, leave: (n) => log.push(\`-\${n.type}\`) });
  assert.deepEqual(log, ['+ul', '+li', '-li', '+li', '+b', '-b', '-li', '-ul']);
});

test('walk passes index and parent', (t) => {
  const enter = t.mock.fn();
  const node = tree();
  walk(node, { enter });
  assert.deepEqual(enter.mock.calls.map((c) => c.arguments[1]), [null, 0, 1, 0]);
  assert.equal(enter.mock.calls[1].arguments[2], node);
});

test('walk skips', () => {
  const seen = [];
  walk(tree(), {
    enter(n) {
      seen.push(n.type);
      return n.props.class === 'b' ? this.skip() : undefined;
    },
  });
  assert.deepEqual(seen, ['ul', 'li', 'li']);
  const other = [];
  walk(tree(), { enter: (n) => { other.push(n.type); return walk.SKIP; } });
  assert.deepEqual(other, ['ul']);
});

test('map copies', () => {
  const before = tree();
  const after = map(before, (n) => (n.type === 'b' ? h('strong', n.props, ...n.children) : undefined));
  assert.equal(String(after), '<ul id="x"><li>one</li><li class="b"><strong>two</strong></li></ul>');
  assert.match(String(before), /<b>two/);
  assert.notEqual(after.children[0], before.children[0]);
});

test('select', () => {
  const node = tree();
  assert.deepEqual(select(node, 'li[class]').map(String), ['<li class="b"><b>two</b></li>']);
  assert.equal(select(node, 'li').length, 2);
  assert.equal(select(node, 'li[class=b]')[0], node.children[1]);
  assert.deepEqual(select(node, '*[id=y]'), []);
  assert.throws(() => select(node, '!'), { name: 'SyntaxError', message: 'bad selector: !' });
});

test('visitors', () => {
  const counter = {
    count: 0,
    visitli(node) { this.count++; return node.children.length; },
    visit() { return 'other'; },
  };
  const node = tree();
  assert.equal(node.accept(counter), 'other');
  assert.equal(node.children[0].accept(counter), 1);
  assert.equal(counter.count, 1);
});

test('Printer can be extended', () => {
  assert.equal(tree().accept(new Printer()), 'ul\\n  li\\n    one\\n  li\\n    b\\n      two');
  class Loud extends Printer {
    visitb(node) {
      return \`\${super.visit(node)}!\`;
    }
  }
  assert.equal(tree().accept(new Loud({ indent: '.' })), 'ul\\n.li\\n..one\\n.li\\n..b\\n...two!');
});

test('html', () => {
  assert.equal(html\`<p>\${'<b>'} \${1 + 1}</p>\\n\`, '<p>&lt;b> 2</p>\\\\n');
});
`,
    },
  },
];
