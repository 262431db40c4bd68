import { outcomeOf } from '../delivery.ts';
import type { Handled } from '../engine.ts';
import type { OrderEvent } from '../flow/events.ts';
import { isSettled } from '../flow/finished.ts';
import { nextStep, type Step } from '../flow/next-step.ts';
import type { OrderState, RecordTarget, Replica } from '../order.ts';
import type { OrderRecord } from '../store.ts';
import { checkAnswer } from './check-answer.ts';
import { choosePlatforms } from './choose.ts';
import type { DelegationContext } from './context.ts';
import type { JobFollower } from './follow-job.ts';
import type { QueueLayout, QueueName } from './queues.ts';
import { recordEnd } from './record-end.ts';

/** Works on orders: carries out the steps that are due, and stores their results. */
export interface OrderWorker {
  /** Applies a fact. Returns the order as it is then, or null when there is none. */
  apply(orderId: string, event: OrderEvent): Promise<OrderRecord | null>;
  /** Carries out the steps of an order that belong to a queue. */
  handle(queue: QueueName, orderId: string, signal: AbortSignal): Promise<Handled>;
}

/** The result of a step: facts, or an error that makes the engine repeat it. */
interface Carried {
  readonly events: readonly OrderEvent[];
  readonly error?: unknown;
}

export function createOrderWorker(
  context: DelegationContext,
  {
    follower: currentFollower,
    layout,
  }: { readonly follower: () => JobFollower; readonly layout: QueueLayout },
): OrderWorker {
  const { store, engine, clock, emitter, settings } = context;

  /** Stores a fact. Of several processes each applies its own to what the others have stored. */
  const commit = async (given: OrderRecord, event: OrderEvent): Promise<OrderRecord> => {
    let record: OrderRecord | null = given;
    while (record !== null) {
      const before: OrderState = record.state;
      const { state } = nextStep(before, event);
      if (state === before) return record;
      const settled = isSettled(state);
      const next: OrderRecord = {
        ...record,
        revision: record.revision + 1,
        state: settled ? withoutSpareAnswers(state) : state,
        settled,
        updatedAt: clock(),
      };
      if (await store.update(next)) {
        announce(before, next, event);
        return next;
      }
      record = await store.get(record.id);
    }
    return given;
  };

  const announce = (before: OrderState, { id, state, settled }: OrderRecord, event: OrderEvent) => {
    emitter.emit('step', { orderId: id, event, state });
    if (before.status === 'open' && state.status !== 'open') {
      const outcome = outcomeOf(state);
      if (outcome instanceof Error) emitter.emit('failed', outcome);
      else if (outcome !== null) emitter.emit('delivered', outcome);
    }
    if (settled) emitter.emit('settled', { orderId: id, state });
  };

  const carryOut = async (
    state: OrderState,
    step: Step,
    queue: QueueName,
    signal: AbortSignal,
  ): Promise<Carried> => {
    try {
      const event = await effectOf(state, step, queue, signal);
      return { events: event === null ? [] : [event] };
    } catch (error) {
      return error instanceof PartlyRecorded
        ? { events: [error.event], error: error.cause }
        : { events: [], error };
    }
  };

  const effectOf = (
    state: OrderState,
    step: Step,
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
    const event = { type: 'recorded', at: clock(), replica: replica.number, targets: done } as const;
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

  return {
    async apply(orderId, event) {
      const found = await store.get(orderId);
      return found === null ? null : commit(found, event);
    },

    async handle(queue, orderId, signal) {
      let record = await store.get(orderId);
      if (record === null) return null;
      /** Steps without a result yet: they wait for a wake. */
      const waiting = new Set<string>();
      for (;;) {
        record = await commit(record, { type: 'woken', at: clock() });
        const { state, steps, wakeAt } = nextStep(record.state, { type: 'woken', at: clock() });
        const due = steps.filter(
          (step) => layout.belongsTo(step, queue) && !waiting.has(`${step.type} ${step.key}`),
        );
        if (due.length === 0 || signal.aborted) {
          for (const other of layout.others(queue))
            if (steps.some((step) => layout.belongsTo(step, other))) await engine.wake(other, orderId);
          const isWaiting = steps.some(({ type }) => type === 'await' || type === 'withdraw');
          const recheckAt = isWaiting && layout.follows(queue) ? clock() + settings.recheckMs : null;
          const again = earliest(layout.decides(queue) ? wakeAt : null, recheckAt);
          return again === null ? null : { again: new Date(again) };
        }
        const carried = await Promise.all(
          due.map(async (step) => ({ step, ...(await carryOut(state, step, queue, signal)) })),
        );
        let failure: { readonly error: unknown } | null = null;
        for (const { step, events, error } of carried) {
          const before: OrderRecord = record;
          for (const event of events) record = await commit(record, event);
          if (error !== undefined) failure ??= { error };
          else if (record === before) waiting.add(`${step.type} ${step.key}`);
        }
        // The other steps are stored; this one is repeated by the engine.
        if (failure !== null) throw failure.error;
      }
    },
  };
}

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

/** Only the delivered answer is needed after the end. */
function withoutSpareAnswers(state: OrderState): OrderState {
  const replicas = state.replicas.map((replica) =>
    replica.answer?.content == null || replica.number === state.winners[0]
      ? replica
      : { ...replica, answer: { ...replica.answer, content: null } },
  );
  return { ...state, replicas };
}

const earliest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
