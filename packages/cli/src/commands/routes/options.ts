import type { Command } from 'commander';
import { withAgent } from '../../options.ts';

/** Options of every command about routes. */
export interface RouteOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly config?: string;
  readonly agent: string;
  readonly json: boolean;
}

/** Adds the options of every command about routes. */
export function withRoutes(command: Command): Command {
  return withAgent(command)
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its routes are in <dir>/agent.db (default: ~/.bonafide)",
    )
    .option('--db <file or url>', 'the database: a file, or postgres://…')
    .option('--config <file>', "the agent's routing configuration, as JSON (default: the defaults)")
    .option('--json', 'print one JSON document', false);
}
