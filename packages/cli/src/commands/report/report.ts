import { allOrders, type OrderRecord } from '@bonafide/delegation';
import { createKyselyDelegationStore } from '@bonafide/delegation/kysely';
import {
  createDisposerStack,
  type DisposerStack,
  isBonafideError,
  sanitizeRemoteText,
  shortId,
} from '@bonafide/internal';
import { createKyselyReviewStore } from '@bonafide/reputation/kysely';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore } from '@bonafide/routing-matrix/kysely';
import { type AgentSchema, openDatabase, requireFile } from '../../databases.ts';
import { npubOf } from '../../format.ts';
import { ledgerSchema, openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { createPrinter, type Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import { type AgentReport, type ReportSources, readReport } from '../../report.ts';
import { summarizeReport } from '../../report-summary.ts';
import { databasePath, type WorkspacePart } from '../../workspace.ts';
import { openCortex } from '../cortex/open.ts';
import { cortexBeliefs } from '../cortex/show.ts';
import { ledgerList } from '../ledger/list.ts';
import { reviewSchema } from '../reviews/session.ts';
import { routeSchema } from '../routes/session.ts';
import { routesList } from '../routes/show.ts';
import { orderSchema } from '../work/store.ts';
import { printReviews } from './reviews.ts';
import { printInShort, printSummary } from './summary.ts';
import { printWork } from './work.ts';

/** Options of `bonafide report`. */
interface ReportOptions extends LedgerCommandOptions {
  readonly since?: number;
}

/** Number of peers. */
const mostPeers = 12;
/** Number of the latest orders that the sentences and the table of work are about. */
const mostOrders = 2_000;
/** Number of the latest reviews that are looked at. */
const mostReviews = 500;
/** States of reviews that an operator may have to act on, or that others can read. */
const shownStates: readonly string[] = ['queued', 'signed', 'published', 'disputed'];

/** Returns the result, or undefined for a part that the agent does not have. */
async function ifThere<Result>(part: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await part();
  } catch (error) {
    if (isBonafideError(error, 'DATABASE_NOT_FOUND') || isBonafideError(error, 'NOT_MIGRATED'))
      return undefined;
    throw error;
  }
}

/** Opens the parts that the agent has. */
async function openSources(
  options: ReportOptions,
  io: CommandIo,
  stack: DisposerStack,
): Promise<ReportSources> {
  const { agent: agentId } = options;
  const open = (part: WorkspacePart, schema: AgentSchema) =>
    ifThere(async () =>
      stack.adopt(await openDatabase(databasePath(options, io.env, part), schema, 'write'), (db) =>
        db.destroy(),
      ),
    );
  const routes = await open('agent', routeSchema);
  const orders = await open('agent', orderSchema);
  const reviews = await open('reviews', reviewSchema);
  const opened = await ifThere(async () =>
    stack.use(await openLedger(databasePath(options, io.env), agentId)),
  );
  const thinking = await ifThere(async () => stack.use(await openCortex(options, io)));
  const store = routes && createKyselyRoutingStore(routes, { agentId });
  return {
    matrix: store && stack.use(createRoutingMatrix({ store, raiseAlerts: false })),
    delegation: orders && createKyselyDelegationStore(orders, { agentId }),
    ledger: opened?.ledger,
    cortex: thinking?.cortex,
    reputation: reviews && createKyselyReviewStore(reviews, { agentId }),
  };
}

/** A table of the report. */
interface Section {
  readonly title: string;
  /** The command that shows more of it. */
  readonly command: string;
  /** Explains the columns to a reader who sees them for the first time. */
  readonly legend: string;
  show(print: Printer): Promise<void>;
}

/** Reads the latest orders since a time. */
async function latestOrders(
  delegation: NonNullable<ReportSources['delegation']>,
  since = 0,
): Promise<readonly OrderRecord[]> {
  const orders: OrderRecord[] = [];
  for await (const order of allOrders(delegation)) {
    if (orders.length >= mostOrders) break;
    if (order.createdAt >= since) orders.push(order);
  }
  return orders;
}

/** Returns how a platform's key is shown: with the name that the platform gives itself, where it is known. */
function namesOf({ platforms }: Pick<AgentReport, 'platforms'>): (pubkey: string) => string {
  const names = new Map(platforms.map(({ npub, name }) => [npub, `${name} (${shortId(npub)})`]));
  return (pubkey) => {
    const npub = npubOf(pubkey) ?? sanitizeRemoteText(pubkey, 64);
    return names.get(npub) ?? shortId(npub);
  };
}

/** `bonafide report`: prints what the agent has learnt, with the tables of other commands, or one JSON document. */
export async function report(options: ReportOptions, io: CommandIo, print: Printer): Promise<void> {
  requireFile(databasePath(options, io.env), ledgerSchema);
  await using stack = createDisposerStack();
  const sources = await openSources(options, io, stack);
  const { since } = options;
  if (options.json) {
    print.json(await readReport(sources, { since }));
    return;
  }
  const found = await readReport(sources, { since, orders: mostOrders });
  const summary = summarizeReport(found);
  printSummary(summary, print);

  const { delegation, reputation } = sources;
  const ledger = { ...options, limit: mostPeers, why: true };
  const sections: readonly Section[] = [
    {
      title: 'Platforms',
      command: 'routes',
      legend:
        'Trust is 0 to 0.9 and rises with good answers. Platforms get jobs in proportion to it, and none below the threshold. Why: the reason of the status.',
      show: (part) => routesList(undefined, options, io, part),
    },
    {
      title: 'Latest work',
      command: 'work list',
      legend: 'Orders with the same result are one row.',
      async show(part) {
        const orders = delegation === undefined ? [] : await latestOrders(delegation, since);
        if (orders.length > 0) printWork(orders, part);
      },
    },
    {
      title: 'Peers: info 0–10, trust −10…+10',
      command: 'ledger list --why',
      legend:
        'Info is how much the agent knows about a peer. Trust is its opinion; it rises slowly and falls fast.',
      show: (part) => ledgerList(ledger, io, part),
    },
    {
      title: 'Beliefs',
      command: 'cortex beliefs',
      legend: 'What the agent keeps in mind about its peers. A belief expires unless it is confirmed.',
      show: (part) => cortexBeliefs(options, io, part),
    },
    {
      title: 'Reviews',
      command: 'reviews list',
      legend:
        'What the agent tells others, 1 to 5 stars. An attack is published at once, other reviews after a cooling-off.',
      async show(part) {
        const { items = [] } = (await reputation?.list({ limit: mostReviews })) ?? {};
        const shown = items.filter(({ state }) => shownStates.includes(state));
        if (shown.length > 0) printReviews(shown, namesOf(found), part);
      },
    },
  ];
  for (const { title, command, legend, show } of sections) {
    // Printed as a whole: of a part that the agent does not have, or that is empty, nothing is shown.
    let text = '';
    const { isTTY, columns } = io.stdout;
    const stdout = { isTTY, columns, write: (more: string) => (text += more) };
    await ifThere(() => show(createPrinter({ ...io, stdout, stderr: { write() {} } })));
    if (text === '') continue;
    print.line(`\n${print.paint('bold', title)} ${print.paint('dim', `(bonafide ${command})`)}\n`);
    print.line(text.trimEnd());
    print.paragraph(print.paint('dim', legend), 0);
  }
  printInShort(summary, print);
}
