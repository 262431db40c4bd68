const exits = `
Exit codes:
  0  success
  1  failed, found nothing, or doctor found a problem
  2  the command line is wrong`;

/** Returns the end of a command's `--help`: examples and exit codes. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ bonafide ${line}`).join('\n')}\n${exits}`;
}
