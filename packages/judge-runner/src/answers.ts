import { messageLimits } from './message-limits.ts';

/** Thrown when bytes from a box are not a valid answer. */
export class ProtocolError extends Error {}

/** More brackets than any answer needs: refused before a parser sees them. */
function checkNesting(line: string): void {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charCodeAt(index);
    if (character === 0x22) quoted = !quoted;
    else if (quoted) {
      if (character === 0x5c) index += 1;
    } else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      if (depth > messageLimits.brackets) throw new ProtocolError('an answer that is nested too deeply');
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
}

/**
 * Parses a line from a box as JSON. The line is untrusted: every byte of it may be forged.
 * @param revive - As `JSON.parse` takes it.
 * @throws ProtocolError when the line is not JSON, or nested deeper than any answer.
 */
export function parseAnswer(
  line: string,
  revive?: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
): unknown {
  checkNesting(line);
  try {
    return JSON.parse(line, revive);
  } catch {
    throw new ProtocolError('an answer that is not JSON');
  }
}
