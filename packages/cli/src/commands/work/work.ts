import { cancelOrder, type OrderQuery, type OrderRecord, type Replica } from '@bonafide/delegation';
import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import { CliError } from '../../errors.ts';
import { moment, platformName } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { withOrders } from './store.ts';

/** Options of `bonafide work list`. */
export interface WorkListOptions extends LedgerCommandOptions {
  readonly open: boolean;
  readonly status?: NonNullable<OrderQuery['status']>;
  readonly trials: boolean;
  readonly limit: number;
  readonly cursor?: string;
}

/** Options of `bonafide work cancel`. */
export interface WorkCancelOptions extends LedgerCommandOptions {
  readonly because: string;
}

const sum = (replicas: readonly Replica[], field: 'paidMsat' | 'feesMsat' | 'bidMsat') =>
  replicas.reduce((total, replica) => total + replica[field], 0);

/** Returns an order as JSON prints it. */
function summaryOf({ id, state, settled, createdAt, updatedAt }: OrderRecord) {
  const { order, status, decidedAt, replicas, winners, verifiedBy, failure } = state;
  return {
    id,
    taskType: order.taskType,
    trialOf: order.trial?.platform.pubkey ?? null,
    status,
    settled,
    createdAt,
    updatedAt,
    decidedAt,
    criticality: order.criticality,
    asked: replicas.length,
    deliveredBy: replicas.find(({ number }) => number === winners[0])?.platform.pubkey ?? null,
    verifiedBy,
    failure: failure?.code ?? null,
    maxMsat: order.maxMsat,
    paidMsat: sum(replicas, 'paidMsat'),
    feesMsat: sum(replicas, 'feesMsat'),
  };
}

const clean = (text: string, length = 120) => sanitizeRemoteText(text, length);

/** Returns the id of an order, or the task of a trial, whose id is long. */
export function shortIdOf({ id, state }: OrderRecord): string {
  const { trial } = state.order;
  return trial === null ? clean(id) : `trial ${clean(trial.taskId)}`;
}

const endOf = ({ check, end, stage }: Replica): string => check?.outcome ?? end?.reason ?? stage;

/** Describes the result of an order in a few words. */
export function resultOf({ state, settled }: OrderRecord): string {
  const { status, failure, verifiedBy, replicas, winners } = state;
  const [tested] = state.order.trial === null ? [] : replicas;
  if (tested !== undefined && status !== 'open') return `${platformName(tested)}, ${endOf(tested)}`;
  if (status === 'open') {
    const stages = replicas.filter(({ stage }) => stage !== 'ended').map(({ stage }) => stage);
    return stages.length === 0 ? 'choosing' : stages.join(', ');
  }
  const winner = replicas.find(({ number }) => number === winners[0]);
  const by = winner === undefined ? '' : `by ${platformName(winner)}, `;
  const last = replicas.at(-1);
  // That no other platform was left says less than the end of the one that was asked.
  const code = failure?.code === 'NO_PLATFORM' && last !== undefined ? null : (failure?.code ?? status);
  const tried = last === undefined ? null : `${platformName(last)}, ${endOf(last)}`;
  const ended =
    status === 'delivered'
      ? `${by}${verifiedBy === null ? 'unverified' : `verified by ${verifiedBy}`}`
      : [tried, code].filter((part) => part !== null).join('; ');
  return settled ? ended : `${ended}; being recorded`;
}

/** `bonafide work list`: prints orders, newest first. */
export async function workList(options: WorkListOptions, io: CliIo, print: Printer): Promise<void> {
  const page = await withOrders(options, io, (store) =>
    store.list({
      limit: options.limit,
      ...(options.status === undefined ? {} : { status: options.status }),
      ...(options.open ? { settled: false } : {}),
      ...(options.trials ? { trialOf: '*' } : {}),
      ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
    }),
  );
  if (options.json) {
    print.json({ orders: page.items.map(summaryOf), nextCursor: page.nextCursor });
    return;
  }
  if (page.items.length === 0) {
    print.message('No order matches.');
    return;
  }
  // A type that all of them have is a title, as in `routes`: the table is wide enough without.
  const types = new Set(page.items.map(({ state }) => state.order.taskType));
  const [only = null] = types.size === 1 ? types : [];
  if (only !== null) print.line(print.paint('bold', clean(only)));
  print.table(
    [
      { title: 'Order', width: 50 },
      { title: 'Created', yields: 3 },
      ...(only === null ? [{ title: 'Task', yields: 4 }] : []),
      { title: 'Status' },
      { title: 'Asked', align: 'right', yields: 1 },
      { title: 'Paid msat', align: 'right', yields: 2 },
      { title: 'Result', atLeast: 46 },
    ],
    page.items.map((record) => [
      clean(record.id),
      moment(record.createdAt),
      ...(only === null ? [clean(record.state.order.taskType)] : []),
      record.state.status,
      String(record.state.replicas.length),
      String(sum(record.state.replicas, 'paidMsat')),
      resultOf(record),
    ]),
  );
  if (page.nextCursor !== null) print.message(`More: --cursor ${page.nextCursor}`);
}

/** `bonafide work show`: prints an order with each platform's part and why it was chosen. */
export async function workShow(
  id: string,
  options: LedgerCommandOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  const record = await withOrders(options, io, (store) => store.get(id));
  if (record === null) throw notFound(id);
  const { state } = record;
  if (options.json) {
    print.json({ ...summaryOf(record), replicas: state.replicas, exclusions: state.exclusions });
    return;
  }
  const { order, failure } = state;
  print.labeled('order    ', clean(record.id));
  print.labeled('task     ', `${clean(order.taskType)}, ${order.criticality}, checked by ${order.check}`);
  print.labeled('status   ', `${state.status}: ${resultOf(record)}`);
  if (failure !== null) print.labeled('because  ', clean(failure.message, 300));
  print.labeled(
    'money    ',
    `value ${order.valueMsat}, at most ${order.maxMsat}, paid ${sum(state.replicas, 'paidMsat')} and ${sum(state.replicas, 'feesMsat')} in fees (msat)`,
  );
  print.line();
  print.table(
    [
      { title: '#', align: 'right' },
      { title: 'Platform', width: 36 },
      { title: 'Why', width: 50 },
      { title: 'Stage' },
      { title: 'Bid', align: 'right' },
      { title: 'Paid', align: 'right' },
      { title: 'Outcome', atLeast: 30 },
    ],
    state.replicas.map((replica) => [
      String(replica.number),
      platformName(replica),
      clean(replica.reason),
      replica.stage,
      String(replica.bidMsat),
      String(replica.paidMsat),
      clean(replica.check?.summary ?? replica.end?.message ?? replica.withdrawn ?? ''),
    ]),
  );
  if (state.exclusions.length === 0) return;
  print.line();
  print.table(
    [{ title: 'Not asked, or not accepted' }, { title: 'Reason', atLeast: 30 }],
    state.exclusions.map(({ platformId, reason }) => [clean(platformId), clean(reason)]),
  );
}

/** `bonafide work cancel`: cancels an order of a running or stopped agent. Returns false when it had ended. */
export async function workCancel(
  id: string,
  options: WorkCancelOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const record = await withOrders(
    options,
    io,
    (store) => cancelOrder(store, id, { at: Date.now(), reason: options.because }),
    'write',
  ).catch((error) => {
    throw isBonafideError(error, 'ORDER_NOT_FOUND') ? notFound(id) : error;
  });
  const { status } = record.state;
  if (options.json) print.json(summaryOf(record));
  else if (status === 'cancelled') print.line(`Cancelled. The agent takes open requests back.`);
  else print.message(`Order '${clean(id)}' has ended already: ${status}.`);
  return status === 'cancelled';
}

const notFound = (id: string) =>
  new CliError('ORDER_NOT_FOUND', `There is no order '${clean(id)}'. List the orders: bonafide work list`);
