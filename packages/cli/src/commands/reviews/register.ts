import { type Command, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { wholeNumber } from '../../options.ts';
import { withReviews } from './options.ts';

const states = ['queued', 'signed', 'published', 'disputed', 'skipped', 'superseded', 'withdrawn'] as const;
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Registers `bonafide reviews …`. */
export function registerReviews(program: Command, { io, print, onFailed }: CommandContext): void {
  const reviews = program
    .command('reviews')
    .description("The agent's public word: what it would publish, what it published, and what others say.")
    .addHelpText(
      'after',
      examples('reviews list', 'reviews preview verdict-17', 'reviews about npub1… --relay wss://nos.lol'),
    );

  withReviews(reviews.command('list'))
    .description('List the reviews of the queue, newest first.')
    .addOption(new Option('--state <state>', 'only in this state').choices(states))
    .option('-n, --limit <count>', 'how many, up to 500', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'where to continue, from the previous page')
    .addHelpText('after', examples('reviews list', 'reviews list --state disputed --json'))
    .action(async (options) => (await import('./queue.ts')).reviewsList(options, io, print));

  withReviews(reviews.command('show'))
    .description('Show one review with its reasons, events, relays and objections.')
    .argument('<review>', 'its key, as list shows it')
    .addHelpText('after', examples('reviews show verdict-17'))
    .action(async (key, options) => (await import('./queue.ts')).reviewsShow(key, options, io, print));

  withReviews(reviews.command('preview'))
    .description('Print exactly the events that would be published. Sends nothing.')
    .argument('<review>', 'its key, as list shows it')
    .addHelpText('after', examples('reviews preview verdict-17', 'reviews preview verdict-17 --json'))
    .action(async (key, options) => (await import('./queue.ts')).reviewsPreview(key, options, io, print));

  withReviews(reviews.command('publish'))
    .description('Approve a review. It is published now, or when its cooling-off or dispute is over.')
    .argument('<review>', 'its key, as list shows it')
    .addHelpText('after', examples('reviews publish verdict-17 --relay wss://nos.lol'))
    .action(async (key, options) => {
      const { reviewsPublish } = await import('./queue.ts');
      if (!(await reviewsPublish(key, options, io, print))) onFailed();
    });

  withReviews(reviews.command('withdraw'))
    .description('Give a review up; a published one is deleted (NIP-09).')
    .argument('<review>', 'its key, as list shows it')
    .requiredOption('--because <reason>', 'why; a deletion shows it')
    .addHelpText(
      'after',
      examples("reviews withdraw verdict-17 --because 'Our test was wrong.' --relay wss://nos.lol"),
    )
    .action(async (key, options) => (await import('./queue.ts')).reviewsWithdraw(key, options, io, print));

  withReviews(reviews.command('decide'))
    .description('Decide the dispute about a review: upheld keeps it, excused deletes it.')
    .argument('<review>', 'its key, as list shows it')
    .addOption(
      new Option('--outcome <outcome>', 'the decision').choices(['upheld', 'excused']).makeOptionMandatory(),
    )
    .requiredOption('--because <reason>', 'why')
    .option('--arbitrator <who>', 'who decided; neither side may', 'operator')
    .addHelpText(
      'after',
      examples("reviews decide verdict-17 --outcome upheld --because 'The log shows it.'"),
    )
    .action(async (key, options) => (await import('./queue.ts')).reviewsDecide(key, options, io, print));

  withReviews(reviews.command('object'))
    .description('Object to a review about this agent: a public reply, signed with its key.')
    .argument('<event>', 'id of the review, 64 hex digits')
    .requiredOption('--because <claim>', 'what is wrong with it')
    .option('--evidence <address>', 'what shows it; may be given several times', collect, [])
    .addHelpText(
      'after',
      examples("reviews object 5f2c… --because 'The result was correct.' --relay wss://nos.lol"),
    )
    .action(async (event, options) => (await import('./public.ts')).reviewsObject(event, options, io, print));

  withReviews(reviews.command('about'))
    .description(
      'Show what others say about a peer, weighed beside the own ledger, with reasons and authors.',
    )
    .argument('<peer>', 'npub or 64 hex digits')
    .option('--task <task>', 'only opinions about this task type, and about the peer as a whole')
    .addHelpText(
      'after',
      examples(
        'reviews about npub1… --relay wss://nos.lol',
        'reviews about npub1… --relay wss://nos.lol --json',
      ),
    )
    .action(async (peer, options) => {
      const { reviewsAbout } = await import('./public.ts');
      if (!(await reviewsAbout(peer, options, io, print))) onFailed();
    });
}
