import { constantName } from '../edit/definition.ts';
import type { PlannedEdit } from '../edit/edit-threshold.ts';

/** Stands for the rest of a line, which may hold a secret. */
const hidden = '…';
const lineEnd = /\r\n|\r|\n/gu;
/** Words in front of a definition. */
const keywords = /^[ \t]*(?:(?:export|const|let|var|readonly|static|public|private|protected) +)*$/u;
/** A key or name at the end, with an annotation of a number. */
const definition =
  /(?:(["'`])([^"'`]{1,200})\1|(\w+))\s*(?::\s*(?:float|int|number|Final(?:\[(?:float|int)\])?)\s*)?[:=]\s*\(?$/u;
/** Characters that may follow a number without a secret in it. */
const punctuation = /^[\s,;)\]}]*$/u;

/** Longest text in front of a number that is searched for a name. */
const maxHead = 400;

/** The text in front of the number, as far as it is the name of the threshold. */
function shownHead(line: string, constant: string): string {
  const text = line.slice(-maxHead);
  const found = definition.exec(text);
  const name = found?.[2] ?? found?.[3];
  if (found === null || name === undefined) return hidden;
  // A constant is named in full, a key of a table by its task.
  if (name !== constant && constantName(name) !== constant) return hidden;
  const before = text.slice(0, found.index);
  return line.length <= maxHead && keywords.test(before) ? text : `${hidden}${found[0]}`;
}

const shownTail = (text: string) => (punctuation.test(text) ? text.trimEnd() : hidden);

/**
 * Formats the change of a threshold as a unified diff without context. Of the line it shows the name of the threshold, the number
 * and the own comment; `…` stands for everything else, which may hold secrets. Returns '' when nothing changes.
 */
export function thresholdDiff(path: string, task: string, edit: PlannedEdit): string {
  const { before, source, start, from, to, comment } = edit;
  if (before === source) return '';
  const ends = [...before.slice(0, start).matchAll(lineEnd)];
  const line = ends.length + 1;
  const last = ends.at(-1);
  const lineStart = last === undefined ? 0 : last.index + last[0].length;
  const head = shownHead(before.slice(lineStart, start), constantName(task));
  const restOf = (text: string, at: number) => {
    const [rest = ''] = text.slice(at).split(/[\r\n]/u, 1);
    return { rest, end: text.startsWith('\r\n', at + rest.length) ? '\r' : '' };
  };
  const old = restOf(before, start + from.length);
  const { rest } = restOf(source, start + to.length);
  const written = comment === null ? '' : `  ${comment}`;
  const kept = comment === null ? rest : rest.slice(0, rest.lastIndexOf(written));
  return [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${line} +${line} @@`,
    `-${head}${from}${shownTail(old.rest)}${old.end}`,
    `+${head}${to}${shownTail(kept)}${written}${old.end}`,
    '',
  ].join('\n');
}
