/*
 * Reads a program without running it: what it plainly means to do, as findings. Runs in the artifact's own box before any
 * of the artifact does, so that its word is still the judge's and a text that exhausts the parser exhausts only the box.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parse } from 'acorn';

/** Findings that are told, and those of each rule that are told in any case: many of one rule never hide another. */
const maxFindings = 200;
const maxOfRule = 20;
const imports = {
  'network-import': 'net dgram dns http http2 https tls ws undici axios node-fetch got socket.io',
  'process-import': 'child_process cluster execa',
  'native-import': 'ffi-napi koffi ffi-rs',
  'harness-import': 'test vitest jest mocha @jest/globals',
  'dynamic-code': 'vm repl',
};
const ruleOfModule = new Map(
  Object.entries(imports).flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule])),
);
const openers = new Set(
  'open openSync readFile readFileSync createReadStream writeFile writeFileSync appendFile appendFileSync readlink readlinkSync'.split(
    ' ',
  ),
);
const processCalls = new Set(['process.kill', 'process.exit', 'process.reallyExit', 'process.abort']);
const nativeCalls = new Set(['process.dlopen', 'process.binding', 'process._linkedBinding']);
const unpackers =
  /(?:^|\.)(?:atob|from|inflateSync|gunzipSync|unzipSync|brotliDecompressSync|inflateRawSync)$/;
const comparisons = new Set(['equals', 'isEqual', 'valueOf', 'Symbol.toPrimitive', 'Symbol.hasInstance']);
const builtins = new Set(
  'Array Object String Number Boolean Map Set Promise JSON Math Function RegExp Date Error'.split(' '),
);

/** `a.b.c` of an expression, or ''. */
function dotted(node) {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'ChainExpression') return dotted(node.expression);
  if (node?.type !== 'MemberExpression') return '';
  const owner = dotted(node.object) || '?';
  const key = node.computed ? textOf(node.property) : node.property.name;
  return key === null || key === undefined ? '' : `${owner}.${key}`;
}

/** The text of a literal, or null. */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return null;
}

const isConstant = (node) =>
  node?.type === 'Literal' || (node?.type === 'UnaryExpression' && node.argument.type === 'Literal');

/** What a function always answers, or null. */
function alwaysAnswers(node) {
  const { body } = node;
  if (body.type !== 'BlockStatement') return isConstant(body) ? body : null;
  const [only] = body.body;
  return body.body.length === 1 && only.type === 'ReturnStatement' && isConstant(only.argument)
    ? only.argument
    : null;
}

function* imported(name) {
  const bare = name.replace(/^node:/, '');
  if (bare.startsWith('/judge/') || bare.startsWith('file:///judge/'))
    yield ['harness-import', `imports ${name}`];
  const rule = ruleOfModule.get(bare) ?? ruleOfModule.get(bare.split('/')[0]);
  if (rule !== undefined && !(bare === 'test' && bare === name)) yield [rule, `imports ${name}`];
}

/** [rule, detail] of what one node plainly does. */
function* examine(node, secret) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (node.source) yield* imported(node.source.value);
      break;
    case 'ImportExpression': {
      const name = textOf(node.source);
      if (name === null) yield ['dynamic-import', 'imports what it computes'];
      else yield* imported(name);
      break;
    }
    case 'NewExpression':
    case 'CallExpression': {
      const name = dotted(node.callee);
      const [first] = node.arguments;
      const text = textOf(first);
      if (name === 'require' || name === 'process.getBuiltinModule' || name.endsWith('.require')) {
        if (text === null) yield ['dynamic-import', `${name} of what it computes`];
        else yield* imported(text);
      }
      if (name.endsWith('createRequire')) yield ['dynamic-import', `calls ${name}`];
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (openers.has(last) && text?.startsWith('/')) {
        const path = posix.normalize(text.replace(/^\/+/, '/'));
        if (secret.test(path)) yield ['secret-path', `${name}('${path.slice(0, 200)}')`];
      }
      if (name === 'fetch' || name === 'globalThis.fetch' || name === 'WebSocket')
        yield ['network-import', `calls ${name}`];
      if (processCalls.has(name)) yield ['process-call', `calls ${name}`];
      if (nativeCalls.has(name)) yield ['native-import', `calls ${name}`];
      if (
        /^(?:globalThis\.)?(?:eval|Function)$/.test(name) ||
        /^vm\.|\.runIn(?:This|New)?Context$/.test(name)
      ) {
        yield ['dynamic-code', `calls ${name}`];
        const inner = node.arguments.at(-1);
        for (let part = inner, depth = 0; part && depth < 8; depth += 1) {
          if (part.type === 'CallExpression' && unpackers.test(dotted(part.callee))) {
            yield ['packed-code', `runs what ${dotted(part.callee)} unpacks`];
            break;
          }
          part = part.type === 'CallExpression' ? (part.callee.object ?? part.arguments[0]) : part.object;
        }
      }
      break;
    }
    case 'AssignmentExpression': {
      const name = dotted(node.left);
      const [owner, second] = name.split('.');
      if (builtins.has(owner) && (second === 'prototype' || name.split('.').length === 2))
        yield ['reflection', `changes ${name}`];
      break;
    }
    case 'MemberExpression': {
      const key = node.computed ? textOf(node.property) : node.property.name;
      if (key === '__proto__' || key === 'prepareStackTrace' || key === 'callee')
        yield ['reflection', `uses ${key}`];
      break;
    }
    case 'MethodDefinition':
    case 'Property': {
      const name = node.computed ? dotted(node.key) : (node.key.name ?? String(node.key.value));
      const run = node.value;
      if (comparisons.has(name) && /Function/.test(run?.type ?? '') && alwaysAnswers(run))
        yield ['constant-comparison', `${name} always answers ${alwaysAnswers(run).raw ?? 'the same'}`];
      break;
    }
  }
}

const ways = [{ sourceType: 'module' }, { sourceType: 'script', allowReturnOutsideFunction: true }];
const parsed = (text, way) =>
  parse(text, { ecmaVersion: 'latest', locations: true, allowHashBang: true, ...way });

export function treeOf(text) {
  try {
    return parsed(text, ways[0]);
  } catch {
    return parsed(text, ways[1]);
  }
}

/**
 * Returns line and column, from 1, at which a text is neither a module nor a script: of the one that is read further. Null
 * for a text that is one of them.
 */
export function syntaxErrorIn(text) {
  const errors = ways.map((way) => {
    try {
      parsed(text, way);
      return null;
    } catch (error) {
      return error;
    }
  });
  if (errors.includes(null)) return null;
  const { loc } = errors.sort((one, other) => other.pos - one.pos)[0];
  return `${loc.line}:${loc.column + 1}`;
}

const scriptsBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.[cm]?js$/.test(name))
    .sort();

/** Findings of every file of JavaScript below a folder: the first 200, and the first 20 of each rule. */
export function analyse(folder, patterns) {
  const secret = new RegExp(patterns.join('|'));
  const findings = [];
  const counts = new Map();
  const add = (rule, file, line, detail) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    if (findings.length < maxFindings || count <= maxOfRule) findings.push({ rule, file, line, detail });
  };
  for (const file of scriptsBelow(folder)) {
    let tree;
    try {
      tree = treeOf(readFileSync(`${folder}/${file}`, 'utf8'));
    } catch (error) {
      add('unreadable', file, 0, String(error?.name ?? 'Error'));
      continue;
    }
    const nodes = [tree];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      for (const [rule, detail] of examine(node, secret))
        add(rule, file, node.loc.start.line, detail.slice(0, 600));
      for (const part of Object.values(node).flat().toReversed())
        if (typeof part?.type === 'string' && part.loc) nodes.push(part);
    }
  }
  return findings;
}

/** Nodes that hold statements, and declarations without work of their own. */
const isCounted = (type) =>
  /(?:Statement|VariableDeclaration)$/.test(type) && type !== 'BlockStatement' && type !== 'EmptyStatement';

/**
 * Counts the statements of every file of JavaScript below a folder, and those that did not run.
 * @param scripts precise coverage of the engine: the innermost range around a statement says how often it ran
 */
export function countStatements(folder, scripts) {
  let statements = 0;
  let missing = 0;
  for (const file of scriptsBelow(folder)) {
    const url = new URL(`file://${folder}/${file}`).href;
    const ranges = scripts
      .filter((script) => script.url === url || script.url === `${folder}/${file}`)
      .flatMap((script) => script.functions.flatMap((each) => each.ranges))
      .sort((left, right) => left.endOffset - left.startOffset - (right.endOffset - right.startOffset));
    let nodes = [];
    try {
      nodes = [treeOf(readFileSync(`${folder}/${file}`, 'utf8'))];
    } catch {
      continue;
    }
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (isCounted(node.type)) {
        const { start } = node;
        const inner = ranges.find((range) => range.startOffset <= start && start < range.endOffset);
        statements += 1;
        missing += (inner?.count ?? 0) > 0 ? 0 : 1;
      }
      for (const part of Object.values(node).flat())
        if (typeof part?.type === 'string' && part.loc) nodes.push(part);
    }
  }
  return { statements, missing };
}
