import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerFilters,
  buildFeedback,
  buildJobCancellation,
  buildJobRequest,
  buildJobResult,
  FEEDBACK_STATUSES,
  type JobRequestSpec,
  jobParam,
  parseFeedback,
  parseJobCancellation,
  parseJobRequest,
  parseJobResult,
} from '../src/codec/index.ts';

const customer = 'c'.repeat(64);
const provider = 'b'.repeat(64);
const npub = 'npub1hwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwasxw04hu';
const at = 1_700_000_000_000;

/** A template as though it had been signed; the codec looks at no signature. */
function signed(template: EventTemplate, pubkey = customer, id = 'a'.repeat(64)): NostrEvent {
  return { id, pubkey, sig: '0'.repeat(128), ...structuredClone(template) };
}

function read(spec: JobRequestSpec) {
  const parsed = parseJobRequest(signed(buildJobRequest(spec)));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.request;
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((value) => value.isWellFormed());
const relay = fc.webUrl({ validSchemes: ['wss'] }).filter((url) => !url.includes('@'));

const specs: fc.Arbitrary<JobRequestSpec> = fc.record(
  {
    kind: fc.integer({ min: 5000, max: 5999 }),
    createdAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
    provider: fc.constantFrom(provider, null),
    d: fc.option(text),
    inputs: fc.array(
      fc.record({
        data: text,
        type: fc.constantFrom('text', 'url', 'event', 'job'),
        relay: fc.option(relay, { nil: null }),
        marker: fc.option(text, { nil: null }),
      }),
      { maxLength: 4 },
    ),
    params: fc.dictionary(text, fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }), {
      maxKeys: 4,
    }),
    output: fc.option(fc.constantFrom('text/plain', 'application/json', 'image/png')),
    bidMsat: fc.option(fc.nat()),
    relays: fc.uniqueArray(relay, { maxLength: 3 }),
    topics: fc.array(text, { maxLength: 2 }),
    content: fc.string({ unit: 'grapheme' }),
  },
  { requiredKeys: ['kind', 'createdAt'] },
);

describe('requests', () => {
  it('JOB-2 are built with the tags in their order', () => {
    const template = buildJobRequest({
      kind: 5000,
      createdAt: at,
      topics: ['code'],
      relays: ['wss://one.example', 'wss://two.example'],
      bidMsat: 1000,
      output: 'json',
      outputSchema: { b: 1, a: [{ d: null, c: 'x' }] },
      params: { 'time-limit': 300, 'benchmark-type': 'standard', language: ['python', 'javascript'] },
      inputs: [
        { data: 'def f(): ...', marker: 'benchmark_spec' },
        { data: 'e'.repeat(64), type: 'job', relay: 'wss://one.example' },
      ],
      d: 'eval-1',
      provider: npub,
    });
    expect(template).toEqual({
      kind: 5000,
      created_at: 1_700_000_000,
      content: '',
      tags: [
        ['p', provider],
        ['d', 'eval-1'],
        ['i', 'def f(): ...', 'text', '', 'benchmark_spec'],
        ['i', 'e'.repeat(64), 'job', 'wss://one.example', ''],
        ['param', 'benchmark-type', 'standard'],
        ['param', 'language', 'python'],
        ['param', 'language', 'javascript'],
        ['param', 'time-limit', '300'],
        ['output', 'application/json', '{"a":[{"c":"x","d":null}],"b":1}'],
        ['bid', '1000'],
        ['relays', 'wss://one.example', 'wss://two.example'],
        ['t', 'code'],
      ],
    });
  });

  it('JOB-2 have the same bytes for the same specification, in whatever order it was written', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const backwards = Object.fromEntries(Object.entries(spec).reverse()) as unknown as JobRequestSpec;
        const params = Object.fromEntries(Object.entries(spec.params ?? {}).reverse());
        const again = spec.params ? { ...backwards, params } : backwards;
        expect(JSON.stringify(buildJobRequest(again))).toBe(JSON.stringify(buildJobRequest(spec)));
      }),
    );
  });

  it('JOB-2 are read as they were written', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const request = read(spec);
        expect(request).toMatchObject({
          kind: spec.kind,
          customer,
          createdAt: spec.createdAt,
          providers: spec.provider ? [spec.provider] : [],
          d: spec.d ?? null,
          inputs: spec.inputs ?? [],
          bidMsat: spec.bidMsat ?? null,
          relays: spec.relays ?? [],
          topics: spec.topics ?? [],
          content: spec.content ?? '',
          encryption: null,
          problems: [],
        });
        expect(request.output?.mime ?? null).toBe(spec.output ?? null);
        expect(new Map(Object.entries(request.params))).toEqual(new Map(Object.entries(spec.params ?? {})));
      }),
    );
  });

  it('JOB-2 read parameters that bear the names of object properties', () => {
    const request = read({
      kind: 5000,
      createdAt: at,
      params: JSON.parse('{"__proto__":"x","constructor":"y"}'),
    });
    expect(jobParam(request, '__proto__')).toBe('x');
    expect(jobParam(request, 'constructor')).toBe('y');
    expect(jobParam(request, 'toString')).toBeNull();
  });

  it('JOB-3 carry one input over 1,000 bytes in the content', () => {
    const large = 'é'.repeat(501);
    const template = buildJobRequest({
      kind: 5000,
      createdAt: at,
      inputs: [{ data: 'small' }, { data: large, marker: 'benchmark_spec' }, { data: 'x'.repeat(1000) }],
    });
    expect(template.content).toBe(large);
    expect(template.tags.map((tag) => tag.slice(0, 1).concat(tag.slice(2)))).toEqual([
      ['i', 'text'],
      ['content', 'benchmark_spec'],
      ['i', 'text'],
    ]);
    const parsed = parseJobRequest(signed(template));
    expect(parsed.ok && parsed.request).toMatchObject({
      content: '',
      inputs: [
        { data: 'small' },
        { data: large, type: 'text', relay: null, marker: 'benchmark_spec' },
        { data: 'x'.repeat(1000) },
      ],
    });
  });

  it('JOB-3 are refused when nothing can carry an input', () => {
    const data = 'x'.repeat(1001);
    const build = (spec: Partial<JobRequestSpec>) => () =>
      buildJobRequest({ kind: 5000, createdAt: at, ...spec });
    expect(build({ inputs: [{ data }, { data }] })).toThrow(
      expect.objectContaining({ code: 'INPUT_TOO_LARGE' }),
    );
    expect(build({ inputs: [{ data }], content: 'taken' })).toThrow(
      expect.objectContaining({ code: 'INPUT_TOO_LARGE' }),
    );
    expect(build({ inputs: [{ data, type: 'url' }] })).toThrow(
      expect.objectContaining({ code: 'INPUT_TOO_LARGE' }),
    );
    expect(build({ inputs: [{ data: 'x'.repeat(65_400) }] })).toThrow(
      expect.objectContaining({ code: 'REQUEST_TOO_LARGE' }),
    );
    expect(build({ inputs: [{ data: 'x'.repeat(64_000) }] })).not.toThrow();
  });

  it('JOB-3 put nothing over 1,000 bytes into a single-letter tag', () => {
    const lengths = fc.integer({ min: 1, max: 3000 });
    fc.assert(
      fc.property(lengths, fc.constantFrom('a', 'é', '日', '🙂'), (length, letter) => {
        const { tags } = buildJobRequest({
          kind: 5000,
          createdAt: at,
          inputs: [{ data: letter.repeat(length) }],
        });
        for (const [name, value] of tags) {
          if (name?.length === 1) expect(Buffer.byteLength(value ?? '')).toBeLessThanOrEqual(1000);
        }
      }),
    );
  });

  it('JOB-2 are refused with the field that is wrong', () => {
    const wrong: [object, RegExp][] = [
      [{ kind: 6000 }, /kind/],
      [{ provider: 'me' }, /provider/],
      [{ bidMsat: 1.5 }, /bidMsat/],
      [{ bidMsat: -1 }, /bidMsat/],
      [{ relays: ['https://one.example'] }, /relays/],
      [{ relays: ['wss://user:word@one.example'] }, /relays/],
      [{ inputs: [{ data: '' }] }, /inputs/],
      [{ topics: ['x'.repeat(1001)] }, /topics/],
      [{ createdAt: undefined }, /createdAt/],
    ];
    for (const [change, message] of wrong) {
      const spec = { kind: 5000, createdAt: at, ...change } as JobRequestSpec;
      expect(() => buildJobRequest(spec)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) }),
      );
    }
  });
});

describe('results and feedback', () => {
  const request = signed(
    buildJobRequest({ kind: 5100, createdAt: at, provider, inputs: [{ data: 'cat', marker: 'subject' }] }),
  );

  it('JOB-1 JOB-15 a result answers in the kind + 1000 with request, e, i, p, status and amount', () => {
    const template = buildJobResult({ request, content: 'meow', amountMsat: 1500, createdAt: at + 2500 });
    expect(template).toEqual({
      kind: 6100,
      created_at: 1_700_000_002,
      content: 'meow',
      tags: [
        ['request', expect.any(String)],
        ['e', request.id],
        ['i', 'cat', 'text', '', 'subject'],
        ['p', customer],
        ['status', 'success'],
        ['amount', '1500'],
      ],
    });
    expect(JSON.parse(template.tags[0]?.[1] ?? '')).toEqual(request);
  });

  it('JOB-15 a result leaves out a request that is too long to repeat', () => {
    const long = signed(buildJobRequest({ kind: 5100, createdAt: at, inputs: [{ data: 'x'.repeat(5000) }] }));
    expect(buildJobResult({ request: long, content: '', createdAt: at }).tags.map(([name]) => name)).toEqual([
      'e',
      'p',
      'status',
    ]);
  });

  it('JOB-1 a result is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('success' as const, 'partial' as const),
        fc.option(fc.nat()),
        (content, status, amountMsat) => {
          const template = buildJobResult({
            request,
            content,
            status,
            amountMsat,
            createdAt: at,
            relayHint: 'wss://one.example',
          });
          const parsed = parseJobResult(signed(template, provider));
          expect(parsed).toMatchObject({
            ok: true,
            result: {
              provider,
              kind: 6100,
              requestId: request.id,
              repeatedRequestId: request.id,
              customer,
              status,
              content,
              amountMsat,
              inputs: [{ data: 'cat', type: 'text', relay: null, marker: 'subject' }],
              problems: [],
            },
          });
        },
      ),
    );
  });

  it('JOB-10 feedback is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FEEDBACK_STATUSES),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.option(fc.nat()),
        (status, info, content, amountMsat) => {
          const template = buildFeedback({ request, status, info, content, amountMsat, createdAt: at });
          const parsed = parseFeedback(signed(template, provider));
          expect(template.kind).toBe(7000);
          expect(parsed).toMatchObject({
            ok: true,
            feedback: {
              provider,
              requestId: request.id,
              customer,
              status,
              info,
              content,
              amountMsat,
              problems: [],
            },
          });
        },
      ),
    );
  });

  it('JOB-10 reads statuses and amounts of other dialects', () => {
    const feedback = (...tags: string[][]) => {
      const parsed = parseFeedback(signed({ kind: 7000, created_at: 1, tags, content: '' }));
      return parsed.ok ? parsed.feedback : parsed.reason;
    };
    expect(feedback(['status', 'Payment_Required'])).toMatchObject({
      status: 'payment-required',
      amountMsat: null,
    });
    expect(feedback(['status', 'chain-scheduled', 'soon'])).toMatchObject({
      status: 'chain-scheduled',
      info: 'soon',
    });
    expect(feedback(['status', 'x'], ['amount', '21', 'sats'])).toMatchObject({ amountMsat: 21_000 });
    expect(feedback(['status', 'x'], ['amount', '1 000'], ['invoice', 'lnbc1xyz'])).toMatchObject({
      amountMsat: 1000,
      bolt11: 'lnbc1xyz',
    });
    for (const amount of ['1e3', '-5', '1.5', '0x10', '9007199254740993', '99999999999999999999', '']) {
      expect(feedback(['status', 'x'], ['amount', amount])).toMatchObject({
        amountMsat: null,
        problems: [expect.stringContaining('amount')],
      });
    }
    expect(feedback(['e', request.id])).toBe('no-status');
    expect(feedback(['encrypted'])).toMatchObject({ status: '', encryption: 'unknown' });
  });

  it('JOB-1 nothing answers what is no request, and no amount is a fraction', () => {
    const broken = { code: 'INVALID_INPUT' };
    expect(() => buildJobResult({ request: { ...request, kind: 1 }, content: '', createdAt: at })).toThrow(
      expect.objectContaining(broken),
    );
    expect(() => buildJobResult({ request, content: '', amountMsat: 0.5, createdAt: at })).toThrow(
      expect.objectContaining(broken),
    );
    expect(() => buildFeedback({ request, status: 'done' as 'success', createdAt: at })).toThrow(
      expect.objectContaining(broken),
    );
  });

  it('JOB-12 a cancellation names request, kind and provider', () => {
    const template = buildJobCancellation({ request, provider, reason: 'too late', createdAt: at });
    expect(template).toMatchObject({
      kind: 5,
      content: 'too late',
      tags: [
        ['e', request.id],
        ['k', '5100'],
        ['p', provider],
      ],
    });
    expect(parseJobCancellation(signed(template))).toEqual({
      customer,
      requestIds: [request.id],
      reason: 'too late',
    });
    expect(parseJobCancellation(request)).toBeNull();
  });
});

describe('whatever a stranger sends', () => {
  const parsers = { parseJobRequest, parseJobResult, parseFeedback };
  const kinds = fc.oneof(fc.integer({ min: 4990, max: 7010 }), fc.double(), fc.anything());
  const tagNames = fc.constantFrom(
    'i',
    'param',
    'output',
    'bid',
    'relays',
    'p',
    'd',
    'e',
    'status',
    'amount',
    'invoice',
    'request',
    'encrypted',
    'content',
    'expiration',
    'wss://x.y',
  );
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      ' ',
      'lnbc1',
      'sats',
      'a@b.c',
      'wss://',
      'wss://x.y',
      'null',
      '{}',
      '[]',
      '1'.repeat(400),
      'f'.repeat(64),
      '\u0000',
      '\ud800',
    ),
    fc.json(),
  );
  const events = fc.record(
    {
      id: fc.oneof(fc.constant('a'.repeat(64)), fc.anything()),
      pubkey: fc.oneof(fc.constant(customer), fc.anything()),
      created_at: fc.oneof(fc.nat(), fc.anything()),
      kind: kinds,
      tags: fc.oneof(
        fc.array(
          fc
            .tuple(tagNames, values, values, values, values)
            .chain((tag) => fc.subarray(tag, { minLength: 1 })),
        ),
        fc.anything(),
      ),
      content: fc.oneof(values, fc.anything()),
      sig: fc.oneof(fc.constant('0'.repeat(128)), fc.anything()),
    },
    { requiredKeys: [] },
  );
  const plausible = fc.record({
    id: fc.constant('a'.repeat(64)),
    pubkey: fc.constant(customer),
    created_at: fc.nat(),
    kind: fc.constantFrom(5000, 5999, 6000, 6999, 7000, 5),
    tags: fc.array(
      fc.tuple(tagNames, values, values, values, values).chain((tag) => fc.subarray(tag, { minLength: 1 })),
    ),
    content: values,
    sig: fc.constant('0'.repeat(128)),
  });

  it('JOB-16 JOB-1 is read or refused with a reason, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(plausible, events, fc.anything()), (event) => {
        for (const parse of Object.values(parsers)) {
          const parsed = parse(event);
          if (!parsed.ok)
            expect(parsed).toMatchObject({
              reason: expect.stringMatching(/^[a-z-]+$/),
              message: expect.stringMatching(/./),
            });
        }
        parseJobCancellation(event);
      }),
      { numRuns: 1000 },
    );
  });

  it('JOB-16 may throw when it is looked at', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
      },
    );
    for (const parse of Object.values(parsers))
      expect(parse(trap)).toMatchObject({ ok: false, reason: 'malformed-event' });
  });

  it('JOB-16 is bounded in what it makes us read', () => {
    const event = signed({ kind: 7000, created_at: 1, tags: [['status', 'partial']], content: '' });
    expect(parseFeedback({ ...event, content: 'x'.repeat(600_000) })).toMatchObject({
      ok: false,
      reason: 'malformed-event',
    });
    expect(parseFeedback({ ...event, tags: Array.from({ length: 3000 }, () => ['x']) })).toMatchObject({
      ok: false,
    });
    const many = Array.from({ length: 100 }, (_, number) => `wss://relay${number}.example`);
    const parsed = parseJobRequest(
      signed({ kind: 5000, created_at: 1, tags: [['relays', ...many]], content: '' }),
    );
    expect(parsed.ok && parsed.request.relays).toHaveLength(20);
    expect(parsed.ok && parsed.request.problems.length).toBe(1);
  });
});

it('JOB-9 answers are asked for by request and provider, a few hundred at a time', () => {
  const requests = Array.from({ length: 450 }, (_, number) => ({
    id: number.toString(16).padStart(64, '0'),
    kind: 5000 + (number % 2),
    provider: number % 3 === 0 ? null : provider,
  }));
  const filters = answerFilters(requests);
  expect(filters).toHaveLength(6);
  const asked = filters.flatMap((filter) => filter['#e'] ?? []);
  expect(new Set(asked)).toEqual(new Set(requests.map(({ id }) => id)));
  expect(asked).toHaveLength(450);
  expect(filters[0]).toMatchObject({ authors: [provider] });
  expect(filters[1]).toMatchObject({ kinds: [7000, 6000, 6001] });
});
