import { createKyselyDelegationStore } from '@bonafide/delegation/kysely';
import { createDisposerStack, type DisposerStack, isBonafideError } from '@bonafide/internal';
import { createKyselyReviewStore } from '@bonafide/reputation/kysely';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore } from '@bonafide/routing-matrix/kysely';
import { type AgentSchema, openDatabase, requireFile } from '../../databases.ts';
import { ledgerSchema, openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { createPrinter, type Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import { type ReportSources, readReport } from '../../report.ts';
import { databasePath, type WorkspacePart } from '../../workspace.ts';
import { openCortex } from '../cortex/open.ts';
import { cortexBeliefs } from '../cortex/show.ts';
import { ledgerList } from '../ledger/list.ts';
import { reviewsList } from '../reviews/queue.ts';
import { reviewSchema } from '../reviews/session.ts';
import { routeSchema } from '../routes/session.ts';
import { routesList } from '../routes/show.ts';
import { orderSchema } from '../work/store.ts';
import { workList } from '../work/work.ts';

/** Options of `bonafide report`. */
interface ReportOptions extends LedgerCommandOptions {
  readonly since?: number;
}

/** Number of rows of a table. */
const limit = 12;

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

/** `bonafide report`: prints the tables of other commands, or one JSON document. */
export async function report(options: ReportOptions, io: CommandIo, print: Printer): Promise<void> {
  requireFile(databasePath(options, io.env), ledgerSchema);
  if (options.json) {
    await using stack = createDisposerStack();
    print.json(await readReport(await openSources(options, io, stack), { since: options.since }));
    return;
  }
  const work = { ...options, limit, open: false, trials: false, shortIds: true };
  const ledger = { ...options, limit, why: true };
  const reviews = (state: 'published' | 'queued') => ({ ...options, limit, relay: [], keys: false, state });
  const sections: readonly (readonly [string, string, (part: Printer) => Promise<void>])[] = [
    ['Platforms', 'routes', (part) => routesList(undefined, options, io, part)],
    ['Latest work', 'work list', (part) => workList(work, io, part)],
    ['Peers: info 0–10, trust −10…+10', 'ledger list --why', (part) => ledgerList(ledger, io, part)],
    ['Beliefs', 'cortex beliefs', (part) => cortexBeliefs(options, io, part)],
    ['Published reviews', 'reviews list', (part) => reviewsList(reviews('published'), io, part)],
    ['Reviews that wait', 'reviews list', (part) => reviewsList(reviews('queued'), io, part)],
  ];
  for (const [title, command, show] of sections) {
    // Printed as a whole: of a part that the agent does not have, or that is empty, nothing is shown.
    let text = '';
    const { isTTY, columns } = io.stdout;
    const stdout = { isTTY, columns, write: (more: string) => (text += more) };
    await ifThere(() => show(createPrinter({ ...io, stdout, stderr: { write() {} } })));
    if (text === '') continue;
    print.line(`\n${print.paint('bold', title)} ${print.paint('dim', `(bonafide ${command})`)}\n`);
    print.line(text.trimEnd());
  }
}
