import type { Command } from 'commander';
import { withAgent } from '../../options.ts';

/** Options of every command about thresholds. */
export interface ThresholdOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly repository?: string;
  readonly github?: string;
  readonly base: string;
  readonly file: string;
  readonly language?: 'python' | 'typescript';
  readonly json: boolean;
}

/** Name of the variable with the token for GitHub. */
export const tokenVariable = 'GITHUB_TOKEN';

/** Adds the options of every command about thresholds. */
export function withThresholds(command: Command): Command {
  return withAgent(command)
    .option('--repository <dir>', 'a bare git repository with the thresholds')
    .option('--github <owner/repo>', `a repository on GitHub, with the token in $${tokenVariable}`)
    .option('--base <branch>', 'the branch that pull requests go to', 'main')
    .option('--file <path>', 'the file with the thresholds, in the repository', 'orchestrator.py')
    .option('--language <language>', 'python or typescript (default: by the name of the file)')
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its outcomes are in <dir>/agent.db (default: ~/.bonafide)",
    )
    .option('--db <file or url>', 'the database: a file, or postgres://…')
    .option('--json', 'print one JSON document', false);
}
