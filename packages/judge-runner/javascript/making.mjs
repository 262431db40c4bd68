/*
 * How classes of the artifact make objects of what they are given, read from their text: told with the class, before any test has made
 * one.
 */

/** Literals as which a parameter may have a default, with what they leave as. */
const literals = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
  ['undefined', { $undefined: true }],
  ['[]', []],
  ['{}', { $object: [] }],
]);

/** The told value of a literal; undefined for any other text. */
function literalOf(text) {
  if (literals.has(text)) return literals.get(text);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Object.is(Number(text), -0) ? undefined : Number(text);
  const quoted = /^(['"])([^'"\\\n]*)\1$/.exec(text);
  return quoted === null ? undefined : quoted[2];
}

/** The end of a template that begins at `start`, or -1. */
function endOfTemplate(text, start) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '`') return at;
    if (text[at] === '\\') at += 1;
    else if (text.startsWith('${', at)) {
      at = endOf(text, at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The end of what a bracket at `start` opens, or -1 where the text is not that simple. */
function endOf(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if ('([{'.includes(text[at])) depth += 1;
    else if (')]}'.includes(text[at])) depth -= 1;
    else if (text[at] === '/' && /[/*]/.test(text[at + 1])) return -1;
    else if (text[at] === '`') {
      at = endOfTemplate(text, at);
      if (at < 0) return -1;
    } else if (text[at] === "'" || text[at] === '"') {
      at = text.indexOf(text[at], at + 1);
      if (at < 0) return -1;
    }
    if (depth === 0) return at;
  }
  return -1;
}

/** Ways to keep a parameter that lose nothing of it: itself, and copies. */
const copies = (name) => {
  const item = String.raw`\(?(\w+)\)?\s*=>\s*`;
  const own = name.replaceAll('$', '\\$');
  const forms = [
    own,
    String.raw`\[\s*\.\.\.${own}\s*\]`,
    String.raw`\{\s*\.\.\.${own}\s*\}`,
    String.raw`${own}\.slice\(\s*\)`,
    String.raw`(?:Array\.from|structuredClone|new (?:Map|Set|Date))\(\s*${own}\s*\)`,
    String.raw`${own}\.map\(\s*${item}(?:\[\s*\.\.\.\w+\s*\]|\w+\.slice\(\s*\)|Array\.from\(\s*\w+\s*\)|\(\{\s*\.\.\.\w+\s*\}\))\s*\)`,
  ].join('|');
  return new RegExp(String.raw`^(?:${forms}|Object\.freeze\(\s*(?:${forms})\s*\))$`);
};
/** The parameter that an expression keeps whole; undefined for another expression. */
const keptBy = (value, names) => names.find((name) => copies(name).test(value.trim()));

/** What `Object.assign(this, { a, b: c })` and `[this.a, this.b] = [a, b]` keep in a constructor, as `[property, value]`. */
function keptTogether(body) {
  const assigned = [...body.matchAll(/(?<![\w$.])Object\.assign\(\s*this\s*,\s*\{([^{}]*)\}\s*\)/g)]
    .flatMap(([, parts]) => parts.split(','))
    .map((part) => /^\s*([\w$]+)\s*(?::\s*([\w$]+)\s*)?$/.exec(part))
    .flatMap((found) => (found === null ? [] : [[found[1], found[2] ?? found[1]]]));
  const spread = [...body.matchAll(/(?<![\w$.])\[((?:\s*this\.[\w$]+\s*,?)+)\]\s*=\s*\[([\s\w$,]*)\]/g)]
    .map(([, ...sides]) => sides.map((side) => side.split(',').map((part) => part.trim())))
    .flatMap(([properties, values]) =>
      properties.map((property, index) => [property.slice('this.'.length), values[index] ?? '']),
    );
  return [...assigned, ...spread];
}

/** What stands between the brackets at `start`. */
const inside = (text, start) => text.slice(start + 1, endOf(text, start));

/** The text of a class's body outside of all brackets: names of methods, and fields. */
function outermost(body) {
  let found = '';
  for (let at = 0; at < body.length; at += 1)
    if ('([{'.includes(body[at])) {
      const end = endOf(body, at);
      if (end < 0) return null;
      at = end;
      found += ' ()';
    } else found += body[at];
  return found;
}

/** The same of a function that is called with `new`. */
export const makingOfFunction = (source) =>
  /^function\b[^(*]*\(/.test(source)
    ? makingOf(`class Made { constructor${source.slice(source.indexOf('('))} }`)
    : null;

/** The same of a class, whose prototypes may have been given what its text does not show. */
export function withPrototypes(making, { prototype }) {
  if (making === null || !making.simple) return making;
  for (let each = prototype; each !== null && each !== Object.prototype; each = Object.getPrototypeOf(each))
    if (Object.isFrozen(each) || making.keeps.some(([property]) => Object.hasOwn(each, property)))
      return { ...making, simple: false };
  return making;
}

/**
 * The parameters of a class's constructor as `[name, told default]`, which of them its objects hold under which names, whether the
 * constructor does nothing else, and whether it throws nothing itself. Null where the text does not show it.
 */
export function makingOf(source) {
  const text = source.replace(/\/\*[\s\S]*?\*\/|(?<!['":])\/\/[^\n]*/g, ' ');
  const open = text.indexOf('{');
  const made = /(?<![\w$.])constructor\s*\(/.exec(text);
  if (made === null && open >= 0 && /\bextends\b/.test(text.slice(0, open)))
    return { parameters: [], keeps: [], simple: false, quiet: true };
  if (made === null || open < 0 || made.index < open) return null;
  const at = made.index + made[0].length - 1;
  const end = endOf(text, at);
  const begin = text.indexOf('{', end);
  if (end < 0 || begin < 0 || endOf(text, begin) < 0) return null;
  const parameters = [];
  for (const part of inside(text, at).split(',')) {
    const [, name, , value] = /^\s*([\w$]+)\s*(=\s*([\s\S]*?))?\s*$/.exec(part) ?? [];
    if (part.trim() === '') continue;
    if (name === undefined) return null;
    const told = value === undefined ? { $undefined: true } : literalOf(value);
    if (told === undefined) return null;
    parameters.push([name, told]);
  }
  const names = parameters.map(([name]) => name);
  const body = inside(text, begin);
  // What is kept is compared with what was given: a wrong claim is found.
  const alone = [...body.matchAll(/(?<![\w$.])this\.([\w$]+)\s*=\s*([^;\n=][^;\n]*?)\s*(?=[;\n]|$)/g)];
  const keeps = [...alone.map(([, ...found]) => found), ...keptTogether(body)]
    .map(([property, value]) => [property, names.indexOf(keptBy(value, names))])
    .filter(([, index]) => index >= 0);
  const rest = body.replace(/(?<![\w$.])this\.[\w$]+\s*=\s*([\w$]+)\s*(?:[;\n]|$)/g, (all, name) =>
    names.includes(name) ? '' : all,
  );
  const around = outermost(inside(text, open))?.replace(/\bstatic\s+[\w$]+\s*=[^;]*;/g, '') ?? '=';
  const isOwn = keeps.every(
    ([property]) => !new RegExp(`\\b[gs]et\\s+${property.replaceAll('$', '\\$')}\\b`).test(around),
  );
  const simple =
    rest.trim() === '' &&
    !/\bextends\b/.test(text.slice(0, open)) &&
    !/[=#;]|\bstatic\s+\(\)/.test(around) &&
    isOwn &&
    new Set(keeps.map(([property]) => property)).size === keeps.length &&
    names.every((_, index) => keeps.some(([, kept]) => kept === index));
  return { parameters, keeps, simple, quiet: !/\bthrow\b/.test(body) };
}
