import { sanitizeRemoteText } from '@bonafide/internal';
import {
  type DecisionRecord,
  decodeRecord,
  discountedUcbStrategy,
  evaluateStrategy,
  learnedStrategy,
  type PlatformRef,
  type RoutingRecord,
  resolveConfig,
  thompsonStrategy,
  tieredStrategy,
} from '@bonafide/routing-matrix';
import { CliError } from '../../errors.ts';
import { moment, npubOf, platformName } from '../../format.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import type { RouteOptions } from './options.ts';
import { withMatrix } from './session.ts';

const percent = (share: number | null) => (share === null ? '–' : `${Math.round(share * 100)} %`);
const two = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const msat = (amount: number | null) => (amount === null ? '–' : `${amount} msat`);

/** Returns a platform with the npub of its operator beside the key, which people know from their clients. */
const withNpub = <Item extends { readonly platform: PlatformRef }>(item: Item) => ({
  ...item,
  npub: npubOf(item.platform.pubkey),
});

/** Returns the platform that an id (`pubkey:d`) stands for. */
function platformOf(platformId: string): PlatformRef {
  const colon = platformId.indexOf(':');
  return { pubkey: platformId.slice(0, colon), d: platformId.slice(colon + 1) };
}

const nameOfId = (platformId: string) => platformName({ name: null, platform: platformOf(platformId) });
const withNpubOfId = <Item extends { readonly platformId: string }>(item: Item) => ({
  ...item,
  npub: npubOf(platformOf(item.platformId).pubkey),
});

/** Returns a decision with the npub of every operator. */
const decisionWithNpubs = (decision: DecisionRecord) => ({
  ...decision,
  picks: decision.picks.map(withNpub),
  candidates: decision.candidates.map(withNpubOfId),
  excluded: decision.excluded.map(withNpubOfId),
});

/** `bonafide routes [task]`: the matrix by task type, best first. */
export async function routesList(
  task: string | undefined,
  options: RouteOptions & { readonly explain?: string },
  io: CommandIo,
  print: Printer,
): Promise<void> {
  if (options.explain !== undefined) return routesExplain(options.explain, options, io, print);
  await withMatrix(options, io, async ({ matrix }) => {
    const entries = await matrix.entries(task === undefined ? {} : { taskType: task });
    const { thresholds, variables } = await matrix.thresholds();
    const quarantined = await matrix.quarantined();
    if (options.json) {
      print.json({ entries: entries.map(withNpub), thresholds, variables, quarantined });
      return;
    }
    if (entries.length === 0) print.message('No platform is known for this yet.');
    for (const type of [...new Set(entries.map(({ taskType }) => taskType))]) {
      const own = entries.filter(({ taskType }) => taskType === type);
      print.line(
        `${print.paint('bold', sanitizeRemoteText(type, 128))}, threshold ${two(own[0]?.threshold ?? null)}`,
      );
      print.table(
        [
          { title: 'Platform', width: 36 },
          { title: 'Status' },
          { title: 'Trust', align: 'right' },
          { title: 'Tier', yields: 3 },
          { title: '30 days', align: 'right', yields: 4 },
          { title: 'Latency', align: 'right', yields: 2 },
          { title: 'Price', align: 'right', yields: 1 },
          { title: 'Jobs', align: 'right' },
          { title: 'Why', width: 50, atLeast: 30 },
        ],
        own.map((entry) => [
          platformName(entry),
          [
            entry.status,
            entry.pinned ? 'pinned' : '',
            entry.denied ? 'denied' : '',
            entry.quarantined ? 'quarantined' : '',
          ]
            .filter((word) => word !== '')
            .join(', '),
          two(entry.trustScore),
          entry.tier,
          percent(entry.successRate30d),
          entry.latency.p50Ms === null ? '–' : `${Math.round(entry.latency.p50Ms)} ms`,
          msat(entry.cost.listedMsat ?? entry.cost.medianMsat),
          String(
            entry.outcomes.SUCCESS + entry.outcomes.PARTIAL + entry.outcomes.FAILURE + entry.outcomes.ERROR,
          ),
          sanitizeRemoteText(entry.statusReason, 120),
        ]),
      );
      print.line();
    }
    if (quarantined.length > 0) {
      print.message(`${quarantined.length} records of the log could not be read; --json lists them.`);
    }
  });
}

/** `bonafide routes decisions [task]`: the latest choices, newest first. */
export async function routesDecisions(
  task: string | undefined,
  options: RouteOptions & { readonly limit: number; readonly cursor?: string },
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, async ({ matrix }) => {
    const { limit, cursor } = options;
    const page = await matrix.decisions({
      limit,
      ...(task === undefined ? {} : { taskType: task }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (options.json) {
      print.json({ ...page, items: page.items.map(decisionWithNpubs) });
      return;
    }
    if (page.items.length === 0) print.message('Nothing was decided yet.');
    else
      print.table(
        [
          { title: 'Decision' },
          { title: 'Time' },
          { title: 'Task', yields: 1 },
          { title: 'Chosen' },
          { title: 'Probability', align: 'right' },
        ],
        page.items.map(({ id, at, taskType, picks, degraded }) => [
          sanitizeRemoteText(id.slice('decision:'.length), 64),
          moment(at),
          sanitizeRemoteText(taskType, 40),
          picks.length === 0
            ? 'none'
            : `${picks.map(platformName).join(', ')}${degraded ? ' (degraded)' : ''}`,
          picks.map(({ probability }) => percent(probability)).join(', '),
        ]),
      );
    if (page.nextCursor !== null) print.message(`There are more: --cursor ${page.nextCursor}`);
  });
}

/** `bonafide routes explain <decision>`: why a job went where it went. */
export async function routesExplain(
  which: string,
  options: RouteOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, async ({ store }) => {
    const id = which.startsWith('decision:') ? which : `decision:${which}`;
    // A job without an eligible platform has only a decision of another name, as long as it has none.
    const stored = (await store.get(id)) ?? (await store.get(`decision:no-platform:${which}`));
    const record = stored === null ? null : decodeRecord(stored);
    if (record?.kind !== 'decision')
      throw new CliError(
        'USAGE',
        `There is no decision '${sanitizeRemoteText(which, 100)}'. List them: bonafide routes decisions`,
      );
    if (options.json) print.json(decisionWithNpubs(record));
    else explain(record, print);
  });
}

function explain(decision: DecisionRecord, print: Printer): void {
  const { taskType, at, strategy, valueMsat, picks, candidates, excluded, excludedCount } = decision;
  const value = valueMsat === null ? 'of unknown value' : `worth ${valueMsat} msat`;
  print.line(
    `${print.paint('bold', sanitizeRemoteText(taskType, 128))} ${value}, ${moment(at)}, by the strategy '${strategy}'`,
  );
  for (const pick of picks) {
    print.labeled(
      '  Chosen: ',
      `${platformName(pick)}, probability ${percent(pick.probability)}: ${pick.reason}`,
    );
    const npub = npubOf(pick.platform.pubkey);
    if (npub !== null) print.line(`  ${print.paint('dim', `${npub} (${pick.platform.pubkey})`)}`);
  }
  if (picks.length === 0) print.line('  No platform was eligible.');
  if (decision.degraded)
    print.paragraph('No platform had earned this job, or all were suspended: check the result by hand.', 2);
  if (candidates.length > 0)
    print.table(
      [
        { title: 'Candidate' },
        { title: 'Probability', align: 'right' },
        { title: 'Trust', align: 'right' },
        { title: 'Price', align: 'right', yields: 3 },
        { title: 'Latency', align: 'right', yields: 2 },
        { title: 'Open jobs', align: 'right', yields: 1 },
        { title: 'Score', align: 'right' },
      ],
      candidates.map((candidate) => [
        nameOfId(candidate.platformId),
        percent(candidate.probability),
        two(candidate.trust),
        msat(candidate.priceMsat),
        candidate.latencyMs === null ? '–' : `${Math.round(candidate.latencyMs)} ms`,
        String(candidate.inFlight),
        two(candidate.score),
      ]),
    );
  if (excluded.length > 0) {
    print.line(`Excluded: ${excludedCount}`);
    print.table(
      [{ title: 'Platform' }, { title: 'Reason', atLeast: 30 }],
      excluded.map(({ platformId, reason }) => [nameOfId(platformId), reason]),
    );
  }
}

/** `bonafide routes evaluate`: what each strategy would have earned on the agent's own history. */
export async function routesEvaluate(options: RouteOptions, io: CommandIo, print: Printer): Promise<void> {
  await withMatrix(options, io, async ({ store, config }) => {
    const records: RoutingRecord[] = [];
    for (let seq = 0; ; ) {
      const page = await store.readAfter(seq, 1_000);
      for (const stored of page) {
        try {
          records.push(decodeRecord(stored));
        } catch {
          // Quarantined records are left out of every view.
        }
      }
      seq = page.at(-1)?.seq ?? seq;
      if (page.length < 1_000) break;
    }
    const resolved = resolveConfig(config);
    const results = [learnedStrategy(), tieredStrategy(), thompsonStrategy(), discountedUcbStrategy()].map(
      (strategy) => evaluateStrategy(records, resolved, strategy),
    );
    if (options.json) {
      print.json({ strategies: results });
      return;
    }
    const [first] = results;
    if (first === undefined || first.decisions === 0) {
      print.message('No decision has an outcome yet: there is nothing to compare.');
      return;
    }
    const range = ({ mean, halfWidth }: { readonly mean: number; readonly halfWidth: number }) =>
      `${percent(mean)} ± ${percent(halfWidth)}`;
    print.line(`${first.decisions} jobs; as they were given: ${range(first.success.logged)} succeeded`);
    print.table(
      [
        { title: 'Strategy' },
        { title: 'Success, inverse propensity' },
        { title: 'Success, doubly robust' },
        { title: 'msat a job, doubly robust' },
        { title: 'Rests on', align: 'right' },
      ],
      results.map((result) => [
        result.strategy,
        range(result.success.ips),
        range(result.success.doublyRobust),
        result.utilityMsat === null
          ? '–'
          : `${Math.round(result.utilityMsat.doublyRobust.mean)} ± ${Math.round(result.utilityMsat.doublyRobust.halfWidth)}`,
        `${Math.round(result.effectiveDecisions)} jobs`,
      ]),
    );
    if (
      results.some(({ effectiveDecisions, decisions }) => effectiveDecisions < Math.max(50, decisions / 10))
    )
      print.message(
        'The history says little about a strategy that rests on few jobs: it would have chosen what was hardly tried.',
      );
  });
}
