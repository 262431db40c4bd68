import {
  noBooleans,
  noCounts,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { createGitHubForge } from '../src/forges/github.ts';
import * as correction from '../src/index.ts';
import { createKyselyAuditLog, createKyselyProposalStore } from '../src/stores/kysely.ts';

const missing = (values: readonly unknown[]) => [undefined, ...values];
const noNumbers = [null, '5', 10n, true, {}, [], Number.NaN, Symbol('x')];
const noLists = [null, 5, 'x', {}, true];
const noPorts = [...noObjects, {}];
const noFolders = missing([...noTexts, '', 'a\0b']);
const noNames = missing([...noTexts, '', 'a b', '../x']);
const noAgents = [...noTexts, '', 'a\0b', 'x'.repeat(100_000)];
const nothing = async () => null;

const source = 'TRUST_THRESHOLD_CODE = 0.5\n';
const edit = { language: 'python', task: 'code', value: 0.6 } as const;
const noTasks = missing([...noTexts, '']);
const numbers = { to: 0.5, delta: 0.1, sampleSize: 30 };
const merge = { ...numbers, ci: 'green', confidence: 1, conditional: false, changes: [], labels: [] };

const pure: readonly WrongCall[] = [
  ['the source of editThreshold', missing(noTexts), (given) => correction.editThreshold(given, edit)],
  [
    'the edit of editThreshold',
    missing(
      spoilRecord(edit, {
        language: missing([...noTexts, 'x']),
        task: noTasks,
        value: missing([2, ...noNumbers]),
        comment: [5, {}, 'a\nb'],
      }),
    ),
    (given) => correction.editThreshold(source, given),
  ],
  [
    'the options of readThreshold',
    missing(spoilRecord(edit, { language: missing([...noTexts, 'x']), task: noTasks })),
    (given) => correction.readThreshold(source, given),
  ],
  ['constantName', missing(noTexts), (given) => correction.constantName(given)],
  [
    'the history of proposeAdjustment',
    missing([
      ...noLists,
      [null],
      ['x'],
      [{}],
      [{ outcome: 'x' }],
      [{ score: 2 }],
      ...spoilRecord({ success: true }, { success: noBooleans, at: noNumbers })
        .filter((value) => value !== true)
        .map((one) => [one]),
    ]),
    (given) => correction.proposeAdjustment(given, 0.5),
  ],
  [
    'the threshold of proposeAdjustment',
    missing([
      ...noNumbers.filter((value) => value !== 5),
      2,
      { threshold: '1' },
      { threshold: 0.5, changes: [{}] },
    ]),
    (given) => correction.proposeAdjustment([], given),
  ],
  [
    'checkLimits',
    missing(spoilRecord(numbers, { to: missing(noNumbers), delta: noNumbers, sampleSize: noNumbers })),
    (given) => correction.checkLimits(given),
  ],
  [
    'checkAutoMerge',
    missing(
      spoilRecord(merge, {
        to: noNumbers,
        ci: missing([...noTexts, 'x']),
        confidence: noNumbers,
        conditional: missing(noBooleans),
        changes: missing([...noLists, [null], [{}]]),
        labels: missing([...noLists, [5]]),
      }),
    ),
    (given) => correction.checkAutoMerge(given),
  ],
  ['readMarker', missing(noTexts), (given) => correction.readMarker(given)],
];

const forge = {
  readFile: nothing,
  listProposals: async () => [],
  merge: nothing,
  cancelMerge: nothing,
  closeProposal: nothing,
};
const parts = { forge, file: { path: 'thresholds.py', language: 'python' } };
const factories: readonly WrongCall[] = [
  [
    'createSelfCorrection',
    missing(
      spoil(parts, {
        forge: missing(noPorts),
        file: missing([...noPorts, { path: '../x', language: 'python' }, { path: 'x', language: 'ruby' }]),
        store: noPorts,
        audit: noPorts,
        notify: noObjects,
        config: spoil({}, { autoMerge: noBooleans }),
        clock: noObjects,
        logger: noPorts,
      }),
    ),
    (given) => correction.createSelfCorrection(given),
  ],
  [
    'createLocalSelfCorrection',
    missing(
      spoil(
        { folder: '/nowhere', thresholds: {} },
        { folder: noFolders, thresholds: missing([...noObjects, { a: '1' }, { a: 2 }]) },
      ),
    ),
    (given) => correction.createLocalSelfCorrection(given),
  ],
  [
    'createLocalGitForge',
    missing(
      spoil(
        { repository: '/nowhere' },
        {
          repository: noFolders,
          base: [...noTexts, '', '-x'],
          author: [...noPorts, { name: 'a>', email: 'b' }, { name: 5, email: 'b' }],
          checks: noObjects,
          clock: noObjects,
        },
      ),
    ),
    (given) => correction.createLocalGitForge(given),
  ],
  [
    'createGitHubForge',
    missing(
      spoil(
        { octokit: { request: nothing, graphql: nothing }, owner: 'a', repo: 'b' },
        {
          octokit: missing(noPorts),
          owner: noNames,
          repo: noNames,
          base: [...noTexts, '-x'],
          clock: noObjects,
          logger: noPorts,
        },
      ),
    ),
    (given) => createGitHubForge(given),
  ],
  ['the folder of createFileAuditLog', noFolders, (given) => correction.createFileAuditLog(given)],
  [
    'the options of createFileAuditLog',
    spoil({}, { hotDays: [-1, ...noNumbers], coldDays: noNumbers, clock: noObjects }),
    (given) => correction.createFileAuditLog('/nowhere', given),
  ],
  ['createFileProposalStore', noFolders, (given) => correction.createFileProposalStore(given)],
  [
    'the database of createKyselyProposalStore',
    missing(noPorts),
    (given) => createKyselyProposalStore(given),
  ],
  [
    'createKyselyProposalStore',
    spoil({}, { agentId: noAgents }),
    (given) => createKyselyProposalStore({} as never, given),
  ],
  ['the database of createKyselyAuditLog', missing(noPorts), (given) => createKyselyAuditLog(given)],
  [
    'createKyselyAuditLog',
    spoil({}, { agentId: noAgents }),
    (given) => createKyselyAuditLog({} as never, given),
  ],
];

const one = correction.createSelfCorrection(parts as never);
const proposal = {
  ...{
    pattern: 'shift',
    from: 0.5,
    to: 0.6,
    delta: 0.1,
    firstAt: null,
    lastAt: null,
    sampleSize: 30,
    recent: 10,
  },
  ...{
    successRate: 1,
    expectedRate: 0.5,
    confidence: 1,
    justification: 'x',
    conditional: false,
    alert: false,
    reversals: 0,
  },
};
const trigger = { outcome: 'SUCCESS', platform: 'a', eventId: 'b' };
const noInputs = missing(
  spoilRecord(
    { task: 'code', proposal, trigger },
    {
      task: noTasks,
      proposal: missing(
        spoilRecord(proposal, {
          from: missing([2, ...noNumbers]),
          confidence: noNumbers,
          conditional: noBooleans,
          sampleSize: noCounts,
        }),
      ),
      trigger: missing(
        spoilRecord(trigger, { outcome: noTasks, platform: noTasks, eventId: noTasks, score: [2, '1'] }),
      ),
    },
  ),
);
const methods: readonly WrongCall[] = [
  ['current', noTasks, (given) => one.current(given)],
  ['the task of suggest', noTasks, (given) => one.suggest(given, [])],
  [
    'the work of suggest',
    missing([
      ...noLists,
      [null],
      ...spoilRecord(
        { id: 'a', platform: 'b', outcome: 'SUCCESS', at: 1 },
        { id: missing(noTexts), platform: noTexts, at: noNumbers },
      ).map((each) => [each]),
    ]),
    (given) => one.suggest('code', given),
  ],
  ['propose', noInputs, (given) => one.propose(given)],
  ['preview', noInputs, (given) => one.preview(given)],
  ['settle', noInputs, (given) => one.settle(given)],
  ['withdraw', noTasks, (given) => one.withdraw(given, 'x')],
  ['the reason of withdraw', missing([...noTexts, '']), (given) => one.withdraw('code', given)],
  ['rollback', noTasks, (given) => one.rollback(given, 'x')],
  ['the reason of rollback', missing([...noTexts, '']), (given) => one.rollback('code', given)],
  ['history', noTasks, (given) => one.history(given)],
  [
    'read of an audit log',
    spoil({}, { task: noTexts, limit: [0, ...noCounts] }),
    (given) => correction.createMemoryAuditLog().read(given),
  ],
];

it.each([
  ['pure functions', pure, 'INVALID_INPUT'],
  ['options', factories, 'INVALID_CONFIG'],
  ['methods', methods, 'INVALID_INPUT'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, code) => {
  expect(await unrefused(calls, code)).toEqual([]);
});
