// Reads the texts of sources and documents that the language check looks at.
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Passage a docstring, a message or a sentence of a document
 * @property {string} file from the root, with slashes
 * @property {number} line from 1
 * @property {string} text on one line, without stars and code
 */

/**
 * The `/** … *\/` blocks of a source file.
 * @param {string} file
 * @param {string} source
 * @returns {Passage[]}
 */
export function docstringsOf(file, source) {
  const { comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, start }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      text: value
        .slice(1)
        .replace(/^\s*\* ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    }));
}

/**
 * Sentences among the strings and templates of a source file: at least four words, three of them in a row. They become
 * errors, log lines, texts of commands and prompts. `…` stands for a value inside a template.
 * @param {string} file
 * @param {string} source
 * @returns {Passage[]}
 */
export function messagesOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  /** @type {Passage[]} */
  const messages = [];
  const add = (content, start) => {
    const text = content.replace(/\s+/g, ' ').trim();
    if (!/[a-z]+ [a-z]+ [a-z]+/i.test(text) || text.split(' ').length < 4) return;
    messages.push({ file, line: source.slice(0, start).split('\n').length, text });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(value, start),
    TemplateLiteral: ({ quasis, start }) =>
      add(quasis.map(({ value }) => value.cooked ?? '').join('…'), start),
  }).visit(program);
  return messages;
}

/** Where one block of Markdown ends and the next begins: a heading, an item, a row of a table, a quotation. */
const blockStart = /^\s*(?:[-*+] |\d+\. |#|\||>)/;

/**
 * The sentences of a Markdown document, each with the line on which its block begins. Code, targets of links and
 * fragments of fewer than three words in a row are left out; inline code becomes `…`.
 * @param {string} file
 * @param {string} source
 * @returns {Passage[]}
 */
export function sentencesOf(file, source) {
  const withoutCode = source.replace(/^ *(`{3,})[\s\S]*?^ *\1.*$/gm, (block) => block.replace(/[^\n]/g, ''));
  /** @type {{ line: number, text: string }[]} */
  const blocks = [];
  let open = false;
  for (const [index, content] of withoutCode.split('\n').entries()) {
    const text = content.trim();
    const last = blocks.at(-1);
    if (open && last !== undefined && text !== '' && !blockStart.test(content)) last.text += ` ${text}`;
    else if (text !== '') blocks.push({ line: index + 1, text });
    open = text !== '' && !/^[#|]/.test(text);
  }
  return blocks.flatMap(({ line, text }) =>
    text
      .replace(/`[^`]*`/g, '…')
      .replace(/\]\([^)]*\)/g, ']')
      .split(/(?<=[.!?])\s+|\|/)
      .filter((sentence) => /[a-z]+ [a-z]+ [a-z]+/i.test(sentence))
      .map((sentence) => ({ file, line, text: sentence.trim() })),
  );
}
