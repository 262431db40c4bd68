import { outcomeOf } from '../delivery.ts';
import type { Handled } from '../engine.ts';
import type { OrderEvent } from '../flow/events.ts';
import { isSettled, recordsDue } from '../flow/finished.ts';
import { type Next, nextStep, type Step } from '../flow/next-step.ts';
import type { OrderState, RecordTarget, Replica } from '../order.ts';
import type { OrderRecord } from '../store.ts';
import { checkAnswer } from './check-answer.ts';
import { choosePlatforms } from './choose.ts';
import type { DelegationContext } from './context.ts';
import type { JobFollower } from './follow-job.ts';
import type { QueueLayout, QueueName } from './queues.ts';
import { recordEnd } from './record-end.ts';
import { withinTime } from './within-time.ts';

/** Works on orders: carries out the steps that are due, and stores their results. */
export interface OrderWorker {
  /** Applies a fact. Returns the order as it is then, or null when there is none. */
  apply(orderId: string, event: OrderEvent): Promise<OrderRecord | null>;
  /** Carries out the steps of an order that belong to a queue. */
  handle(queue: QueueName, orderId: string, signal: AbortSignal): Promise<Handled>;
}

/** An order as it is stored now. */
export type SeenOrder = Pick<OrderRecord, 'state' | 'settled'>;

/** The result of a step: facts, and an error that makes the engine repeat it. */
interface Carried {
  readonly events: readonly OrderEvent[];
  readonly error?: unknown;
}

export function createOrderWorker(
  context: DelegationContext,
  {
    follower: currentFollower,
    layout,
    seen,
  }: {
    readonly follower: () => JobFollower;
    readonly layout: QueueLayout;
    /** Called with an order after every change, and when it was looked at: another process may have changed it. */
    readonly seen: (orderId: string, record: SeenOrder) => void;
  },
): OrderWorker {
  const { store, engine, clock, timers, emitter, settings } = context;

  /** Stores facts. Of several processes each applies its own to what the others have stored. */
  const commit = async (given: OrderRecord, events: readonly OrderEvent[]): Promise<OrderRecord> => {
    let record: OrderRecord | null = given;
    while (record !== null) {
      const applied: {
        readonly before: OrderState;
        readonly event: OrderEvent;
        readonly state: OrderState;
      }[] = [];
      let state: OrderState = record.state;
      for (const event of events) {
        const before = state;
        state = nextStep(before, event).state;
        if (state !== before) applied.push({ before, event, state });
      }
      if (applied.length === 0) return record;
      const settled = isSettled(state);
      const next: OrderRecord = {
        ...record,
        revision: record.revision + 1,
        state: settled ? withoutSpareAnswers(state) : state,
        settled,
        updatedAt: clock(),
      };
      if (await store.update(next)) {
        for (const { before, event, state: after } of applied) announce(before, after, event, next);
        seen(next.id, next);
        if (settled) emitter.emit('settled', { orderId: next.id, state: next.state });
        return next;
      }
      record = await store.get(record.id);
    }
    return given;
  };

  const announce = (before: OrderState, state: OrderState, event: OrderEvent, { id }: OrderRecord) => {
    emitter.emit('step', { orderId: id, event, state });
    if (before.status === 'open' && state.status !== 'open') {
      const outcome = outcomeOf(state);
      if (outcome instanceof Error) emitter.emit('failed', outcome);
      else if (outcome !== null) emitter.emit('delivered', outcome);
    }
  };

  const carryOut = async (
    state: OrderState,
    step: Step,
    queue: QueueName,
    signal: AbortSignal,
  ): Promise<Carried> => {
    try {
      if (step.type === 'pay') return { events: await currentFollower().pay(replicaOf(state, step.replica)) };
      const event = await effectOf(state, step, queue, signal);
      if (event === null) return { events: [] };
      return event.type === 'requested' ? await recordRequest(state, event, queue) : { events: [event] };
    } catch (error) {
      return error instanceof PartlyRecorded
        ? { events: [error.event], error: error.cause }
        : { events: [], error };
    }
  };

  /** Records a request in the journal at once, so that both facts are one write. */
  const recordRequest = async (
    before: OrderState,
    event: Extract<OrderEvent, { type: 'requested' }>,
    queue: QueueName,
  ): Promise<Carried> => {
    const { state } = nextStep(before, event);
    const replica = replicaOf(state, event.replica);
    const targets = layout.targetsFor(queue, recordsDue(state, replica));
    try {
      return { events: [event, await record(state, replica, targets)] };
    } catch (error) {
      return { events: [event], error: error instanceof PartlyRecorded ? error.cause : error };
    }
  };

  const effectOf = (
    state: OrderState,
    step: Exclude<Step, { type: 'pay' }>,
    queue: QueueName,
    signal: AbortSignal,
  ): Promise<OrderEvent | null> => {
    if (step.type === 'choose') return choosePlatforms(context, state, step);
    const replica = replicaOf(state, step.replica);
    switch (step.type) {
      case 'request':
        return currentFollower().request(state, replica);
      case 'await':
        return currentFollower().look(state, replica);
      case 'withdraw':
        return currentFollower().withdraw(state, replica);
      case 'check':
        return checkAnswer(context, state, replica, signal);
      case 'record':
        return record(state, replica, layout.targetsFor(queue, step.targets));
    }
  };

  const record = async (
    state: OrderState,
    replica: Replica,
    targets: readonly RecordTarget[],
  ): Promise<OrderEvent> => {
    const done: RecordTarget[] = [];
    const hasAnswer = replica.answer !== null;
    const event = {
      type: 'recorded',
      at: clock(),
      replica: replica.number,
      hasAnswer,
      targets: done,
    } as const;
    for (const target of targets) {
      try {
        await recordEnd(context, state, replica, target);
        done.push(target);
      } catch (cause) {
        throw new PartlyRecorded(event, cause);
      }
    }
    return event;
  };

  /**
   * Carries out a step until the deadline of an open order: one that never ends must not hold up the others. A
   * check is queued, and limits its own time; the deadline ends it.
   */
  const carryOutInTime = (
    state: OrderState,
    step: Step,
    queue: QueueName,
    signal: AbortSignal,
  ): Promise<Carried> => {
    const { deadlineAt } = state.order;
    const over = step.type === 'check' ? new AbortController() : null;
    const done =
      over !== null
        ? carryOut(state, step, queue, AbortSignal.any([signal, over.signal]))
        : withinTime(timers, stepMs, () => carryOut(state, step, queue, signal)).catch(
            (error): Carried => ({ events: [], error }),
          );
    if (state.status !== 'open' || deadlineAt === null) return done;
    const { promise, resolve } = Promise.withResolvers<Carried>();
    const cancel = timers.after(Math.max(0, deadlineAt - clock()), () => {
      resolve({ events: [] });
      over?.abort();
    });
    return Promise.race([done, promise]).finally(cancel);
  };

  /** Ends the handling of an order in a queue: wakes the other queues. Returns when to look again. */
  const finish = async (
    queue: QueueName,
    orderId: string,
    { steps, wakeAt }: Pick<Next, 'steps' | 'wakeAt'>,
  ): Promise<number | null> => {
    for (const other of layout.others(queue))
      if (steps.some((step) => layout.belongsTo(step, other))) await engine.wake(other, orderId);
    const isWaiting = steps.some(({ type }) => type === 'await' || type === 'withdraw');
    const recheckAt = isWaiting && layout.follows(queue) ? clock() + settings.recheckMs : null;
    return earliest(layout.decides(queue) ? wakeAt : null, recheckAt);
  };

  return {
    async apply(orderId, event) {
      const found = await store.get(orderId);
      return found === null ? null : commit(found, [event]);
    },

    async handle(queue, orderId, signal) {
      let record = await store.get(orderId);
      if (record === null) return null;
      /** Steps without a result yet: they wait for a wake. */
      const waiting = new Set<string>();
      /** Steps that failed: the engine repeats them. */
      const failed = new Set<string>();
      const running = new Map<string, Promise<void>>();
      const finished: { readonly name: string; readonly task: string; readonly carried: Carried }[] = [];
      let failure: { readonly error: unknown } | null = null;
      for (;;) {
        const { state, steps, wakeAt } = nextStep(record.state, { type: 'woken', at: clock() });
        if (state !== record.state) {
          record = await commit(record, [{ type: 'woken', at: clock() }]);
          continue;
        }
        for (const step of signal.aborted ? [] : steps) {
          const name = `${step.type} ${step.key}`;
          // An answer that arrives meanwhile has to be recorded in further places.
          const task = step.type === 'record' ? `${name} ${step.targets}` : name;
          if (!layout.belongsTo(step, queue) || waiting.has(task)) continue;
          if (failed.has(name) || running.has(name)) continue;
          const done = carryOutInTime(state, step, queue, signal).then((carried) => {
            running.delete(name);
            finished.push({ name, task, carried });
          });
          running.set(name, done);
        }
        if (running.size === 0 && finished.length === 0) {
          seen(orderId, record);
          const at = await finish(queue, orderId, { steps, wakeAt });
          if (failure === null) return at === null ? null : { again: new Date(at) };
          // The other steps went on; this one is repeated by the engine, and the deadline is kept.
          if (at !== null) await engine.wake(queue, orderId, { at: new Date(at) });
          throw failure.error;
        }
        if (finished.length === 0) await orClosed(Promise.race(running.values()), signal);
        if (finished.length === 0) return null;
        for (const { name, task, carried } of finished.splice(0)) {
          const before: OrderRecord = record;
          record = await commit(record, carried.events);
          if ('error' in carried) {
            failure ??= { error: carried.error };
            failed.add(name);
          } else if (record === before) waiting.add(task);
        }
      }
    },
  };

  /** Waits for a step; after the end of the work only a few seconds, since its handler runs again anyway. */
  function orClosed(step: Promise<void>, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let cancel = () => {};
    const onAbort = () => {
      cancel = timers.after(closingMs, resolve);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return Promise.race([step, promise]).finally(() => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    });
  }
}

/** Longest time of a step other than a check, ms. Facts that arrive meanwhile wait for it. */
const stepMs = 120_000;

/** Time that a step gets to end when the work ends, ms. */
const closingMs = 5_000;

/** Some places were recorded before one failed. */
class PartlyRecorded extends Error {
  readonly event: OrderEvent;

  constructor(event: OrderEvent, cause: unknown) {
    super('A record failed', { cause });
    this.event = event;
  }
}

function replicaOf(state: OrderState, number: number): Replica {
  const replica = state.replicas.find((each) => each.number === number);
  if (replica === undefined) throw new Error(`Order '${state.order.id}' has no replica ${number}.`);
  return replica;
}

/** Only the delivered answer is needed after the end; the journal has the evidence. */
function withoutSpareAnswers(state: OrderState): OrderState {
  const replicas = state.replicas.map((replica): Replica => {
    const { answer, number } = replica;
    if (answer === null) return replica;
    const content = number === state.winners[0] ? answer.content : null;
    return { ...replica, answer: { ...answer, content, evidence: null } };
  });
  return { ...state, replicas };
}

const earliest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
