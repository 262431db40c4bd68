import type { OrderRecord } from '@bonafide/delegation';
import { counted, moment } from '../../format.ts';
import type { Printer } from '../../print.ts';
import { resultOf, shortIdOf } from '../work/work.ts';

/** Number of rows. */
const most = 12;

/** Prints orders, newest first. Orders with the same result are one row. */
export function printWork(orders: readonly OrderRecord[], print: Printer): void {
  const alike = Map.groupBy(orders, (record) => {
    const { status, order } = record.state;
    return JSON.stringify([status, order.trial === null, resultOf(record)]);
  });
  const groups = [...alike.values()];
  print.table(
    [
      { title: 'Orders', width: 50 },
      { title: 'Latest', yields: 1 },
      { title: 'Status' },
      { title: 'Paid msat', align: 'right', yields: 2 },
      { title: 'Result', atLeast: 46 },
    ],
    groups.slice(0, most).flatMap((group) => {
      const [latest] = group;
      if (latest === undefined) return [];
      const { state, createdAt } = latest;
      const paid = group
        .flatMap((record) => record.state.replicas)
        .reduce((all, one) => all + one.paidMsat, 0);
      const what = state.order.trial === null ? 'job' : 'trial';
      return [
        [
          group.length === 1 ? shortIdOf(latest) : counted(group.length, what),
          moment(createdAt),
          state.status,
          String(paid),
          resultOf(latest),
        ],
      ];
    }),
  );
  if (groups.length > most) print.line(print.paint('dim', 'Older results: bonafide work list'));
}
