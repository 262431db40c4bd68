const exits = `
Exit codes:
  0  done, nothing wrong
  1  failed, found nobody, or doctor found something to mend
  2  the command line is wrong`;

/** What `--help` ends with: how the command is typed, and what its exit codes mean. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ bonafide ${line}`).join('\n')}\n${exits}`;
}
