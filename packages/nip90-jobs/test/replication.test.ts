import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonicalContent, consensus, requestReplicated } from '../src/index.ts';
import { client, eventually, person, provider, relay, sentTo } from './world.ts';

const secrets = ['51', '52', '53', '54', '55'].map((pair) => pair.repeat(32));
const spec = { kind: 5000, inputs: [{ data: 'x' }] };

describe('answers', () => {
  it('JOB-13 are the same when only their form differs', () => {
    expect(canonicalContent(' { "b": [1, 2], "a": "x" }\n')).toBe(canonicalContent('{"a":"x","b":[1,2]}'));
    expect(canonicalContent('def f():\r\n  pass  \r\n\n')).toBe(canonicalContent('def f():\n  pass'));
    expect(canonicalContent('e\u0301')).toBe(canonicalContent('é'));
    for (const [a, b] of [
      ['{"a":[1,2]}', '{"a":[2,1]}'],
      ['f():\n  x', 'f():\n x'],
      ['1.0', '1'],
    ] as const)
      expect(canonicalContent(a)).not.toBe(canonicalContent(b));
  });

  it('JOB-13 agree in whatever order they come, or not at all, and never two ways', () => {
    const voters = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 0 });
    fc.assert(
      fc.property(
        voters,
        fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 5, maxLength: 5 }),
        (order, says) => {
          const votes = order.map((one) => ({ provider: one, content: says[one.charCodeAt(0) - 97] ?? '' }));
          const state = consensus(votes, { needed: 3, pending: 5 - votes.length });
          const counts = ['x', 'y', 'z'].map((one) => votes.filter(({ content }) => content === one).length);
          const most = Math.max(...counts);
          expect(state.outcome).toBe(
            most >= 3 ? 'agreed' : most + 5 - votes.length >= 3 ? 'open' : 'impossible',
          );
          if (state.outcome !== 'agreed') return;
          expect([...state.agreed, ...state.dissented].toSorted()).toEqual(order.toSorted());
          expect(counts['xyz'.indexOf(state.content)]).toBeGreaterThanOrEqual(3);
        },
      ),
    );
  });

  it('JOB-13 agree as the caller says', () => {
    const votes = [
      { provider: 'a', content: '1.001' },
      { provider: 'b', content: '1.002' },
    ];
    const isEquivalent = (a: string, b: string) => Math.abs(Number(a) - Number(b)) < 0.01;
    expect(consensus(votes, { needed: 2, pending: 0, isEquivalent })).toMatchObject({ outcome: 'agreed' });
    expect(consensus(votes, { needed: 2, pending: 0 })).toEqual({ outcome: 'impossible' });
  });
});

describe('replicated work', () => {
  /** One provider per answer; a function is a handler. */
  const world = async (says: readonly (string | ((signal: AbortSignal) => string | Promise<string>))[]) => {
    const at = await relay();
    const people = await Promise.all(secrets.slice(0, says.length).map(person));
    for (const [number, { signer }] of people.entries()) {
      const say = says[number] ?? '';
      await provider([at.url], (_, { signal }) => (typeof say === 'string' ? say : say(signal)), { signer });
    }
    const asking = await client([at.url]);
    const replicas = people.map(({ pubkey }) => ({ provider: pubkey }));
    return { at, asking, replicas, keys: people.map(({ pubkey }) => pubkey) };
  };
  const never = (signal: AbortSignal) =>
    new Promise<string>((_, reject) => signal.addEventListener('abort', reject));
  const fails = () => {
    throw new Error('no');
  };

  it('JOB-13 low is done by one', async () => {
    const { at, asking, replicas, keys } = await world(['a', 'b']);
    const done = await requestReplicated(asking, spec, { criticality: 'low', replicas });
    expect(done).toMatchObject({ content: 'a', agreed: [keys[0]], dissented: [], failed: [], cancelled: [] });
    expect(new Set(sentTo(at, 5000)).size).toBe(1);
  });

  it('JOB-13 medium takes the first success and cancels the other', async () => {
    const { at, asking, replicas, keys } = await world([never, 'b']);
    const done = await requestReplicated(asking, spec, { criticality: 'medium', replicas });
    expect(done).toMatchObject({ content: 'b', agreed: [keys[1]], cancelled: [keys[0]] });
    await eventually(() => expect(at.events({ kinds: [5] })).toHaveLength(1));
    const { asking: other, replicas: two } = await world([fails, 'b']);
    expect(await requestReplicated(other, spec, { criticality: 'medium', replicas: two })).toMatchObject({
      content: 'b',
    });
  });

  it('JOB-13 high takes a majority and names who disagreed', async () => {
    const { asking, replicas, keys } = await world(['{"a": 1, "b": 2}', 'wrong', '{"b":2,"a":1}']);
    const done = await requestReplicated(asking, spec, { criticality: 'high', replicas });
    expect(done.agreed.toSorted()).toEqual([keys[0], keys[2]].toSorted());
    expect([...done.dissented, ...done.cancelled]).toEqual([keys[1]]);
    expect(done.results).toHaveLength(2);
  });

  it('JOB-13 JOB-16 critical stands two who lie together, one of them slow', async () => {
    const release = Promise.withResolvers<string>();
    const { asking, replicas, keys } = await world(['lie', 'true', 'true', 'lie', () => release.promise]);
    const done = requestReplicated(asking, spec, { criticality: 'critical', replicas });
    await eventually(async () => expect((await asking.list({ state: 'completed' })).items).toHaveLength(4));
    release.resolve('true');
    expect(await done).toMatchObject({ content: 'true', failed: [], cancelled: [] });
    expect((await done).dissented.toSorted()).toEqual([keys[0], keys[3]].toSorted());
  });

  it('JOB-13 critical ends early when three agree, whatever the others would say', async () => {
    const { at, asking, replicas, keys } = await world(['true', never, 'true', never, 'true']);
    const done = await requestReplicated(asking, spec, { criticality: 'critical', replicas });
    expect(done.cancelled.toSorted()).toEqual([keys[1], keys[3]].toSorted());
    await eventually(() => expect(at.events({ kinds: [5] })).toHaveLength(2));
    expect((await asking.list({ open: true })).items).toEqual([]);
  });

  it('JOB-13 ends as soon as no agreement is possible, and says who answered and who did not', async () => {
    const { asking, replicas, keys } = await world(['a', 'b', fails, 'c', never]);
    const ended = requestReplicated(asking, spec, { criticality: 'critical', replicas });
    await expect(ended).rejects.toMatchObject({
      code: 'NO_CONSENSUS',
      report: { agreed: [], failed: [{ provider: keys[2] }], cancelled: [keys[4]] },
    });
  });

  it('JOB-13 AGT-4 asks nobody twice when it is asked for again', async () => {
    const { at, asking, replicas } = await world(['a', 'a', 'a']);
    const options = { criticality: 'high', replicas, idempotencyKey: 'k' } as const;
    await requestReplicated(asking, spec, options);
    expect(await requestReplicated(asking, spec, options)).toMatchObject({ content: 'a' });
    expect(new Set(sentTo(at, 5000)).size).toBe(3);
  });

  it('JOB-13 needs as many different providers as it asks for', async () => {
    const requestJob = vi.fn();
    const unused = { requestJob, getByKey: vi.fn(), payment: vi.fn() };
    const [one] = await Promise.all(secrets.slice(0, 1).map(person));
    const same = { provider: one?.pubkey ?? '' };
    await expect(
      requestReplicated(unused, spec, { criticality: 'medium', replicas: [same, same] }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(requestJob).not.toHaveBeenCalled();
  });

  it('JOB-13 X-8 cancels all of them', async () => {
    const { at, asking, replicas } = await world([never, never, never]);
    const stop = new AbortController();
    const done = requestReplicated(asking, spec, { criticality: 'high', replicas, signal: stop.signal });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(3));
    stop.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
    await eventually(() => expect(at.events({ kinds: [5] })).toHaveLength(3));
  });
});
