import { sanitizeRemoteText, shortId } from '@bonafide/internal';
import { npubEncode } from 'nostr-tools/nip19';
import { CliError } from '../../errors.ts';
import { moment } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import type { ReviewOptions } from './options.ts';
import { withReputation } from './session.ts';

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** `bonafide reviews about <peer>`: what others say about a peer, weighed beside the own ledger. */
export async function reviewsAbout(
  peer: string,
  options: ReviewOptions & { readonly task?: string },
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const { task } = options;
  const { read, ...standing } = await withReputation(options, io, { relays: true }, (reputation) =>
    reputation.standing(peer, task === undefined ? {} : { task }),
  );
  if (read.relays.every(({ status }) => status === 'unreachable' || status === 'refused'))
    throw new CliError('NO_RELAY', 'No relay answered. Check the addresses: bonafide doctor --relay wss://…');
  if (options.json) {
    print.json({
      ...standing,
      npub: npubEncode(standing.subject),
      rejected: read.rejected,
      relays: read.relays,
    });
    return standing.basis !== 'nothing';
  }
  const { own, hearsay, opinions, basis, trustScore, withoutRationale } = standing;
  print.line(
    `${print.paint('bold', npubEncode(standing.subject))}: trustScore ${trustScore.toFixed(2)}, from ${basis}`,
  );
  if (own !== null)
    print.paragraph(
      `Own ledger: trust ${own.trust}, info ${own.infoScore}/10. ${sanitizeRemoteText(own.rationale, 400)}`,
      2,
    );
  print.paragraph(
    `Hearsay: ${hearsay.trustScore.toFixed(2)} ± ${hearsay.bound.toFixed(2)} by ${hearsay.knownRaters} known and ${hearsay.unknownRaters} unknown raters.`,
    2,
  );
  if (opinions.length > 0)
    print.table(
      [
        { title: 'Rater' },
        { title: 'Share', align: 'right' },
        { title: 'Score', align: 'right' },
        { title: 'Known' },
        { title: 'Date' },
        { title: 'Reason', width: 60, atLeast: 30 },
      ],
      opinions
        .slice(0, 20)
        .map(({ reviewer, share, trustScore: score, isKnown, createdAt, rationale, isMutual }) => [
          shortId(npubEncode(reviewer)),
          percent(share),
          score.toFixed(2),
          `${isKnown ? 'yes' : 'no'}${isMutual ? ', mutual' : ''}`,
          moment(createdAt),
          sanitizeRemoteText(rationale, 400),
        ]),
    );
  if (opinions.length > 20) print.message(`And ${opinions.length - 20} more: --json`);
  if (withoutRationale > 0) print.message(`${withoutRationale} without a reason do not count.`);
  const rejected = Object.entries(read.rejected);
  if (rejected.length > 0)
    print.message(`Rejected: ${rejected.map(([reason, count]) => `${count} ${reason}`).join(', ')}.`);
  for (const { relay, status, message } of read.relays)
    if (status !== 'complete')
      print.message(`${sanitizeRemoteText(relay, 200)}: ${status}. ${sanitizeRemoteText(message, 200)}`);
  return basis !== 'nothing';
}

/** `bonafide reviews object <event>`: objects to a review about this agent. */
export async function reviewsObject(
  id: string,
  options: ReviewOptions & { readonly because: string; readonly evidence: readonly string[] },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const eventId = id.toLowerCase();
  if (!/^[0-9a-f]{64}$/u.test(eventId)) throw new CliError('USAGE', 'An event id has 64 hex digits.');
  const objection = await withReputation(options, io, { relays: true, key: true }, async (reputation) => {
    const nostr = await import('@bonafide/nostr-transport');
    await using transport = nostr.createTransport({
      addresses: { allowHosts: nostr.relayHosts(options.relay) },
    });
    const [review] = await transport.query(options.relay, [{ ids: [eventId] }]);
    if (review === undefined) throw new CliError('USAGE', `No relay has the event ${eventId}.`);
    return await reputation.object(review, options.because, { evidence: options.evidence });
  });
  if (options.json) print.json(objection);
  else print.line(`Objected: ${objection.id}`);
}
