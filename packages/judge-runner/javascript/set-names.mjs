/* Names of properties that the programs of a suite set themselves. */

/** What sets a property, after its name. */
const assigned = '\\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\\+\\+|--)';
const isQuoted = /^(['"`]).*\1$/;

/** Those that they set anywhere, or write as texts. */
export function namesSetIn(code) {
  const names = new Set();
  for (const [, name] of code.matchAll(new RegExp(`\\.\\s*([\\w$]+)${assigned}`, 'g'))) names.add(name);
  for (const [, name] of code.matchAll(/['"`]([\w$]+)['"`]/g)) names.add(name);
  for (const [name] of code.matchAll(/\bSymbol\.\w+/g)) names.add(name);
  for (const [, name] of code.matchAll(/([\w$]+)\s*(?:\([^()]*\)\s*\{|:)/g)) names.add(name);
  return names;
}

/** Those that they set on what they call by a path such as `Array.prototype`, also by a function that is given both; null where these may be any. */
export function namesSetOn(code, path) {
  if (!code.includes(path.split('.')[0])) return new Set();
  const own = `(?<![\\w$.])${path.replaceAll('$', '\\$').replaceAll('.', '\\s*\\.\\s*')}\\s*`;
  const found = new RegExp(
    [
      `${own}\\.\\s*([\\w$]+)${assigned}`,
      `delete\\s+${own}\\.\\s*([\\w$]+)`,
      `${own}\\[\\s*([^\\]]*?)\\s*\\]${assigned}`,
      `${own},\\s*([\\w$.'"\`]+|\\{)`,
    ].join('|'),
    'g',
  );
  const names = new Set();
  for (const [, set, deleted, computed, given] of code.matchAll(found)) {
    const name = computed ?? given;
    if (name === undefined) names.add(set ?? deleted);
    else if (name.startsWith('Symbol.')) names.add(name);
    else if (isQuoted.test(name)) names.add(name.slice(1, -1));
    else return null;
  }
  // It has another name, unless what it holds is taken out: `const { title } = process`.
  return new RegExp(`(?<!\\}\\s*)=\\s*${own}(?:[;,)\\n]|$)`).test(code) ? null : names;
}
