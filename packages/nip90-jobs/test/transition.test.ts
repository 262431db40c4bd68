import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinal, JOB_STATES, type JobState } from '../src/job.ts';
import { sampleEvent, sampleId, sampleJob } from '../src/testing/samples.ts';
import { advance, type JobEvent, transition } from '../src/transition.ts';

const at = 1_700_000_001_000;
const eventId = sampleId(20);

const events: JobEvent[] = [
  { type: 'sending', at },
  { type: 'accepted', at, relays: ['wss://one.example'] },
  { type: 'processing', at, eventId },
  { type: 'success', at, eventId },
  { type: 'partial', at, eventId },
  { type: 'other', at, eventId },
  { type: 'payment-required', at, eventId },
  { type: 'paid', at },
  { type: 'failed', at, reason: 'provider-error', message: 'no', eventId },
  { type: 'result', at, event: sampleEvent(21, { kind: 6000 }), recovered: false },
  { type: 'timeout', at, timeoutClass: 'silence', message: 'quiet' },
  { type: 'cancelled', at, message: '' },
];

const finalStates: readonly JobState[] = JOB_STATES.filter((state) => isFinal(state));
const openState = fc.constantFrom(...JOB_STATES.filter((state) => !isFinal(state)));
const anyEvent = fc.constantFrom(...events);

/** The whole machine: which states follow which. */
const follows: Record<JobState, readonly JobState[]> = {
  built: [
    'delivering',
    'delivered',
    'payment-required',
    'processing',
    'partial',
    'completed',
    'failed',
    'timed_out',
    'cancelled',
  ],
  delivering: [
    'delivered',
    'payment-required',
    'processing',
    'partial',
    'completed',
    'failed',
    'timed_out',
    'cancelled',
  ],
  delivered: ['payment-required', 'processing', 'partial', 'completed', 'failed', 'timed_out', 'cancelled'],
  'payment-required': ['paid', 'processing', 'partial', 'completed', 'failed', 'timed_out', 'cancelled'],
  paid: ['processing', 'partial', 'completed', 'failed', 'timed_out', 'cancelled'],
  processing: ['payment-required', 'partial', 'completed', 'failed', 'timed_out', 'cancelled'],
  partial: ['payment-required', 'completed', 'failed', 'timed_out', 'cancelled'],
  completed: [],
  failed: [],
  timed_out: [],
  cancelled: [],
};

describe('the states of a job', () => {
  it('JOB-6 follow each other as drawn, for every state and every event', () => {
    const reached = Object.fromEntries(JOB_STATES.map((state) => [state, new Set<JobState>()]));
    for (const state of JOB_STATES) {
      for (const event of events) {
        const next = transition(state, event);
        if (next !== state) reached[state]?.add(next);
      }
    }
    const drawn = Object.fromEntries(Object.entries(follows).map(([state, next]) => [state, new Set(next)]));
    expect(reached).toEqual(drawn);
  });

  it('JOB-6 go the ordinary way', () => {
    const way: [JobEvent['type'], JobState][] = [
      ['sending', 'delivering'],
      ['accepted', 'delivered'],
      ['payment-required', 'payment-required'],
      ['paid', 'paid'],
      ['processing', 'processing'],
      ['partial', 'partial'],
      ['partial', 'partial'],
      ['success', 'partial'],
      ['result', 'completed'],
    ];
    let state: JobState = 'built';
    for (const [type, expected] of way) {
      state = transition(state, { type });
      expect(state).toBe(expected);
    }
  });

  it('JOB-6 that are final are never left', () => {
    fc.assert(
      fc.property(fc.constantFrom(...finalStates), fc.array(anyEvent), (state, happened) => {
        expect(happened.reduce((reached, event) => transition(reached, event), state)).toBe(state);
      }),
    );
  });

  it('JOB-6 end the same whatever order and repetition relays give feedback and result', () => {
    const told = events.filter(({ type }) =>
      ['processing', 'partial', 'success', 'other', 'accepted'].includes(type),
    );
    const result = events.find(({ type }) => type === 'result');
    fc.assert(
      fc.property(fc.shuffledSubarray([...told, ...told]), (happened) => {
        let state: JobState = 'delivering';
        for (const event of happened) state = transition(state, event);
        expect(transition(state, result ?? { type: 'result' })).toBe('completed');
      }),
    );
  });
});

describe('a job', () => {
  it('JOB-6 notes what happened and when', () => {
    const built = sampleJob(10);
    const accepted = advance(built, { type: 'accepted', at, relays: ['wss://one.example'] });
    expect(accepted.job).toEqual({
      ...built,
      state: 'delivered',
      revision: 2,
      deliveredAt: at,
      deliveredTo: ['wss://one.example'],
    });
    expect(accepted.transition).toEqual({
      jobId: built.jobId,
      from: 'built',
      to: 'delivered',
      at,
      eventId: null,
    });
    const processing = advance(accepted.job, { type: 'processing', at: at + 1, eventId });
    expect(processing.job).toMatchObject({
      state: 'processing',
      heardAt: at + 1,
      extensions: 1,
      feedbackCount: 1,
    });
    expect(processing.transition?.eventId).toBe(eventId);
    const over = advance(processing.job, {
      type: 'result',
      at: at + 2,
      event: sampleEvent(21),
      recovered: true,
    });
    expect(over.job).toMatchObject({
      state: 'completed',
      endedAt: at + 2,
      recovered: true,
      resultEvent: { id: sampleId(21) },
    });
    expect(over.transition?.eventId).toBe(sampleId(21));
  });

  it('JOB-6 that is over is returned as the same object', () => {
    fc.assert(
      fc.property(fc.constantFrom(...finalStates), anyEvent, (state, event) => {
        const job = sampleJob(10, { state, endedAt: at });
        expect(advance(job, event)).toEqual({ job, transition: null });
        expect(advance(job, event).job).toBe(job);
      }),
    );
  });

  it('JOB-6 counts one revision for every event, and says so of every change of state', () => {
    fc.assert(
      fc.property(openState, anyEvent, (state, event) => {
        const job = sampleJob(10, { state });
        const next = advance(job, event);
        expect(next.job.revision).toBe(job.revision + 1);
        expect(next.job.state).toBe(transition(state, event));
        expect(next.transition === null).toBe(next.job.state === state);
        expect(next.job.endedAt !== null).toBe(isFinal(next.job.state));
      }),
    );
  });

  it('JOB-8 keeps the first announcement of success', () => {
    const announced = advance(sampleJob(10), { type: 'success', at, eventId }).job;
    const again = advance(announced, { type: 'success', at: at + 50_000, eventId: sampleId(22) }).job;
    expect(again.successAt).toBe(at);
  });
});
