import type { Command } from 'commander';
import { keyVariable } from '../../agent-signer.ts';
import { withAgent, withRelays } from '../../options.ts';

/** Options of every command about reviews. */
export interface ReviewOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly relay: readonly string[];
  readonly keyFile?: string;
  readonly json: boolean;
}

/** Adds the options of every command about reviews. */
export function withReviews(command: Command): Command {
  return withAgent(withRelays(command, 'a relay to publish to and to read from'))
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its queue is <dir>/reviews.db (default: ~/.bonafide)",
    )
    .option('--db <url>', 'the database of an agent that keeps everything in Postgres: postgres://…')
    .option('--key-file <file>', `the agent's key, in a file of mode 0600 (default: $${keyVariable})`)
    .option('--json', 'print one JSON document', false);
}
