import { sanitizeRemoteText } from '@bonafide/internal';
import type { QueuedReview } from '@bonafide/reputation';
import { moment } from '../../format.ts';
import type { Printer } from '../../print.ts';
import { paintState, stars } from '../reviews/queue.ts';

/** Number of rows. */
const most = 12;

/** Returns the stars of several reviews: one number, or the range. */
function starsOf(reviews: readonly QueuedReview[]): string {
  const scores = reviews.map(({ review }) => review.trustScore);
  const [low, high] = [stars(Math.min(...scores)), stars(Math.max(...scores))];
  return low === high ? low : `${low}–${high}`;
}

/** Returns the reason of a state, and when the earliest of several reviews is looked at again, unless it is due. */
function reasonOf(reviews: readonly QueuedReview[], now: number): string {
  const due = reviews.flatMap(({ state, dueAt }) =>
    state === 'queued' && dueAt !== null && dueAt > now ? [dueAt] : [],
  );
  const reason = sanitizeRemoteText(reviews[0]?.reason ?? '', 200);
  return due.length === 0 ? reason : `${reason} Next: ${moment(Math.min(...due))}.`;
}

/** Prints reviews, newest first. Those of one subject and task in the same state for the same reason are one row. */
export function printReviews(
  reviews: readonly QueuedReview[],
  nameOf: (pubkey: string) => string,
  print: Printer,
  now = Date.now(),
): void {
  const alike = Map.groupBy(reviews, ({ review, state, reason }) =>
    JSON.stringify([review.subject, review.task, state, reason]),
  );
  const groups = [...alike.values()];
  print.table(
    [
      { title: 'About' },
      { title: 'Task', yields: 1 },
      { title: 'Reviews', align: 'right' },
      { title: 'Stars', align: 'right' },
      { title: 'State' },
      { title: 'Reason', width: 60, atLeast: 30 },
    ],
    groups.slice(0, most).flatMap((group) => {
      const [latest] = group;
      if (latest === undefined) return [];
      return [
        [
          nameOf(latest.review.subject),
          sanitizeRemoteText(latest.review.task ?? '–', 40),
          String(group.length),
          starsOf(group),
          paintState(latest.state, print.paint),
          reasonOf(group, now),
        ],
      ];
    }),
  );
  if (groups.length > most) print.line(print.paint('dim', 'Older reviews: bonafide reviews list'));
}
