/* Reads what the files of a suite ask of an artifact, without running them. */
import { isBuiltin } from 'node:module';
import { argumentsAt, withoutLiterals } from './suite-text.mjs';
import { wrappedTestsIn } from './wrapped-tests.mjs';

/** Names that a suite imports from anywhere. */
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
  if (found === null && programs.length > 0)
    found = `${programs[0]}: imports nothing of the artifact: every artifact would pass`;
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
/**
 * Methods that answer what a plain value holds, as texts, lists and sets have them: what a function with the name of a factory answers has
 * them where the suite uses it as objects are used.
 */
export const ofPlain = new Set(
  `startsWith endsWith localeCompare search includes indexOf lastIndexOf has match test isSubsetOf isSupersetOf isDisjointFrom`.split(
    /\s+/,
  ),
);
/** True for names of functions and classes that say they make objects. */
export const isMaker = (name) =>
  /^(?:(?:create|make|build|init|open|use|configure|define|setup|new)(?:[A-Z]|$)|[A-Z])/.test(name);

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

/** Names of methods that the suite calls, other than those of assertions. */
export function calledNames(texts) {
  const names = new Set();
  for (const text of texts)
    for (const [, owner, name] of text.matchAll(/([\w$]*)\s*(?:\?\.|\.)\s*([\w$]+)\s*(?:\?\.)?\(/g))
      if (owner !== 'assert') names.add(name);
  return names;
}

/** Calls that run a text, a module or a program. */
const runners =
  /(?<![.\w$])(?:eval|Function|import)\s*\(|\bvm\s*\.\s*(?!createContext|isContext)\w+\s*\(|\brunIn(?:New|This)?Context\s*\((?!\s*\))|\bnew\s+(?:vm\.)?(?:Script|Worker)\s*\(/g;
const starters = /(?<![.\w$])(?:child_process\.)?(?:spawn|exec|execFile|fork)(?:Sync)?\s*\(/g;
const isLiteral =
  /^\s*(?:(?:(['"])[ \n]*\1|`[ \n]*`)\s*[),]|new\s+URL\(\s*(['"])[ \n]*\2\s*,\s*import\.meta\.url\s*\)\s*\))/;

/** What measures the process of the tests. */
const measures =
  /\b(?:process\.(?:cpuUsage|threadCpuUsage|resourceUsage|memoryUsage|getActiveResourcesInfo|umask|listenerCount|listeners|rawListeners|eventNames)|performance\.(?:eventLoopUtilization|getEntries\w*)|process\._getActiveHandles|monitorEventLoopDelay|getHeapStatistics)(?=(?:\.rss)?\()/g;
/** `const before = process.title` with what reads it again, but for what both processes have alike. */
const keeps = /\b(?:const|let)\s+(\w+)\s*=\s*([^;\n]+);/g;
const ofProcess =
  /^(?:process\.(?!env|argv|cwd|exitCode|std|platform|hrtime|uptime)|performance\.(?!now)|Error\.\w|getEventListeners\(process|\w+\.(?:globalAgent|defaultMaxListeners)|Object\.keys\(require\.cache|require\.cache)/;
function* comparedIn(code) {
  for (const { index, 1: name, 2: read } of code.matchAll(keeps))
    if (ofProcess.test(read) && code.slice(index + read.length).includes(`${read}, ${name})`))
      yield [index, read];
}
/** In another process than that in which the artifact runs. What a test replaces is replaced there as well. */
function* measuresIn(text, code) {
  for (const [place, read] of comparedIn(code))
    if (!new RegExp(measures).test(read))
      yield [place, `measures by ${read} the process of the tests, and the artifact runs in another`];
  for (const match of code.matchAll(measures)) {
    const [name] = match[0].split('.').slice(-1);
    if (!new RegExp(`['"\`]${name}['"\`]|\\.${name}\\s*=`).test(text))
      yield [
        match.index,
        `measures by ${match[0]}() the process of the tests, and the artifact runs in another`,
      ];
  }
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

/** Constructs that do not work across two boxes, even where a reference shows what the suite means. */
export const unsupportedAnyway = (programs, texts, moduleOf) =>
  texts.flatMap((text, index) => {
    const isOfArtifact = (module) => moduleOf(module, `file:///suite/${programs[index]}`) !== null;
    return [...measuresIn(text, withoutLiterals(text)), ...wrappedTestsIn(text, isOfArtifact)].map(
      ([place, construct]) => ({
        ...{ file: programs[index], line: text.slice(0, place).split('\n').length, construct, class: null },
      }),
    );
  });

/**
 * Constructs that do not work across two boxes.
 * @param moduleOf the module of the artifact that a specifier stands for, or null
 * @param makers functions whose answers the suite shows to be objects: see `suite-makers.mjs`
 */
export function unsupportedIn(programs, texts, moduleOf, makers) {
  const found = unsupportedAnyway(programs, texts, moduleOf);
  for (const [index, text] of texts.entries()) {
    const plain = new Set();
    for (const [, clause, from] of text.matchAll(/\bimport\s+([^'";]*?)\s+from\s*['"]([^'"]+)['"]/g)) {
      const module = moduleOf(from, `file:///suite/${programs[index]}`);
      if (module === null) continue;
      const [whole, listed = ''] = clause.split('{');
      const pairs = [[whole.replace(/,\s*$/, '').trim(), 'default']];
      for (const part of listed.replace('}', '').split(',')) {
        const [name, local = name] = part.trim().split(/\s+as\s+/);
        pairs.push([local, name]);
      }
      for (const [local, name] of pairs)
        if (/^[a-z_$][\w$]*$/.test(local) && !isMaker(local) && !makers.has(`${module}#${name}`))
          plain.add(local.replaceAll('$', '\\$'));
    }
    const at = (match) => text.slice(0, match.index).split('\n').length;
    const code = withoutLiterals(text);
    for (const [place, construct] of executionsIn(text, code))
      found.push({ ...{ file: programs[index], line: at({ index: place }) }, construct, class: null });
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
