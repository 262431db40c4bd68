import * as z from 'zod';
import { type ReflectionFrame, reflectionFrameSchema } from './schemas.ts';

/** The step that parsed an answer. */
export type ParseStep = 'object' | 'json' | 'fence' | 'repair';

/** A parsed frame, or the reason for a failure. */
export type ParsedAnswer =
  | { readonly ok: true; readonly frame: ReflectionFrame; readonly step: ParseStep }
  | { readonly ok: false; readonly problem: string };

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const lineBreaks = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Longest answer that is parsed, in characters. */
const maxLength = 1_000_000;

/** Returns the text of the first fenced block; undefined without a complete one. Takes linear time. */
function fencedBlock(text: string): string | undefined {
  const opening = text.indexOf('```');
  const closing = opening === -1 ? -1 : text.indexOf('```', opening + 3);
  if (closing === -1) return undefined;
  return text.slice(opening + 3, closing).replace(/^[a-z]*/iu, '');
}

/**
 * Repairs JSON once: removes text around the outermost object, commas before closing brackets, and escapes line
 * breaks inside strings. An object that was never closed stays invalid.
 */
export function repairJson(text: string): string {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return text;
  let repaired = '';
  // Holds a comma and following space until the next character shows whether a bracket closes.
  let held = '';
  let inString = false;
  for (let i = start; i <= end; i += 1) {
    const character = text[i] ?? '';
    if (inString) {
      if (character === '\\') {
        repaired += character + (text[i + 1] ?? '');
        i += 1;
        continue;
      }
      if (character === '"') inString = false;
      repaired += lineBreaks.get(character) ?? character;
      continue;
    }
    if (character === ',' || /\s/u.test(character)) {
      held += character;
      continue;
    }
    if (character === '"') inString = true;
    repaired += (character === '}' || character === ']' ? '' : held) + character;
    held = '';
  }
  return repaired;
}

function read(value: unknown, step: ParseStep): ParsedAnswer {
  const frame = reflectionFrameSchema.safeParse(value);
  if (frame.success) return { ok: true, frame: frame.data, step };
  return { ok: false, problem: `The answer has the wrong shape:\n${z.prettifyError(frame.error)}` };
}

/** Parses JSON that a model wrote: plain, in a fenced block, or after one repair. Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  if (text.length > maxLength) return undefined;
  const fenced = fencedBlock(text);
  return (
    tryJson(text) ??
    (fenced === undefined ? undefined : tryJson(fenced)) ??
    tryJson(repairJson(fenced ?? text))
  );
}

/**
 * Parses a reflector's answer: an object, plain JSON, JSON in a fenced block, or JSON after one repair. A repaired
 * answer that the provider truncated is rejected, because its remainder is unknown.
 */
export function parseAnswer(output: string | object, finishReason?: string): ParsedAnswer {
  if (typeof output !== 'string') return read(output, 'object');
  if (output.length > maxLength) return { ok: false, problem: 'The answer is too long.' };
  const plain = tryJson(output);
  if (plain !== undefined) return read(plain, 'json');
  const fenced = fencedBlock(output);
  if (fenced !== undefined) {
    const value = tryJson(fenced);
    if (value !== undefined) return read(value, 'fence');
  }
  const repaired = tryJson(repairJson(fenced ?? output));
  if (repaired === undefined) return { ok: false, problem: 'The answer is not JSON.' };
  if (finishReason === 'length') {
    return { ok: false, problem: 'The answer was cut at the length limit. Answer more briefly.' };
  }
  return read(repaired, 'repair');
}
