/* Reads what the files of a suite ask of an artifact, without running them. */
import { isBuiltin } from 'node:module';

/** Names that a suite imports from anywhere; a module of the artifact has at least these, if only as undefined. */
export function importedNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, clause] of text.matchAll(/\bimport\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\b/g))
      for (const part of clause.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').split(',')) {
        const name = part.trim().split(/\s+as\s+/)[0];
        if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) names.add(name);
      }
  return names;
}

/** Names that the suite reads off a module which it imports as a whole: `import * as own from 'solution'; own.parse()`. */
export function namesReadOffModules(texts) {
  const names = new Set();
  for (const text of texts) {
    const code = withoutLiterals(text);
    const wholes =
      /\bimport\s*\*\s*as\s+([\w$]+)\s+from\b|\b(?:const|let|var)\s+([\w$]+)\s*=\s*await\s+import\s*\(/g;
    for (const [, first, second] of code.matchAll(wholes)) {
      const own = (first ?? second).replaceAll('$', '\\$');
      for (const [, name] of code.matchAll(new RegExp(`(?<![.\\w$])${own}\\s*\\??\\.\\s*([\\w$]+)`, 'g')))
        names.add(name);
      for (const [, clause] of code.matchAll(new RegExp(`\\{([^{}]*)\\}\\s*=\\s*${own}\\s*[;,\\n]`, 'g')))
        for (const part of clause.split(',')) names.add(part.trim().split(/[:=\s]/)[0]);
    }
  }
  // A module that has `then` would be waited for.
  return new Set([...names].filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'then'));
}

/** Built-in modules that the suite imports: what they hold is passed to the artifact by name. */
export function importedBuiltins(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, name] of text.matchAll(/(?:from|import|require\()\s*['"]((?:node:)?[a-z_/]+)['"]/g))
      if (isBuiltin(name) && !name.endsWith('test')) names.add(name.replace(/^node:/, ''));
  return [...names];
}

const imports = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*['"`]([^'"`]+)['"`]/g;

/** Modules that only an artifact can have, as the files name them. */
export function importsOfArtifact(programs, texts, isArtifact) {
  const found = texts.flatMap((text, index) =>
    [...text.matchAll(imports)].flatMap(([, name]) =>
      isArtifact(name, `file:///suite/${programs[index]}`) ? [name] : [],
    ),
  );
  return [...new Set(found)].sort();
}

/**
 * Says why every artifact would pass a suite that imports nothing of it: a declared package may need the released form of what is
 * judged, and a file of the suite may be the program that its author wrote the tests with. Null for any other suite.
 */
export function importsNoArtifact(programs, texts, isArtifact, isDeclared) {
  let found = null;
  for (const [index, text] of texts.entries()) {
    const instead = (what) => {
      found ??= `${programs[index]}: imports nothing of the artifact: ${what}`;
    };
    const url = `file:///suite/${programs[index]}`;
    for (const [, name] of text.matchAll(imports)) {
      if (isArtifact(name, url)) return null;
      if (isDeclared(name)) instead(`${name} is a package that the suite declares`);
      const path = /^\.{1,2}\//.test(name) ? new URL(name, url).pathname.slice('/suite/'.length) : null;
      const own = programs.find((each) => each === path || each === `${path}.js`);
      if (own !== undefined)
        instead(
          `${name} is the suite's own file ${own}. Remove it from the suite, or give it as the reference`,
        );
    }
    // A name that is not written out may be the artifact's.
    if (/\b(?:import|require)\s*\(\s*[^'"`\s)]/.test(text)) return null;
  }
  return found;
}

/** Names that the suite uses as classes are used: imported, or read off something. */
export function namedClasses(texts, imported) {
  const names = new Set([...imported].filter((name) => /^[A-Z]/.test(name)));
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\.([A-Z][\w$]*)/g)) names.add(name);
    for (const [, name] of text.matchAll(/\bimport\s+([A-Z][\w$]*)/g)) names.add(name);
    for (const [, clause] of text.matchAll(/\{([^{}]*)\}\s*=\s*(?:await\s+import|require)\b/g))
      for (const part of clause.split(',')) names.add(part.trim().split(':')[0]);
    // A module as a whole: `import * as own from 'solution'; const { Stack } = own;`, and `own['Stack']`.
    for (const [, clause] of text.matchAll(/\{([^{}]*)\}\s*=\s*[\w$]+\s*[;,\n]/g))
      for (const [name] of clause.matchAll(/(?<![\w$:]\s*)[A-Z][\w$]*/g)) names.add(name);
    for (const [, name] of text.matchAll(/\[\s*['"`]([A-Z][\w$]*)['"`]\s*\]/g)) names.add(name);
  }
  return names;
}

/** Names that the suite takes out of what a call answers: `const { open } = deferred()`. */
export function destructuredNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, clause] of text.matchAll(/\{([^{}]*)\}\s*=\s*(?:await\s+)?[\w$.]+\(/g))
      for (const part of clause.split(',')) names.add(part.trim().split(/[:=\s]/)[0]);
  return names;
}

/** Methods that values of the language have. */
export const valueMethods = new Set(
  [Array, String, Map, Set, Date, RegExp, Promise, Number, BigInt, Object, Function, Uint8Array, Error]
    .concat([Buffer, Iterator])
    .flatMap((kind) => Object.getOwnPropertyNames(kind.prototype))
    .concat(Object.getOwnPropertyNames(Object.getPrototypeOf(function* walk() {}.prototype)), [
      'next',
      'return',
      'throw',
    ]),
);
const makesObjects = /^(?:(?:create|make|build|init|open|use|configure|define|setup|new)(?:[A-Z]|$)|[A-Z])/;

/** The end of the block in which a place is, in a text without literals. */
function endOfBlock(code, place) {
  let depth = 0;
  for (let at = place; at < code.length; at += 1) {
    depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0;
    if (depth < 0) return at;
  }
  return code.length;
}

/** Variables that hold what a function answers, as `[name, function, from, to]`: the part of the text in which they do. */
function* holdersIn(code) {
  const found = [...code.matchAll(/(?<![.\w$])([\w$]+)\s*=\s*(?:await\s+)?([\w$]+)\(/g)].filter((match) => {
    const open = match.index + match[0].length;
    return /^\s*?(?:[;,)}\n]|$)/.test(code.slice(open + argumentsAt(code, open).length + 1));
  });
  for (const [index, match] of found.entries()) {
    const isDeclared = /\b(?:const|let|var)\s+$/.test(code.slice(0, match.index));
    // One that is set in a hook is read in every test.
    const end = isDeclared ? endOfBlock(code, match.index) : code.length;
    const next = found.find((each, at) => at > index && each[1] === match[1] && each.index < end);
    yield [match[1], match[2], match.index + match[0].length, isDeclared ? (next?.index ?? end) : end];
  }
}

/** True where nothing but the truth of a call's answer is looked at, which anything may say of itself. */
function isJudgedByTruth(code, start, open) {
  const before = code.slice(Math.max(0, start - 40), start);
  const after = code.slice(open + argumentsAt(code, open).length + 1);
  return (
    /(?:\b(?:ok|assert|if|while|return)\s*\(?|!|&&|\|\||=>)\s*(?:await\s+)?$/.test(before) ||
    /^\s*(?:,\s*(?:true|false)\b|&&|\|\||\?[^.?]|[=!]==)/.test(after)
  );
}

/** Methods of iterators that no list has. */
const ofIterators = new Set(['take', 'drop', 'toArray']);
/** True for a method that only an object of its own has, or an iterator. */
const showsObject = (name) => !valueMethods.has(name) || ofIterators.has(name);

/** Methods that are called of what a call answers, one of the answer of the other: each with its place. */
function* chainIn(code, open) {
  for (let at = open; ; ) {
    const end = at + argumentsAt(code, at).length + 1;
    const match = /^\s*\.\s*([\w$]+)\(/.exec(code.slice(end, end + 200));
    if (match === null) return;
    at = end + match[0].length;
    yield [match[1], at];
  }
}

/** Calls to which nothing is given but a function, whose answer they do not look at. */
const running =
  /\b(?:throws|rejects|doesNotThrow|doesNotReject|setTimeout|setImmediate|queueMicrotask)\s*\(\s*(?:async\s*)?\(\)\s*=>\s*(?:await\s+)?$/;

/** The code of a file in which functions of what it imports stand by their own names: `s.string()` as `string()`, at its place. */
function withoutOwners(text) {
  const names = [];
  const note = (name, from) => {
    if (/^[a-z_$][\w$]*$/.test(name) && !isBuiltin(from)) names.push(name.replaceAll('$', '\\$'));
  };
  for (const [, clause, from] of text.matchAll(/\bimport\s+([^'";]*?)\s+from\s*['"]([^'"]+)['"]/g))
    for (const part of clause.replace(/[{}]/g, ',').split(','))
      note(
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1),
        from,
      );
  const required = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*['"]([^'"]+)['"]/g;
  for (const [, name, from] of text.matchAll(required)) note(name, from);
  const code = withoutLiterals(text);
  if (names.length === 0) return code;
  return code.replace(new RegExp(`(?<![.\\w$])(?:${names.join('|')})\\.(?=[\\w$]+\\()`, 'g'), (owner) =>
    ' '.repeat(owner.length),
  );
}

/**
 * Functions whose results the suite uses as objects are used: by methods that no plain value has, where more than the truth of an answer
 * is looked at.
 */
export function makersIn(texts) {
  const found = new Set();
  for (const text of texts) {
    const code = withoutOwners(text);
    const note = (name, start, open) => {
      for (const [method, at] of chainIn(code, open))
        if (showsObject(method) && (running.test(code.slice(0, start)) || !isJudgedByTruth(code, start, at)))
          found.add(name);
    };
    for (const match of code.matchAll(/(?<![.\w$])([\w$]+)\(/g))
      if (!/\bnew\s+$/.test(code.slice(0, match.index)))
        note(match[1], match.index, match.index + match[0].length);
    for (const [own, name, from, to] of holdersIn(code))
      for (const match of code
        .slice(0, to)
        .matchAll(new RegExp(`(?<![.\\w$])${own.replaceAll('$', '\\$')}\\.([\\w$]+)\\(`, 'g'))) {
        if (match.index < from) continue;
        const open = match.index + match[0].length;
        if (
          showsObject(match[1]) &&
          (running.test(code.slice(0, match.index)) || !isJudgedByTruth(code, match.index, open))
        )
          found.add(name);
        note(name, match.index, open);
      }
  }
  return found;
}

const changing = /^\.(?:set|add|push|unshift|delete|clear)\(/;
/** Functions whose results the suite changes by methods that a list or a map has as well: `cache.set(1, 2);`. */
export function changedIn(texts) {
  const found = new Set();
  for (const text of texts) {
    const code = withoutOwners(text);
    for (const [own, name, from, to] of holdersIn(code))
      for (const match of code
        .slice(0, to)
        .matchAll(new RegExp(`[;{}]\\s*${own.replaceAll('$', '\\$')}(?=\\.)`, 'g')))
        if (match.index >= from && changing.test(code.slice(match.index + match[0].length))) found.add(name);
  }
  return found;
}

/** Names of methods that the suite calls, other than those of assertions. */
export function calledNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, owner, name] of text.matchAll(/([\w$]*)\s*(?:\?\.|\.)\s*([\w$]+)\s*(?:\?\.)?\(/g))
      if (owner !== 'assert') names.add(name);
  return names;
}

/** The text with comments and the content of literals blanked, each at its place. A template with values keeps their `$`. */
const withoutLiterals = (text) =>
  text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g,
    (part) => {
      const blank = part.slice(1, -1).replace(/[^\n]/g, ' ');
      if (part.startsWith('/')) return ` ${blank} `;
      return `${part[0]}${part[0] === '`' && part.includes('${') ? `$${blank.slice(1)}` : blank}${part[0]}`;
    },
  );
/** Calls that run a text, a module or a program. */
const runners =
  /(?<![.\w$])(?:eval|Function|import)\s*\(|\bvm\s*\.\s*\w+\s*\(|\brunIn(?:New|This)?Context\s*\(|\bnew\s+(?:vm\.)?(?:Script|Worker)\s*\(/g;
const starters = /(?<![.\w$])(?:child_process\.)?(?:spawn|exec|execFile|fork)(?:Sync)?\s*\(/g;
const isLiteral =
  /^\s*(?:(?:(['"])[ \n]*\1|`[ \n]*`)\s*[),]|new\s+URL\(\s*(['"])[ \n]*\2\s*,\s*import\.meta\.url\s*\)\s*\))/;

/** The arguments of a call from its opening bracket on. */
function argumentsAt(text, start) {
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1)
    depth += '([{'.includes(text[end]) ? 1 : ')]}'.includes(text[end]) ? -1 : 0;
  return text.slice(start, end - 1);
}

/** An answer that is run here could decide what its own tests come to. */
function* executionsIn(text, code) {
  for (const match of code.matchAll(runners))
    if (!isLiteral.test(code.slice(match.index + match[0].length)))
      yield [match.index, `runs by ${match[0].trim()}) what may be an answer`];
  if (!/child_process['"]/.test(text)) return;
  for (const match of code.matchAll(starters)) {
    const start = match.index + match[0].length;
    const own = argumentsAt(code, start);
    const names = own
      .replace(/\{[^{}]*\}/g, '')
      .replace(/process\.execPath/g, '')
      .replace(/(['"`]) *\1/g, '');
    // Files of the artifact are not in this box.
    if (/[\w$]/.test(names) || /\.[cm]?js['"`]/.test(text.slice(start, start + own.length)))
      yield [
        match.index,
        `starts by ${match[0].trim()}) a program that may be the artifact or one of its answers`,
      ];
  }
}

/** Constructs that do not work across two boxes. */
export function unsupportedIn(programs, texts, isArtifact) {
  const found = [];
  for (const [index, text] of texts.entries()) {
    const imported = new Set();
    const names = new Set();
    for (const [, clause, from] of text.matchAll(/\bimport\s+([^'";]*?)\s+from\s*['"]([^'"]+)['"]/g))
      if (isArtifact(from, `file:///suite/${programs[index]}`))
        for (const part of clause.replace(/[{}]/g, ',').split(',')) {
          const name = part
            .trim()
            .split(/\s+as\s+/)
            .at(-1);
          if (/^[A-Z]/.test(name)) imported.add(name);
          if (/^[a-z_$][\w$]*$/.test(name)) names.add(name.replaceAll('$', '\\$'));
        }
    const makers = makersIn([text]);
    const plain = [...names].filter((name) => !makesObjects.test(name) && !makers.has(name));
    const at = (match) => text.slice(0, match.index).split('\n').length;
    for (const [place, construct] of executionsIn(text, withoutLiterals(text)))
      found.push({ ...{ file: programs[index], line: at({ index: place }) }, construct, class: null });
    const code = withoutLiterals(text);
    const holders = [...holdersIn(code)];
    for (const name of plain) {
      const results = [[`\\b${name}\\((?:[^()]|\\([^()]*\\))*\\)`, 0, text.length]];
      for (const [own, maker, from, to] of holders)
        if (maker === name) results.push([`\\b${own.replaceAll('$', '\\$')}`, from, to]);
      for (const [result, from, to] of results)
        for (const match of code
          .slice(0, to)
          .matchAll(new RegExp(`(?<![.\\w$])${result}\\.([\\w$]+)\\(`, 'g')))
          if (match.index >= from && !valueMethods.has(match[1]) && !match[0].startsWith('mock'))
            found.push({
              ...{ file: programs[index], line: at(match), class: name },
              construct: `calls the method ${match[1]}() of what ${name}() answers`,
            });
    }
  }
  return found;
}
