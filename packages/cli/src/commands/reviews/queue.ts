import { sanitizeRemoteText, shortId, terminalJson } from '@bonafide/internal';
import type { QueuedReview, QueueState } from '@bonafide/reputation';
import { npubEncode } from 'nostr-tools/nip19';
import { CliError } from '../../errors.ts';
import { moment } from '../../format.ts';
import type { CliIo, Paint } from '../../io.ts';
import type { Printer } from '../../print.ts';
import type { ReviewOptions } from './options.ts';
import { withReputation } from './session.ts';

const colors = {
  queued: 'yellow',
  signed: 'yellow',
  published: 'green',
  disputed: 'red',
  skipped: 'dim',
  superseded: 'dim',
  withdrawn: 'dim',
} as const;

/** Formats a score of 0…1 as stars, 1…5. */
export const stars = (trustScore: number) => (1 + 4 * trustScore).toFixed(1);
/** Returns the state of a review in its color. */
export const paintState = (state: QueueState, paint: Paint): string => paint(colors[state], state);
const keyName = (key: string) => shortId(npubEncode(key));

/** `bonafide reviews list`: the queue, newest first. */
export async function reviewsList(
  options: ReviewOptions & {
    readonly state?: QueueState;
    readonly limit: number;
    readonly cursor?: string;
  },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const { state, limit, cursor } = options;
  const page = await withReputation(options, io, { queue: true }, (reputation) =>
    reputation.list({
      limit,
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  if (options.json) {
    print.json({ reviews: page.items, nextCursor: page.nextCursor });
    return;
  }
  if (page.items.length === 0) {
    print.message(
      'There are no reviews. The agent offers them after benchmarks, changes of its opinion and attacks.',
    );
    return;
  }
  print.table(
    [
      { title: 'Review' },
      { title: 'Subject' },
      { title: 'Task' },
      { title: 'Stars', align: 'right' },
      { title: 'State' },
      { title: 'Reason', width: 48, atLeast: 30 },
    ],
    page.items.map(({ key, review, state: current, reason }) => [
      sanitizeRemoteText(key, 80),
      keyName(review.subject),
      sanitizeRemoteText(review.task ?? '–', 40),
      stars(review.trustScore),
      paintState(current, print.paint),
      sanitizeRemoteText(reason, 200),
    ]),
  );
  if (page.nextCursor !== null) print.message(`There are more: --cursor ${page.nextCursor}`);
}

function printReview(queued: QueuedReview, print: Printer): void {
  const { key, review, state, reason, approvedAt, publishedAt, events, outcomes, objections, dispute } =
    queued;
  const line = (label: string, text: string) => print.labeled(`  ${label.padEnd(14)}`, text);
  print.line(`${print.paint('bold', sanitizeRemoteText(key, 200))}  ${paintState(state, print.paint)}`);
  line('subject', npubEncode(review.subject));
  line('task', sanitizeRemoteText(review.task ?? 'all', 200));
  line('rating', `${stars(review.trustScore)} of 5`);
  if (review.summary !== '') line('summary', sanitizeRemoteText(review.summary, 4_000));
  if (review.assessment !== null) {
    const { trust, infoScore, rationale } = review.assessment;
    line('assessment', `trust ${trust}, info ${infoScore}/10: ${sanitizeRemoteText(rationale, 4_000)}`);
  }
  for (const text of review.strengths) line('strength', sanitizeRemoteText(text, 500));
  for (const text of review.weaknesses) line('weakness', sanitizeRemoteText(text, 500));
  if (review.evidence !== null) line('evidence', sanitizeRemoteText(review.evidence, 1_000));
  line('because', `${queued.event.replace('_', ' ')}, completed ${moment(queued.completedAt)}`);
  line('consent', approvedAt === null ? 'not given' : `given ${moment(approvedAt)}`);
  line('state', sanitizeRemoteText(reason, 400));
  if (publishedAt !== null) line('published', moment(publishedAt));
  for (const { id, kind } of events) line('event', `kind ${kind}, ${id}`);
  for (const { relay, status, message } of outcomes)
    line(
      'relay',
      `${sanitizeRemoteText(relay, 200)}: ${status} ${sanitizeRemoteText(message, 200)}`.trimEnd(),
    );
  for (const { at, claim } of objections)
    line('objection', `${moment(at)}: ${sanitizeRemoteText(claim, 2_000)}`);
  const decideBy = dispute?.dispute?.decideBy;
  if (state === 'disputed' && decideBy !== undefined)
    line('decide', `by ${moment(decideBy)}: bonafide reviews decide ${sanitizeRemoteText(key, 200)}`);
}

/** `bonafide reviews show <key>`: one review of the queue. */
export async function reviewsShow(
  key: string,
  options: ReviewOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  const review = await withReputation(options, io, { queue: true }, (reputation) => reputation.get(key));
  if (review === null)
    throw new CliError(
      'USAGE',
      `There is no review '${sanitizeRemoteText(key, 100)}'. List them: bonafide reviews list`,
    );
  if (options.json) print.json(review);
  else printReview(review, print);
}

/** `bonafide reviews preview <key>`: exactly what would be published. */
export async function reviewsPreview(
  key: string,
  options: ReviewOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  const preview = await withReputation(options, io, { queue: true, key: true }, (reputation) =>
    reputation.preview(key),
  );
  const relays = options.relay;
  if (options.json) {
    print.json({ ...preview, relays });
    return;
  }
  const { decision, approved, events } = preview;
  const when =
    decision.publishAt === null
      ? decision.action
      : `${decision.action}, from ${moment(decision.publishAt)} on`;
  print.line(`${print.paint('bold', when)}: ${sanitizeRemoteText(decision.reason, 400)}`);
  print.line(
    approved
      ? 'You have approved it.'
      : `It is not approved. Publish it: bonafide reviews publish ${sanitizeRemoteText(key, 200)} --relay wss://…`,
  );
  for (const event of events) print.line(terminalJson(event, 2));
}

/** `bonafide reviews publish <key>`: approves a review; publishes it when its time has come. */
export async function reviewsPublish(
  key: string,
  options: ReviewOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const needs = { queue: true, key: true, relays: true };
  const review = await withReputation(options, io, needs, async (reputation) => {
    const approved = await reputation.publish(key);
    return approved.state === 'published' ? approved : ((await reputation.get(key)) ?? approved);
  });
  if (options.json) print.json(review);
  else printReview(review, print);
  return review.state === 'published' || review.state === 'queued';
}

/** `bonafide reviews withdraw <key>`: gives a review up, or deletes it. */
export async function reviewsWithdraw(
  key: string,
  options: ReviewOptions & { readonly because: string },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const needs = { queue: true, key: true, relays: true };
  const review = await withReputation(options, io, needs, (reputation) =>
    reputation.withdraw(key, options.because),
  );
  if (options.json) print.json(review);
  else
    print.line(
      review.deletion === null
        ? 'Withdrawn: it was not published.'
        : `Withdrawn, and deleted by the event ${review.deletion.id}.`,
    );
}

/** `bonafide reviews decide <key>`: decides a dispute. */
export async function reviewsDecide(
  key: string,
  options: ReviewOptions & {
    readonly outcome: 'upheld' | 'excused';
    readonly because: string;
    readonly arbitrator: string;
  },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const { outcome, because: reason, arbitrator } = options;
  const needs = { queue: true, key: true, relays: outcome === 'excused' };
  const review = await withReputation(options, io, needs, (reputation) =>
    reputation.decideDispute(key, { outcome, reason, arbitrator }),
  );
  if (options.json) print.json(review);
  else printReview(review, print);
}
