import * as z from 'zod';
import { parseInput, SelfCorrectionError } from '../errors.ts';
import { constantName, decimalValue, type LanguageSupport, type LiteralRange } from './definition.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

/** Language of a file with thresholds. */
export type ThresholdLanguage = 'python' | 'typescript';

/** A change of one threshold. */
export interface ThresholdEdit {
  readonly language: ThresholdLanguage;
  /** Task type: its constant is `TRUST_THRESHOLD_<TASK>`. */
  readonly task: string;
  /** New value, 0…1; written with two decimals. */
  readonly value: number;
  /** Text of a comment at the end of the line. It replaces an earlier one that begins with `Auto-adjusted:`. One line. */
  readonly comment?: string;
}

const editSchema = z.object({
  language: z.enum(['python', 'typescript']),
  task: z
    .string()
    .min(1)
    .max(100)
    .regex(/[a-z0-9]/iu, 'must contain a letter or a digit'),
  value: z.number().min(0).max(1),
  // Control characters and line separators would end the comment.
  comment: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line')
    .optional(),
});
const sourceSchema = z.string().max(2_000_000);

const languages: Readonly<Record<ThresholdLanguage, LanguageSupport>> = { python, typescript };
/** Start of the comments that this package writes. */
const marker = 'Auto-adjusted:';
const bom = '\ufeff';

/** An edit with the places that it changes. */
export interface PlannedEdit {
  readonly before: string;
  readonly source: string;
  /** Offset of the number in both texts. */
  readonly start: number;
  /** The number as it was written. */
  readonly from: string;
  readonly to: string;
  readonly previous: number;
  /** The comment with its sign, as it was added at the end of the line; null without one. */
  readonly comment: string | null;
}

/**
 * Changes one threshold in a source text, and nothing else: comments, quotes, spaces, line ends and a byte order mark stay. The
 * source is parsed, edited by range, parsed again and compared: exactly one literal differs.
 *
 * @returns the new text, and the value before.
 * @throws SelfCorrectionError `INVALID_INPUT`, `PARSE_ERROR`, `CONSTANT_NOT_FOUND`, `CONSTANT_NOT_LITERAL`, `CONSTANT_DUPLICATE`
 */
export function editThreshold(
  source: string,
  edit: ThresholdEdit,
): { readonly source: string; readonly previous: number } {
  const { source: edited, previous } = planEdit(source, edit);
  return { source: edited, previous };
}

/** Plans the edit that {@link editThreshold} makes. */
export function planEdit(source: string, edit: ThresholdEdit): PlannedEdit {
  const { language, value, comment, task } = parseInput(editSchema, 'edit', edit);
  const given = parseInput(sourceSchema, 'source', source);
  const mark = given.startsWith(bom) ? bom : '';
  const text = given.slice(mark.length);
  const support = languages[language];
  const literal = locate(text, support, task);
  const previous = decimalValue(literal.text);
  const written = value.toFixed(2);
  const plan = { before: source, start: mark.length + literal.start, from: literal.text, previous };
  if (Number(written) === previous) return { ...plan, source, to: literal.text, comment: null };
  const edited = text.slice(0, literal.start) + written + text.slice(literal.end);
  if (support.differences(text, edited) !== 1)
    throw new SelfCorrectionError(
      'CONSTANT_NOT_LITERAL',
      `${constantName(task)} cannot be changed alone: edit the file by hand.`,
    );
  const end = literal.start + written.length;
  const commented = comment === undefined ? edited : addComment(edited, end, comment, support);
  return {
    ...plan,
    source: mark + commented,
    to: written,
    comment: commented === edited || comment === undefined ? null : `${support.comment} ${comment}`,
  };
}

/** Reads one threshold of a source text. Throws as {@link editThreshold}. */
export function readThreshold(source: string, options: Pick<ThresholdEdit, 'language' | 'task'>): number {
  const { language, task } = parseInput(editSchema.pick({ language: true, task: true }), 'options', options);
  const text = parseInput(sourceSchema, 'source', source);
  return decimalValue(locate(text.startsWith(bom) ? text.slice(1) : text, languages[language], task).text);
}

function locate(text: string, support: LanguageSupport, task: string): LiteralRange {
  const constant = constantName(task);
  const found = support.find(text, { constant, task });
  // The text is not quoted: the file may hold secrets.
  if (found === null)
    throw new SelfCorrectionError('PARSE_ERROR', 'The file has a syntax error. Nothing was changed.');
  const { literals, others, reassignments } = found;
  if (literals.length + others === 0) {
    const hint = reassignments > 0 ? ' as a definition; it is only assigned' : '';
    throw new SelfCorrectionError('CONSTANT_NOT_FOUND', `The file has no ${constant}${hint}.`);
  }
  if (literals.length + others + reassignments > 1)
    throw new SelfCorrectionError('CONSTANT_DUPLICATE', `${constant} is defined or assigned more than once.`);
  const [literal] = literals;
  if (literal === undefined)
    throw new SelfCorrectionError('CONSTANT_NOT_LITERAL', `${constant} is not a plain decimal number.`);
  return literal;
}

/** Adds the comment at the end of the line, where it is one; otherwise leaves the text as it is. */
function addComment(text: string, from: number, comment: string, support: LanguageSupport): string {
  const rest = /^[^\r\n]*/u.exec(text.slice(from))?.[0] ?? '';
  const own = rest.lastIndexOf(`${support.comment} ${marker}`);
  const kept = (own === -1 ? rest : rest.slice(0, own)).trimEnd();
  const trailing = /\s*$/u.exec(rest)?.[0] ?? '';
  const commented = `${text.slice(0, from)}${kept}  ${support.comment} ${comment}${trailing}${text.slice(from + rest.length)}`;
  // Not inside of a string or after a continuation: there it would be no comment.
  return support.differences(text, commented) === 0 ? commented : text;
}
