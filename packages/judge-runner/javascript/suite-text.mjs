/* The text of a file of a suite: without what its literals say, and the arguments of its calls. */

/** The text with comments and the content of literals blanked, each at its place. A template with values keeps their `$`. */
export const withoutLiterals = (text) =>
  text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g,
    (part) => {
      const blank = part.slice(1, -1).replace(/[^\n]/g, ' ');
      if (part.startsWith('/')) return ` ${blank} `;
      return `${part[0]}${part[0] === '`' && part.includes('${') ? `$${blank.slice(1)}` : blank}${part[0]}`;
    },
  );

/** The arguments of a call from its opening bracket on. */
export function argumentsAt(text, start) {
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1)
    depth += '([{'.includes(text[end]) ? 1 : ')]}'.includes(text[end]) ? -1 : 0;
  return text.slice(start, end - 1);
}
