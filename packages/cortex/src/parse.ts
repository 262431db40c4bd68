import * as z from 'zod';
import { type ReflectionFrame, reflectionFrameSchema } from './schemas.ts';

/** How an answer was read. */
export type ParseStep = 'object' | 'json' | 'fence' | 'repair';

/** A frame that could be read, or why none could. */
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

const fence = /```[a-z]*\s*\n?([\s\S]*?)```/iu;

/**
 * The one repair pass: cuts away what stands around the outermost object, drops commas before a closing bracket
 * and escapes line breaks inside strings. It invents nothing: an object that was never closed stays unreadable.
 */
export function repairJson(text: string): string {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return text;
  let repaired = '';
  // A comma and the space after it wait here until it is known whether a bracket closes behind them.
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

/**
 * Reads a reflector's answer (CTX-11): an object, plain JSON, JSON in a fenced block, or JSON after one repair
 * pass. A repaired answer that the provider cut short is refused, since nobody knows what it was going to say.
 */
export function parseAnswer(output: string | object, finishReason?: string): ParsedAnswer {
  if (typeof output !== 'string') return read(output, 'object');
  const plain = tryJson(output);
  if (plain !== undefined) return read(plain, 'json');
  const fenced = fence.exec(output)?.[1];
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
