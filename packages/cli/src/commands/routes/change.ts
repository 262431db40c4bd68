import { sanitizeRemoteText } from '@bonafide/internal';
import type { DirectiveAction, DirectiveSource } from '@bonafide/routing-matrix';
import { CliError } from '../../errors.ts';
import { npubOf } from '../../format.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import type { RouteOptions } from './options.ts';
import { requirePlatform } from './platform.ts';
import { withMatrix } from './session.ts';

/** `bonafide routes pin | unpin | deny | allow | readmit | remove <platform>`: gives a directive. */
export async function routesDirect(
  action: DirectiveAction,
  who: string,
  options: RouteOptions & {
    readonly task?: string;
    readonly because: string;
    readonly of: DirectiveSource;
  },
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, async ({ matrix }) => {
    const platform = await requirePlatform(matrix, who);
    const taskType = options.task ?? null;
    await matrix.direct({ platform, action, source: options.of, reason: options.because, taskType });
    const entries = (await matrix.entries()).filter(
      (entry) =>
        entry.platform.pubkey === platform.pubkey &&
        entry.platform.d === platform.d &&
        (taskType === null || entry.taskType === taskType),
    );
    if (options.json) print.json({ platform, npub: npubOf(platform.pubkey), action, entries });
    else {
      print.line(
        `Recorded: ${action} ${sanitizeRemoteText(who, 100)}${taskType === null ? '' : ` for ${taskType}`}.`,
      );
      if (action !== 'allow' && action !== 'readmit') return;
      const left = entries.flatMap(({ directives }) =>
        directives.filter(({ source }) => source !== options.of),
      );
      const [first] = left;
      if (first !== undefined) {
        const names = [...new Set(left.map((each) => each.action))].join(', ');
        print.message(`Still in force by the ${first.source}: ${names}. Lift it with --of ${first.source}.`);
      }
    }
  });
}

/** `bonafide routes budget [task]`: shows the budgets, or sets one. */
export async function routesBudget(
  task: string | undefined,
  options: RouteOptions & {
    readonly daily?: number;
    readonly monthly?: number;
    readonly rollover?: number;
    readonly flexible: boolean;
  },
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, async ({ matrix }) => {
    const { daily, monthly, rollover, flexible } = options;
    if (daily !== undefined || monthly !== undefined) {
      await matrix.budgets.set({
        taskType: task ?? null,
        dailyMsat: daily ?? null,
        monthlyMsat: monthly ?? null,
        rollover: rollover ?? 0,
        flexible,
      });
    } else if (rollover !== undefined || flexible) {
      throw new CliError('USAGE', 'Name a limit: --daily <msat> or --monthly <msat>.');
    }
    const budgets = await matrix.budgets.list();
    const held = await matrix.budgets.held();
    if (options.json) {
      print.json({ budgets, held });
      return;
    }
    if (budgets.length === 0) {
      print.message('There is no budget. Set one: bonafide routes budget <task> --daily <msat>');
      return;
    }
    const limit = (amount: number | null) => (amount === null ? 'none' : String(amount));
    print.table(
      [
        { title: 'Task' },
        { title: 'Daily', align: 'right' },
        { title: 'Spent', align: 'right' },
        { title: 'Held', align: 'right' },
        { title: 'Monthly', align: 'right' },
        { title: 'Spent', align: 'right' },
        { title: 'Available', align: 'right' },
      ],
      budgets.map(({ taskType, day, month, availableMsat }) => [
        taskType === null ? 'all' : sanitizeRemoteText(taskType, 60),
        limit(day.limitMsat),
        String(day.spentMsat),
        String(day.heldMsat),
        limit(month.limitMsat),
        String(month.spentMsat),
        limit(availableMsat),
      ]),
    );
    print.message(`Amounts in msat, days and months in UTC. ${held.length} reservations are held.`);
  });
}
