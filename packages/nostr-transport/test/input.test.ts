import {
  noBooleans,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import * as nostr from '../src/index.ts';

const key = 'a'.repeat(64);
const signer = nostr.createKeySigner('1'.repeat(64));
const verifier = nostr.createPureVerifier();
const signed = await signer.signEvent({ kind: 1, created_at: 1, tags: [], content: 'x' });
const noLists = [null, 5, 'x', {}, true];
const noTextLists = [...noLists, ...noTexts.map((text) => [text]), [undefined], Array(1)];
const noTagLists = [...noLists, ...noTextLists.map((tag) => [tag])];
const noAmounts = [null, '5', 10n, {}, [], Number.NaN, -1];
const noFunctions = [...noObjects, {}];
const noPorts = [undefined, ...noObjects, {}];
const noFilters = [
  ...noObjects,
  ...spoilRecord(
    { kinds: [1] },
    {
      kinds: [...noLists, [-1], ['1'], Array(1)],
      ids: [...noLists, ['x']],
      since: [null, '1', -1, 0.5, 10n],
      limit: ['1', -1],
      '#e': [...noLists, [5]],
    },
  ),
  { misspelt: 1 },
];
const noFilterLists = [undefined, ...noLists, [], ...noFilters.map((filter) => [filter])];
const addresses = {
  allowLoopback: noBooleans,
  allowHosts: noTextLists,
  resolve: noFunctions,
};
const noWaiting = { signal: [...noObjects, {}], timeoutMs: noAmounts };
const noKnown = [...noLists, [null], [{ id: 5, created_at: 1 }], [{ id: key, created_at: '1' }]];

it('X-3 X-4 createTransport refuses wrong and unknown options with INVALID_CONFIG', async () => {
  const wrongOptions = spoil(
    {},
    {
      addresses: spoil({}, addresses),
      verifier: noPorts.slice(1),
      auth: spoil(
        { signer, allow: [] },
        { signer: noPorts, allow: [undefined, ...noTextLists, [''], ['http://x']] },
      ),
      connect: noFunctions,
      relayInfo: [...noFunctions, true],
      limits: spoil({}, { maxConnections: noAmounts, pageSize: noAmounts, maxTags: noAmounts }),
      overlap: spoil({}, { defaultMs: noAmounts, kinds: [...noObjects, { 1: '5' }, { 1: -1 }] }),
      backoff: spoil({}, { minMs: noAmounts, stableMs: noAmounts }),
      logger: [...noFunctions, { log() {} }],
      clock: noFunctions,
      random: noFunctions,
    },
  );
  const calls: readonly WrongCall[] = [
    ['createTransport', wrongOptions, (given) => nostr.createTransport(given)],
    ['createAddressGuard', spoil({}, addresses), (given) => nostr.createAddressGuard(given)],
  ];
  expect(await unrefused(calls, 'INVALID_CONFIG')).toEqual([]);
});

it('X-3 X-4 a transport refuses wrong input with a code before it connects', async () => {
  await using transport = nostr.createTransport();
  const relays = ['wss://a.example'];
  const filters = [{ kinds: [1] }];
  const noRelays = [undefined, ...noTextLists];
  const onEvent = () => {};
  const calls: readonly WrongCall[] = [
    ['the relays of subscribe', noRelays, (given) => transport.subscribe(given, filters, { onEvent })],
    ['the filters of subscribe', noFilterLists, (given) => transport.subscribe(relays, given, { onEvent })],
    [
      'the handlers of subscribe',
      [
        undefined,
        ...spoil(
          { onEvent },
          {
            onEvent: [undefined, ...noFunctions],
            onEose: noFunctions,
            onRejected: noFunctions,
            onCut: noFunctions,
            onClosed: noFunctions,
            signal: [...noObjects, {}],
            watermarks: noPorts.slice(1),
          },
        ),
      ],
      (given) => transport.subscribe(relays, filters, given),
    ],
    ['the relays of query', noRelays, (given) => transport.query(given, filters)],
    ['the filters of query', noFilterLists, (given) => transport.query(relays, given)],
    [
      'the options of query',
      spoil(
        {},
        {
          ...noWaiting,
          graceMs: noAmounts,
          onRejected: noFunctions,
          onRelayResult: noFunctions,
          known: noKnown,
        },
      ),
      (given) => transport.query(relays, filters, given),
    ],
    ['the relay of reconcile', [undefined, ...noTexts], (given) => transport.reconcile(given, {}, [])],
    [
      'the filter of reconcile',
      [undefined, ...noFilters],
      (given) => transport.reconcile('wss://a.example', given, []),
    ],
    [
      'the events of reconcile',
      [undefined, ...noKnown],
      (given) => transport.reconcile('wss://a.example', {}, given),
    ],
    [
      'the options of reconcile',
      spoil({}, noWaiting),
      (given) => transport.reconcile('wss://a.example', {}, [], given),
    ],
    [
      'the event of publish',
      [
        undefined,
        ...spoilRecord(signed, {
          id: [undefined, ...noTexts],
          tags: noTagLists,
          content: noTexts,
          kind: noAmounts,
        }),
      ],
      (given) => transport.publish(given, relays),
    ],
    ['the relays of publish', noRelays, (given) => transport.publish(signed, given)],
    ['the options of publish', spoil({}, noWaiting), (given) => transport.publish(signed, relays, given)],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT')).toEqual([]);
  expect(transport.status()).toEqual([]);
});

it('X-3 X-4 signers and secret keys refuse wrong input with a code', async () => {
  const transport = { subscribe: () => ({ close() {} }), publish: async () => [] };
  const uri = `bunker://${key}?relay=wss://a.example`;
  const noTemplates = [
    undefined,
    ...spoilRecord(
      { kind: 1, created_at: 1, tags: [], content: 'x' },
      {
        kind: [undefined, ...noAmounts],
        created_at: [undefined, ...noAmounts],
        tags: [undefined, ...noTagLists],
        content: [undefined, ...noTexts],
      },
    ),
  ];
  const noKeys = [undefined, ...noTexts, '', 'x'];
  const calls: readonly WrongCall[] = [
    ['createKeySigner', [...noKeys, new Uint8Array(5)], (given) => nostr.createKeySigner(given)],
    [
      'the options of createKeySigner',
      spoil({}, { library: [...noObjects, {}] }),
      (given) => nostr.createKeySigner('1'.repeat(64), given),
    ],
    ['SecretKey.from', [...noKeys, new Uint8Array(5)], (given) => nostr.SecretKey.from(given)],
    [
      'loadSecretKey',
      [undefined, ...spoil({}, { env: noTexts, file: [...noTexts, '/'], environment: noObjects })],
      (given) => nostr.loadSecretKey(given),
    ],
    ['signEvent', noTemplates, (given) => signer.signEvent(given)],
    ['the recipient of nip44Encrypt', noKeys, (given) => signer.nip44Encrypt(given, 'x')],
    [
      'the text of nip44Encrypt',
      [undefined, ...noTexts],
      (given) => signer.nip44Encrypt(signed.pubkey, given),
    ],
    ['the sender of nip44Decrypt', noKeys, (given) => signer.nip44Decrypt(given, 'x')],
    [
      'the text of nip44Decrypt',
      [undefined, ...noTexts, '', 'x'],
      (given) => signer.nip44Decrypt(signed.pubkey, given),
    ],
    [
      'createBunkerSigner',
      [
        undefined,
        ...spoil(
          { uri, transport },
          {
            uri: [undefined, ...noTexts, '', 'x', 'bunker://x'],
            transport: noPorts,
            client: noPorts.slice(1),
            permissions: noTextLists,
            onAuthUrl: noFunctions,
            timeoutMs: [0, ...noAmounts],
            verifier: noPorts.slice(1),
            clock: noFunctions,
            logger: noFunctions,
          },
        ),
      ],
      (given) => nostr.createBunkerSigner(given),
    ],
  ];
  expect(
    await unrefused(
      calls,
      ...[
        'INVALID_INPUT',
        'INVALID_CONFIG',
        'SECRET_KEY_INVALID',
        'SECRET_KEY_MISSING',
        'SECRET_FILE_UNSAFE',
      ],
    ),
  ).toEqual([]);
});

it('X-3 X-4 private messages refuse wrong input with a code', async () => {
  const transport = { query: async () => [], publish: async () => [], subscribe: () => ({ close() {} }) };
  const sending = { transport, signer, recipient: key, content: 'x', inboxRelays: [] };
  const receiving = { transport, signer, relays: [], onMessage: () => {} };
  const calls: readonly WrongCall[] = [
    [
      'sendPrivate',
      [
        undefined,
        ...spoil(sending, {
          transport: noPorts,
          signer: noPorts,
          recipient: [undefined, ...noTexts, 'x'],
          content: [undefined, ...noTexts],
          kind: noAmounts,
          tags: noTagLists,
          relays: noTextLists,
          inboxRelays: noTextLists,
          timeoutMs: noAmounts,
          signal: [...noObjects, {}],
          clock: noFunctions,
          random: noFunctions,
        }),
      ],
      (given) => nostr.sendPrivate(given),
    ],
    [
      'receivePrivate',
      [
        undefined,
        ...spoil(receiving, {
          transport: noPorts,
          signer: noPorts,
          relays: [undefined, ...noTextLists],
          onMessage: [undefined, ...noFunctions],
          onRejected: noFunctions,
          onEose: noFunctions,
          since: noAmounts,
          watermarks: noPorts.slice(1),
          verifier: noPorts.slice(1),
          signal: [...noObjects, {}],
          clock: noFunctions,
        }),
      ],
      (given) => nostr.receivePrivate(given),
    ],
    [
      'buildInboxRelayList',
      [undefined, ...noTextLists, ['']],
      (given) => nostr.buildInboxRelayList(given, 1),
    ],
    [
      'the time of buildInboxRelayList',
      [undefined, ...noAmounts],
      (given) => nostr.buildInboxRelayList([], given),
    ],
    [
      'the transport of findInboxRelays',
      noPorts,
      (given) => nostr.findInboxRelays(given, key, [], { timeoutMs: 1 }),
    ],
    [
      'the key of findInboxRelays',
      [undefined, ...noTexts],
      (given) => nostr.findInboxRelays(transport, given, [], { timeoutMs: 1 }),
    ],
    [
      'the relays of findInboxRelays',
      [undefined, ...noTextLists],
      (given) => nostr.findInboxRelays(transport, key, given, { timeoutMs: 1 }),
    ],
    [
      'the options of findInboxRelays',
      [undefined, ...spoil({ timeoutMs: 1 }, noWaiting)],
      (given) => nostr.findInboxRelays(transport, key, [], given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT')).toEqual([]);
});

it('X-3 X-4 pure functions and verifiers refuse wrong input with a code', async () => {
  const thread = { on: () => {}, postMessage: () => {} };
  const calls: readonly WrongCall[] = [
    ['normalizeRelayUrl', [undefined, ...noTexts, ''], (given) => nostr.normalizeRelayUrl(given)],
    [
      'the policy of assessRelayUrl',
      [null, { allowHosts: 'x' }],
      (given) => nostr.assessRelayUrl('wss://a.example', given),
    ],
    ['assessAddress', [undefined, ...noTexts], (given) => nostr.assessAddress(given)],
    ['relayHosts', [undefined, ...noTextLists], (given) => nostr.relayHosts(given)],
    [
      'filterKey',
      [undefined, ...noObjects, { ids: null }, { ids: [Symbol('x')] }, { since: 10n }],
      (given) => nostr.filterKey(given),
    ],
    [
      'the filter of matchesFilter',
      [undefined, ...noObjects, { ids: 5 }, { '#e': 'x' }],
      (given) => nostr.matchesFilter(given, signed),
    ],
    [
      'the event of matchesFilter',
      [undefined, ...noObjects, {}, { tags: [null] }],
      (given) => nostr.matchesFilter({ '#e': ['x'] }, given),
    ],
    [
      'eventId',
      [undefined, ...spoilRecord(signed, { tags: noTagLists, created_at: noAmounts, content: noTexts })],
      (given) => nostr.eventId(given),
    ],
    ['isExpired', [undefined, ...noObjects, {}, { tags: [null] }], (given) => nostr.isExpired(given, 1)],
    ['the time of isExpired', [undefined, ...noAmounts], (given) => nostr.isExpired(signed, given)],
    [
      'the cause of reconnectDelayMs',
      [undefined, ...noTexts, 'x', '__proto__'],
      (given) => nostr.reconnectDelayMs(given, 1, 0),
    ],
    [
      'the failures of reconnectDelayMs',
      [undefined, ...noAmounts],
      (given) => nostr.reconnectDelayMs('dns', given, 0),
    ],
    ['createTinySecpVerifier', noPorts, (given) => nostr.createTinySecpVerifier(given)],
    ['createNostrWasmVerifier', noPorts, (given) => nostr.createNostrWasmVerifier(given)],
    ['selectVerifier', [undefined, ...noObjects, {}], (given) => nostr.selectVerifier(given)],
    ['the port of serveVerifier', noPorts, (given) => nostr.serveVerifier(given, verifier)],
    ['the verifier of serveVerifier', noPorts, (given) => nostr.serveVerifier(thread, given)],
    [
      'createThreadedVerifier',
      [
        undefined,
        ...spoil(
          { verifier, thread },
          { verifier: noPorts, thread: noPorts, answerWithinMs: [0, ...noAmounts] },
        ),
      ],
      (given) => nostr.createThreadedVerifier(given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'INVALID_CONFIG')).toEqual([]);
});

it('X-3 values that cannot be read are no events and no addresses', () => {
  const unreadable = Object.defineProperty({ ...signed }, 'tags', {
    get() {
      throw new Error('this property throws');
    },
  });
  expect(nostr.checkEventShape(unreadable)).toEqual({ ok: false, fault: 'malformed' });
  expect(verifier.verify(unreadable)).toBe(false);
  for (const given of noTexts) expect(nostr.assessRelayUrl(given as never)).toMatchObject({ ok: false });
});
