const commentsAndText = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const writes =
  /^(?:insert|update|delete|replace|create|drop|alter|begin|commit|end|rollback|savepoint|release|vacuum|attach|detach|reindex|analyze)\b/i;
const writesAfterWith = /^with\b[\s\S]*\)\s*(?:insert|update|delete|replace)\b/i;

/**
 * Returns whether a statement of SQLite has result columns, judged by its text. For Node before 22.16, whose statements
 * have no `columns()`. A pragma counts as one that does, which does no harm: it is then asked for rows and gives none.
 */
export function returnsRows(sql: string): boolean {
  const bare = sql.replace(commentsAndText, ' ').trim();
  return /\breturning\b/i.test(bare) || !(writes.test(bare) || writesAfterWith.test(bare));
}
