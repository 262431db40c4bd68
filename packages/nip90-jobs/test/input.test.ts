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
import { createKeySigner } from '@bonafide/nostr-transport';
import { expect, it } from 'vitest';
import * as codec from '../src/codec/index.ts';
import * as jobs from '../src/index.ts';
import { jobTools, provideMcpServer, registerJobTools, toolArguments } from '../src/mcp/index.ts';
import { createNwcWallet } from '../src/nwc/index.ts';
import {
  createKyselyJobStore,
  createKyselyPaymentStore,
  createKyselyProviderStore,
} from '../src/stores/kysely.ts';
import { invoice } from './invoice.ts';
import { client, keys, relay, transport } from './world.ts';

const pubkey = 'a'.repeat(64);
const signer = createKeySigner(keys.customer);
const signal = AbortSignal.abort();
const long = 'x'.repeat(100_000);
/** Values in place of an id of an event. */
const noIds = [...noTexts, '', 'x', 'A'.repeat(64), 'a'.repeat(63), 'a\0b', long, '__proto__'];
/** Values in place of a public key; that of a person may be an npub. */
const noKeys = [...noTexts, '', 'x', 'a'.repeat(63), 'npub1x', long];
const noLists = [null, 5, 'x', {}, true];
/** The empty place of a sparse list reads as undefined. */
const noRelays = [...noLists, ...noTexts.map((url) => [url]), [undefined]];
const noTimes = [null, '5', 10n, {}, Number.NaN, Number.POSITIVE_INFINITY, -1, new Date(Number.NaN)];
const noMsat = [...noTimes, 0.5];
const noKinds = [...noCounts, 4_999, 6_000, 5_000.5];

const wallet: jobs.Wallet = {
  pay: async () => ({ status: 'in-flight' }),
  lookup: async () => ({ status: 'unknown' }),
};
const noWallets = [...noObjects, {}, { pay: wallet.pay }];
const payments = { wallet, store: jobs.createMemoryPaymentStore() };
const wrongPayments = spoil(payments, {
  wallet: [undefined, ...noWallets],
  store: [undefined, ...noObjects, {}],
  budget: spoil({ limitMsat: 5 }, { limitMsat: [undefined, ...noMsat], windowMs: noMsat }),
  maxFeeMsat: [...noObjects, 5],
  network: ['x', 5, null, '__proto__'],
  methods: [...noLists, [null], [{}], [{ name: 'x' }]],
});
const references = spoil(
  {},
  {
    maxBytes: [...noCounts, 0],
    timeoutMs: [...noTimes, 0],
    addresses: noObjects,
  },
);
const parts = {
  transport: transportOfNobody(),
  signer,
  relays: ['wss://a.example'],
};
/** Never connected. */
function transportOfNobody() {
  return { publish: async () => [], subscribe: () => ({ close() {} }) } as never;
}
const common = {
  transport: [undefined, ...noObjects, {}],
  signer: [undefined, ...noObjects, {}],
  relays: [undefined, [], ...noRelays],
  references,
  blobs: [...noObjects, {}],
  nip04Decrypt: noObjects,
  clock: noObjects,
  random: noObjects,
  timers: [...noObjects, {}],
  logger: [...noObjects, {}],
};
const clientOptions = { ...parts, store: jobs.createMemoryJobStore() };
const wrongClientOptions = [
  undefined,
  ...spoil(clientOptions, {
    ...common,
    store: [undefined, ...noObjects, {}],
    payments: wrongPayments,
    chooseOffer: noObjects,
    accept: noObjects,
    createReceipt: noObjects,
    config: spoil(
      {},
      { maxFeedback: noCounts, allowPlaintext: noBooleans, retryDelaysMs: noLists, leaseMs: [1] },
    ),
  }),
];
const providerOptions = { ...parts, kinds: [5_000], handler: () => 'x' };
const invoices = {
  create: async () => ({ bolt11: '', paymentHash: '' }),
  isPaid: async () => false,
};
const wrongProviding = {
  ...common,
  store: [...noObjects, {}],
  broadcast: noBooleans,
  admit: noObjects,
  invoices: [...noObjects, {}],
  refunds: wrongPayments,
  verifyReceipt: noObjects,
  concurrency: [...noCounts, 0],
  config: spoil({}, { queueLimit: [...noCounts, 0], maxUnpaid: noCounts, publishRetryDelaysMs: noLists }),
};
const wrongProviderOptions = [
  undefined,
  ...spoil(providerOptions, {
    ...wrongProviding,
    kinds: [undefined, [], ...noLists, ...noKinds.map((kind) => [kind])],
    handler: [undefined, ...noObjects],
    card: [...noObjects, {}, { kind: 31_990 }],
    price: noObjects,
  }),
  ...[5, true, 'x'].map((price) => ({ ...providerOptions, price, invoices })),
];

const request = {
  id: 'b'.repeat(64),
  pubkey,
  kind: 5_000,
  created_at: 1,
  tags: [],
  content: '',
  sig: 'c'.repeat(128),
};
const spec = { kind: 5_000, provider: pubkey, inputs: [{ data: 'x' }], bidMsat: 5 };
const wrongInputs = [
  ...noLists,
  [undefined],
  ...spoil(
    { data: 'x' },
    { data: [undefined, '', ...noTexts], type: ['x', 5], relay: ['x', 5], marker: ['', 5] },
  ).map((input) => [input]),
];
const wrongSpec = {
  kind: [undefined, ...noKinds],
  provider: ['', ...noKeys.filter((key) => key !== null)],
  d: [5, '', long, {}],
  inputs: wrongInputs,
  params: [
    null,
    5,
    'x',
    [],
    { '': 'x' },
    { x: {} },
    { x: null },
    { x: [] },
    { x: [5] },
    { x: Number.NaN },
    { x: 10n },
  ],
  output: ['', ' ', 5, {}],
  outputSchema: [10n, () => 5, Symbol('x'), new Date(0)],
  bidMsat: noMsat.filter((bid) => bid !== null),
  relays: noRelays,
  topics: [...noLists, [''], [5], [long]],
  content: noTexts,
};
const wrongJobSpecs = [undefined, ...spoil(spec, { ...wrongSpec, encrypted: noBooleans })];
const wrongRequestSpecs = [
  undefined,
  ...spoil({ ...spec, createdAt: 1 }, { ...wrongSpec, createdAt: [undefined, ...noTimes] }),
];
const wrongReference = spoilRecord(
  { url: 'https://a.example/x', sha256: 'a'.repeat(64), size: 1, mime: 'text/plain' },
  {
    url: [undefined, ...noTexts, '', 'x'],
    sha256: [undefined, ...noIds],
    size: [undefined, ...noMsat],
    mime: [undefined, ...noTexts, ''],
  },
).filter((one) => one !== null);
const wrongRequests = spoilRecord(request, {
  id: [undefined, ...noIds],
  pubkey: [undefined, ...noIds],
});
const answered = {
  amountMsat: noMsat.filter((amount) => amount !== null),
  bolt11: [5, {}],
  reference: wrongReference,
  encrypted: noBooleans,
  relayHint: [5, {}, 'x'],
  createdAt: [undefined, ...noTimes],
};

const workCalls: readonly WrongCall[] = [
  [
    'computeBid',
    [
      undefined,
      ...spoil(
        { baseMsat: 1, ceilingMsat: 5 },
        {
          baseMsat: [undefined, ...noTimes],
          ceilingMsat: [undefined, ...noTimes],
          urgency: ['x', null, '__proto__', 'constructor'],
          targetTrust: [2, -1, Number.NaN, '1'],
          market: noTimes,
        },
      ),
    ],
    (given) => jobs.computeBid(given),
  ],
  [
    'the past of bidBasis',
    [
      undefined,
      ...noLists,
      [null],
      [undefined],
      ...spoilRecord(
        { bidMsat: 1, accepted: true },
        { bidMsat: [undefined, ...noTimes], accepted: [undefined, ...noBooleans] },
      ).map((bid) => [bid]),
    ],
    (given) => jobs.bidBasis(given, { cardPriceMsat: null, defaultMsat: 5 }),
  ],
  [
    'the start of bidBasis',
    [
      undefined,
      ...spoil(
        { cardPriceMsat: null, defaultMsat: 5 },
        { cardPriceMsat: [undefined, '5', Number.NaN, -1], defaultMsat: [undefined, ...noTimes] },
      ),
    ],
    (given) => jobs.bidBasis([], given),
  ],
  [
    'bindTask',
    [
      undefined,
      ...spoil(
        { kind: 5_000, provider: pubkey, payload: 'x' },
        {
          kind: [undefined, ...noKinds],
          provider: [5, 'x', '', {}],
          payload: [undefined, null, 5, 10n, () => 5, Symbol('x'), { big: 10n }],
          quality: [null, 5, [], { '': 1 }, { x: Number.NaN }, { x: {} }, { x: 10n }],
          deadline: [
            null,
            5,
            {},
            { at: 0 },
            { at: Number.NaN },
            { withinMs: -1 },
            { at: 1, withinMs: 1 },
            new Date(),
          ],
          budget: spoil(
            { amount: 1, msatPerUnit: 1 },
            {
              amount: [undefined, ...noTimes],
              msatPerUnit: [undefined, 0, ...noTimes],
              buffer: [2, -1, '0'],
            },
          ),
          isPrivate: noBooleans,
          output: ['', 5, {}],
        },
      ),
    ],
    (given) => jobs.bindTask(given),
  ],
  [
    'benchmarkParams',
    spoil(
      {},
      {
        type: ['x', null, 5, '__proto__'],
        timeLimitSeconds: [...noCounts.filter((count) => count !== 0.5), 0],
        memoryLimitMb: [...noCounts, 0],
        iterations: [...noCounts, 0],
        language: [null, 5, ''],
      },
    ),
    (given) => jobs.benchmarkParams(given),
  ],
];

const codecCalls: readonly WrongCall[] = [
  ['buildJobRequest', wrongRequestSpecs, (given) => codec.buildJobRequest(given)],
  ['buildEncryptedJobRequest', wrongRequestSpecs, (given) => codec.buildEncryptedJobRequest(given)],
  ['fingerprintOf', wrongRequestSpecs, (given) => codec.fingerprintOf(given, false)],
  [
    'seal',
    [undefined, ...noTexts],
    (given) => codec.buildEncryptedJobRequest({ ...spec, createdAt: 1 } as never).seal(given),
  ],
  [
    'buildJobResult',
    [
      undefined,
      ...spoil(
        { request, content: 'x', createdAt: 1 },
        {
          ...answered,
          request: [undefined, ...wrongRequests, { ...request, kind: 1 }, { ...request, tags: 5 }],
          content: [undefined, ...noTexts],
          status: ['x', null, 5],
        },
      ),
    ],
    (given) => codec.buildJobResult(given),
  ],
  [
    'buildFeedback',
    [
      undefined,
      ...spoil(
        { request: { id: request.id, pubkey }, status: 'processing', createdAt: 1 },
        {
          ...answered,
          request: [undefined, ...wrongRequests],
          status: [undefined, ...noTexts, 'x', '', '__proto__'],
          info: noTexts,
          content: noTexts,
        },
      ),
    ],
    (given) => codec.buildFeedback(given),
  ],
  [
    'buildJobCancellation',
    [
      undefined,
      ...spoil(
        { request, provider: pubkey, createdAt: 1 },
        {
          request: [undefined, ...noObjects, {}, { ...request, id: 'x' }, { ...request, kind: 1 }],
          provider: [undefined, ...noKeys.filter((key) => key !== null)],
          reason: noTexts,
          createdAt: [undefined, ...noTimes],
        },
      ),
    ],
    (given) => codec.buildJobCancellation(given),
  ],
  [
    'answerFilters',
    [
      undefined,
      ...noLists,
      [undefined],
      ...spoilRecord(
        { id: request.id, kind: 5_000, provider: null },
        { id: [undefined, ...noIds], kind: [undefined, ...noKinds], provider: [undefined, 5, 'x'] },
      ).map((one) => [one]),
    ],
    (given) => codec.answerFilters(given),
  ],
  [
    'requestFilters',
    [
      undefined,
      ...spoil(
        { kinds: [5_000], provider: pubkey, broadcast: false, receipts: false },
        {
          kinds: [undefined, [], ...noLists, ...noKinds.map((kind) => [kind])],
          provider: [undefined, ...noIds],
          broadcast: [undefined, ...noBooleans],
          receipts: [undefined, ...noBooleans],
        },
      ),
    ],
    (given) => codec.requestFilters(given),
  ],
  ['resultKindOf', [undefined, ...noKinds], (given) => codec.resultKindOf(given)],
  ['decryptJobRequest', [undefined, ...noObjects, {}], (given) => codec.decryptJobRequest(given, '[]')],
  ['jobParam', [undefined, ...noObjects, {}], (given) => codec.jobParam(given, 'x')],
];

const aBolt11 = invoice({ amountMsat: 1_000 });
const paymentCalls: readonly WrongCall[] = [
  [
    'assessInvoice',
    [
      undefined,
      ...spoil(
        { bolt11: aBolt11, amountMsat: 1_000, bidMsat: 1_000, network: 'bitcoin', now: Date.now() },
        {
          bolt11: [undefined, 5, {}],
          amountMsat: [undefined, ...noMsat.filter((amount) => amount !== null)],
          bidMsat: [undefined, ...noMsat.filter((amount) => amount !== null)],
          network: [undefined, null, 'x', '__proto__'],
          now: [undefined, ...noTimes],
        },
      ),
    ],
    (given) => jobs.assessInvoice(given),
  ],
  ['decodeInvoice', [undefined, ...noTexts], (given) => jobs.decodeInvoice(given)],
  ['the wallet of createBolt11Method', [undefined, ...noWallets], (given) => jobs.createBolt11Method(given)],
  ['the network of createBolt11Method', [null, 'x', 5], (given) => jobs.createBolt11Method(wallet, given)],
  [
    'the wallet of createLightningAddressMethod',
    [undefined, ...noWallets],
    (given) => jobs.createLightningAddressMethod(given, jobs.createReferenceFetcher()),
  ],
  [
    'the fetcher of createLightningAddressMethod',
    [undefined, ...noObjects, {}],
    (given) => jobs.createLightningAddressMethod(wallet, given),
  ],
  [
    'the network of createLightningAddressMethod',
    [null, 'x', 5],
    (given) => jobs.createLightningAddressMethod(wallet, jobs.createReferenceFetcher(), given),
  ],
  [
    'the address of requestInvoice',
    [undefined, ...noTexts],
    (given) => jobs.requestInvoice(given, 1, jobs.createReferenceFetcher(), signal),
  ],
  [
    'the amount of requestInvoice',
    [undefined, 0, ...noMsat],
    (given) => jobs.requestInvoice('a@a.example', given, jobs.createReferenceFetcher(), signal),
  ],
  [
    'the fetcher of requestInvoice',
    [undefined, ...noObjects, {}],
    (given) => jobs.requestInvoice('a@a.example', 1, given, signal),
  ],
  ['createReferenceFetcher', references, (given) => jobs.createReferenceFetcher(given)],
  [
    'the address of a reference',
    [undefined, ...noTexts],
    (given) => jobs.createReferenceFetcher()(given, { signal }),
  ],
  [
    'the options of a reference',
    [
      undefined,
      ...spoilRecord(
        { signal },
        { signal: [undefined, ...noObjects, {}], sha256: [5], size: noMsat, mutable: noBooleans },
      ),
    ],
    (given) => jobs.createReferenceFetcher()('https://a.example', given),
  ],
  [
    'createBlossomStore',
    [
      undefined,
      ...spoil(
        { servers: ['https://a.example'], signer },
        {
          servers: [undefined, [], ...noLists, ['x'], [5], [undefined], ['ftp://a.example']],
          signer: [undefined, ...noObjects, {}],
          timeoutMs: [...noTimes, 0],
          clock: noObjects,
        },
      ),
    ],
    (given) => jobs.createBlossomStore(given),
  ],
  [
    'createNwcWallet',
    [
      undefined,
      ...spoil(
        { url: `nostr+walletconnect://${pubkey}?relay=wss://a.example&secret=${pubkey}` },
        { url: [undefined, ...noTexts, '', 'x', 'nostr+walletconnect://x'], timeoutMs: [...noTimes, 0] },
      ),
    ],
    (given) => createNwcWallet(given),
  ],
];

const storeOptions = spoil({}, { maxEnded: noCounts });
const kyselyOptions = spoil({}, { agentId: [...noTexts, '', long, 'a\0b'] });
const noDatabases = [undefined, ...noObjects, {}];
const storeCalls: readonly WrongCall[] = [
  ['createMemoryJobStore', storeOptions, (given) => jobs.createMemoryJobStore(given)],
  ['createMemoryProviderStore', storeOptions, (given) => jobs.createMemoryProviderStore(given)],
  ['createMemoryPaymentStore', storeOptions, (given) => jobs.createMemoryPaymentStore(given)],
  ['the database of createKyselyJobStore', noDatabases, (given) => createKyselyJobStore(given)],
  ['the database of createKyselyPaymentStore', noDatabases, (given) => createKyselyPaymentStore(given)],
  ['the database of createKyselyProviderStore', noDatabases, (given) => createKyselyProviderStore(given)],
  ['createKyselyJobStore', kyselyOptions, (given) => createKyselyJobStore(databaseOfNobody(), given)],
  ['createKyselyPaymentStore', kyselyOptions, (given) => createKyselyPaymentStore(databaseOfNobody(), given)],
  [
    'createKyselyProviderStore',
    kyselyOptions,
    (given) => createKyselyProviderStore(databaseOfNobody(), given),
  ],
];

function databaseOfNobody() {
  return { selectFrom: () => {}, transaction: () => {} } as never;
}

const hirer = {
  requestJob: async () => {},
  get: async () => null,
  list: async () => {},
  payment: async () => null,
};
const mcpClient = {
  listTools: async () => ({ tools: [{ name: 'x', inputSchema: {} }] }),
  callTool: async () => ({}),
};
const [hire, get, list, cancel] = jobTools(hirer as never);
const { handler: _handler, kinds: _kinds, ...offering } = providerOptions;
const mcpCalls: readonly WrongCall[] = [
  ['the client of jobTools', [undefined, ...noObjects, {}], (given) => jobTools(given)],
  [
    'the options of jobTools',
    spoil(
      {},
      {
        maxBidMsat: noMsat,
        kinds: [...noLists, [], ...noKinds.map((kind) => [kind])],
        providers: [...noLists, ...noKeys.map((key) => [key])],
        waitMs: noTimes,
        maxContentBytes: [...noCounts, 0],
        scope: [...noTexts, '', 'a:b', 'a\0b', long],
        random: noObjects,
      },
    ),
    (given) => jobTools(hirer as never, given),
  ],
  [
    'hire_provider',
    [
      undefined,
      ...spoilRecord(
        { task: 'x' },
        {
          task: [...noTexts, ''],
          kind: noKinds,
          params: [5, { x: 5 }],
          max_price_msat: [1, ...noMsat],
          encrypted: noBooleans,
          idempotency_key: ['', 5, long],
          provider: noTexts,
          arguments: [5, 'x', []],
        },
      ),
    ],
    (given) => hire?.execute(given),
  ],
  [
    'get_job',
    [undefined, ...spoilRecord({ job_id: pubkey }, { job_id: [undefined, ...noIds] })],
    (given) => get?.execute(given),
  ],
  [
    'list_jobs',
    spoilRecord({}, { open: noBooleans, limit: [...noCounts, 0, 51] }),
    (given) => list?.execute(given),
  ],
  [
    'cancel_job',
    [undefined, ...spoilRecord({ job_id: pubkey }, { job_id: [undefined, ...noIds], reason: noTexts })],
    (given) => cancel?.execute(given),
  ],
  ['the server of registerJobTools', [undefined, ...noObjects, {}], (given) => registerJobTools(given, [])],
  [
    'the tools of registerJobTools',
    [undefined, ...noLists, [undefined], [null], [{}]],
    (given) => registerJobTools({ registerTool: () => {} }, given),
  ],
  [
    'the client of provideMcpServer',
    [undefined, ...noObjects, {}],
    (given) => provideMcpServer(given, { ...offering, kinds: [5_000] }),
  ],
  [
    'the options of provideMcpServer',
    [
      undefined,
      ...spoil(
        { ...offering, kinds: [5_000] },
        {
          ...wrongProviding,
          kinds: [undefined, null, 5, 'x', [], {}, { x: 1 }, { y: 5_000 }, ...noKinds.map((kind) => [kind])],
          pricing: [null, '5', -1, 0.5, Number.NaN, [], { x: -1 }, { y: 1 }, { x: '1' }, 10n, true],
          tools: [...noLists, [], [5], ['y'], [undefined]],
          name: noTexts,
          about: noTexts,
          timeoutMs: [...noTimes, 0],
          maxTimeoutMs: [...noTimes, 0],
          progressIntervalMs: noTimes,
          showToolErrors: noBooleans,
        },
      ),
    ],
    (given) => provideMcpServer(mcpClient, given),
  ],
  ['the request of toolArguments', [undefined, ...noObjects, {}], (given) => toolArguments(given, {})],
];

it.each([
  ['work and bids', workCalls, 'INVALID_INPUT'],
  ['the codec', codecCalls, 'INVALID_INPUT'],
  ['payments and files', paymentCalls, 'INVALID_INPUT INVALID_CONFIG PAYMENT_DECLINED REFERENCE_FORBIDDEN'],
  ['stores', storeCalls, 'INVALID_CONFIG'],
  ['MCP', mcpCalls, 'INVALID_INPUT INVALID_CONFIG'],
  [
    'createJobClient and createProvider',
    [
      ['createJobClient', wrongClientOptions, (given) => jobs.createJobClient(given)],
      ['createProvider', wrongProviderOptions, (given) => jobs.createProvider(given)],
    ],
    'INVALID_CONFIG',
  ],
] as const satisfies readonly (readonly [string, readonly WrongCall[], string])[])(
  'X-3 X-4 wrong input is refused with a code: %s',
  async (_part, calls, codes) => {
    expect(await unrefused(calls, ...codes.split(' '))).toEqual([]);
  },
);

it('X-3 X-4 a client and a provider refuse wrong input before anything is stored or sent', async () => {
  const at = await relay();
  const store = jobs.createMemoryJobStore();
  const one = await client([at.url], { store });
  const idle = jobs.createProvider({ ...providerOptions, transport: transport() });
  const calls: readonly WrongCall[] = [
    ['requestJob', wrongJobSpecs, (given) => one.requestJob(given)],
    [
      'the options of requestJob',
      spoil(
        {},
        {
          idempotencyKey: [...noTexts, '', 'a\0b', '\ud800', long],
          providerRelays: noRelays,
          accept: noObjects,
          signal: [...noObjects, {}],
        },
      ),
      (given) => one.requestJob(spec, given),
    ],
    ['get', [undefined, ...noTexts], (given) => one.get(given)],
    ['getByKey', [undefined, ...noTexts], (given) => one.getByKey(given)],
    [
      'list',
      spoil(
        {},
        {
          limit: [...noCounts, 0, 501],
          cursor: [5, 'x', {}],
          state: ['x', null],
          provider: noKeys,
          open: noBooleans,
        },
      ),
      (given) => one.list(given),
    ],
    ['payment', [undefined, ...noTexts], (given) => one.payment(given)],
    ['pay', [undefined, ...noTexts], (given) => one.pay(given)],
    ['the options of pay', spoil({}, { maxMsat: noMsat }), (given) => one.pay(pubkey, given)],
    ['claim', [undefined, ...noTexts], (given) => one.claim(given)],
    ['sendReceipt', [undefined, ...noTexts], (given) => one.sendReceipt(given, { outcome: 'success' })],
    [
      'the judgment of sendReceipt',
      [
        undefined,
        ...spoil(
          { outcome: 'success' },
          {
            outcome: [undefined, null, 'x', '__proto__'],
            difficulty: [Number.NaN, '1', null],
            evidence: noTexts,
          },
        ),
      ],
      (given) => one.sendReceipt(pubkey, given),
    ],
    [
      'prune',
      [undefined, ...spoil({ before: 1 }, { before: [undefined, ...noTimes] })],
      (given) => one.prune(given),
    ],
    ['quarantinedUntil', [undefined, ...noKeys], (given) => one.quarantinedUntil(given)],
    ['on', [undefined, ...noTexts, 'x', '__proto__', 'constructor'], (name) => one.on(name, () => {})],
    ['a listener', [undefined, ...noObjects, {}], (listener) => one.on('transition', listener)],
    ['on of a provider', [undefined, ...noTexts, 'x', '__proto__'], (name) => idle.on(name, () => {})],
    [
      'prune of a provider',
      [undefined, ...spoil({ before: 1 }, { before: [undefined, ...noTimes] })],
      (given) => idle.prune(given),
    ],
    [
      'the client of requestReplicated',
      [undefined, ...noObjects, {}],
      (given) =>
        jobs.requestReplicated(given, spec, { criticality: 'low', replicas: [{ provider: pubkey }] }),
    ],
    [
      'the work of requestReplicated',
      [undefined, ...noObjects, { kind: 5_000, bidMsat: '5' }],
      (given) => jobs.requestReplicated(one, given, { criticality: 'low', replicas: [{ provider: pubkey }] }),
    ],
    [
      'the options of requestReplicated',
      spoil(
        { criticality: 'low', replicas: [{ provider: pubkey }] },
        {
          criticality: [undefined, null, 'x', 5, '__proto__', 'constructor'],
          replicas: [
            ...[undefined, [], ...noLists, [undefined], [null]],
            ...spoilRecord(
              { provider: pubkey },
              { provider: [undefined, ...noKeys], providerRelays: noRelays },
            ).map((replica) => [replica]),
          ],
          isEquivalent: noObjects,
          isAcceptable: noObjects,
          deadlineAt: noTimes,
          budgetMsat: noMsat,
          idempotencyKey: [...noTexts, '', 'a\0b', long],
          signal: [...noObjects, {}],
          clock: noObjects,
          timers: [...noObjects, {}],
        },
      ),
      (given) => jobs.requestReplicated(one, { kind: 5_000 }, given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'INVALID_CONFIG')).toEqual([]);
  expect((await store.list()).items).toEqual([]);
  expect(at.events({ kinds: [5_000] })).toEqual([]);
});
