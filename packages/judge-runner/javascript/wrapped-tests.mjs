/* Finds tests and hooks whose function the artifact makes or is: it decides then whether what the test asserts is done at all. */
import { argumentsAt, withoutLiterals } from './suite-text.mjs';

const hooks = new Set(['before', 'after', 'beforeEach', 'afterEach']);
const imports =
  /\bimport\s+([^'";]*?)\s+from\s*['"]([^'"]+)['"]|\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+import|require)\s*\(\s*['"]([^'"]+)['"]/g;
const escaped = (names) => [...names].map((name) => name.replaceAll('$', '\\$')).join('|');

/** Names that a file gives to what it imports, as pairs of a name and the module. */
function* importedBy(text) {
  for (const [, imported, from, required, module] of text.matchAll(imports))
    for (const part of (imported ?? required).split(/[{},]/)) {
      const name = part
        .trim()
        .split(/\s+as\s+|\s*:\s*/)
        .at(-1);
      if (/^[\w$]+$/.test(name)) yield [name, from ?? module];
    }
}

/** The arguments of a call, apart. */
function partsOf(args) {
  const parts = [''];
  let depth = 0;
  for (const letter of args) {
    depth += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * Places of such tests and hooks in a file, as pairs of a place and what it does.
 * @param isOfArtifact tells whether a module is the artifact's
 */
export function* wrappedTestsIn(text, isOfArtifact) {
  const own = new Set();
  const declaring = new Set();
  for (const [name, module] of importedBy(text))
    if (module === 'node:test') declaring.add(name);
    else if (isOfArtifact(module)) own.add(name);
  if (own.size === 0 || declaring.size === 0) return;
  const code = withoutLiterals(text);
  const makes = `(?:await\\s+|new\\s+)?(?:${escaped(own)})(?:\\s*\\.\\s*[\\w$]+)*\\s*\\(`;
  for (const [, name] of code.matchAll(new RegExp(`\\b(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*${makes}`, 'g')))
    own.add(name);
  const made = new RegExp(`^(?:await\\s+)?(?:${escaped(own)})(?:\\s*\\.\\s*[\\w$]+)*\\s*(\\(|$)`);
  const calls = new RegExp(
    `(?<![.\\w$])(${escaped(declaring)})(?:\\s*\\.\\s*(\\w+))?\\s*\\(|(?<=[\\w$]\\s*)\\.\\s*(test)\\s*\\(`,
    'g',
  );
  for (const match of code.matchAll(calls)) {
    const parts = partsOf(argumentsAt(code, match.index + match[0].length));
    const [, name, mode, inner] = match;
    const isHook = hooks.has(mode ?? name);
    const run = (isHook ? parts[0] : parts.at(-1)) ?? '';
    const found = made.exec(run);
    if (found === null || (inner !== undefined && parts.length < 2)) continue;
    // A function that the artifact has may prepare tests: `beforeEach(reset)`.
    if (isHook && !/=>|\bfunction\b/.test(run)) continue;
    yield [match.index, `leaves it to the artifact to run the function of ${(inner ?? name).trim()}()`];
  }
}
