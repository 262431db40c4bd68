import type { Filter } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';

/** An event that the caller has. */
export interface KnownEvent {
  readonly id: string;
  /** Seconds since epoch. */
  readonly created_at: number;
}

/** The result of comparing known events with those of a relay. */
export type Reconciliation =
  /** `missing`: ids that the relay has and the caller lacks. `shared`: ids of the events that both have. */
  | { readonly ok: true; readonly missing: readonly string[]; readonly shared: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** NIP-77 on one connection: one reconciliation at a time, the others wait. */
export interface NegentropyClient {
  /** Compares `known` with the relay's events that match `filter`. Never rejects. */
  reconcile(filter: Filter, known: readonly KnownEvent[], signal: AbortSignal): Promise<Reconciliation>;
  /** Handles a NEG-MSG. */
  onMessage(subscription: string, message: string): void;
  /** Handles a NEG-ERR. */
  onError(subscription: string, reason: string): void;
  /** Starts the first reconciliation after a connection was opened. */
  onOpen(): void;
  /** Ends all reconciliations after the connection was lost. */
  onLost(reason: string): void;
  readonly pending: number;
}

/** Rounds of one reconciliation. Ten thousand differences take about ten. */
const maxRounds = 200;
/** The library writes dates as 32-bit numbers. */
const maxSeconds = 2 ** 32 - 1;

/** The part of nostr-tools that is used. */
type Nip77 = typeof import('nostr-tools')['nip77'];

interface Task {
  readonly id: string;
  start(): Promise<void>;
  receive(message: string): void;
  finish(result: Reconciliation): void;
}

/**
 * Creates the NIP-77 client of one connection.
 *
 * @param options.send - Sends a message; returns false if that is not possible now.
 * @param options.onSettled - Called when a reconciliation has ended.
 * @param options.answerWithinMs - The time limit of each answer of the relay, in ms.
 * @param options.maxMissing - The largest number of events that a relay may list.
 */
export function createNegentropyClient(options: {
  readonly send: (message: readonly unknown[]) => boolean;
  readonly isOpen: () => boolean;
  readonly onSettled: () => void;
  readonly answerWithinMs: number;
  readonly maxMissing: number;
  readonly load?: () => Promise<Nip77>;
}): NegentropyClient {
  const { send, isOpen, onSettled, answerWithinMs, maxMissing, load = loadNip77 } = options;
  const tasks = new Map<string, Task>();
  let current: Task | null = null;
  let count = 0;

  function startNext(): void {
    if (current !== null || !isOpen()) return;
    for (const task of tasks.values()) {
      current = task;
      void task.start();
      return;
    }
  }

  function createTask(
    filter: Filter,
    known: readonly KnownEvent[],
    resolve: (result: Reconciliation) => void,
  ): Task {
    count += 1;
    const id = `n${count}`;
    const missing = new Set<string>();
    const notThere = new Set<string>();
    let ours: readonly KnownEvent[] = [];
    let rounds = 0;
    let timer: NodeJS.Timeout | undefined;
    let negentropy: InstanceType<Nip77['Negentropy']> | null = null;

    const awaitAnswer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => task.finish(failed('no answer to NEG-OPEN or NEG-MSG')), answerWithinMs);
    };

    const task: Task = {
      id,
      async start() {
        try {
          const { Negentropy, NegentropyStorageVector } = await load();
          if (!tasks.has(id)) return;
          const storage = new NegentropyStorageVector();
          ours = uniqueEvents(known);
          for (const { id: eventId, created_at } of ours) storage.insert(created_at, eventId);
          storage.seal();
          negentropy = new Negentropy(storage);
          if (send(['NEG-OPEN', id, filter, negentropy.initiate()])) awaitAnswer();
        } catch (error) {
          task.finish(failed(error instanceof Error ? error.message : 'the library failed'));
        }
      },
      receive(message) {
        if (negentropy === null) return;
        rounds += 1;
        if (rounds > maxRounds) return task.finish(failed(`more than ${maxRounds} rounds`));
        let answer: string | null;
        try {
          const onHave = (have: string) => notThere.add(have);
          answer = negentropy.reconcile(message, onHave, (need) => missing.add(need));
        } catch {
          return task.finish(failed('the relay sent a malformed NEG-MSG'));
        }
        // Ids cost a relay nothing; events that are read page by page do.
        if (missing.size > maxMissing)
          return task.finish(failed(`the relay lists more than ${maxMissing} events`));
        if (answer === null) {
          task.finish({
            ok: true,
            missing: [...missing].filter(isHex64),
            shared: ours.map((event) => event.id).filter((eventId) => !notThere.has(eventId)),
          });
        } else if (send(['NEG-MSG', id, answer])) awaitAnswer();
      },
      finish(result) {
        clearTimeout(timer);
        if (!tasks.delete(id)) return;
        if (current === task) {
          current = null;
          if (negentropy !== null) send(['NEG-CLOSE', id]);
        }
        resolve(result);
        startNext();
        onSettled();
      },
    };
    return task;
  }

  return {
    reconcile(filter, known, signal) {
      return new Promise<Reconciliation>((resolve) => {
        const end = () => task.finish(failed('aborted'));
        const task = createTask(filter, known, (result) => {
          signal.removeEventListener('abort', end);
          resolve(result);
        });
        tasks.set(task.id, task);
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
        else startNext();
      });
    },
    onMessage(subscription, message) {
      if (current?.id === subscription) current.receive(message);
    },
    onError(subscription, reason) {
      if (current?.id === subscription) current.finish(failed(reason));
    },
    onOpen: startNext,
    onLost(reason) {
      for (const task of [...tasks.values()]) task.finish(failed(reason));
    },
    get pending() {
      return tasks.size;
    },
  };
}

/** Loaded on demand: only the main entry of nostr-tools has it. */
async function loadNip77(): Promise<Nip77> {
  const { nip77 } = await import('nostr-tools');
  return nip77;
}

function uniqueEvents(known: readonly KnownEvent[]): readonly KnownEvent[] {
  const usable = known.filter(
    ({ id, created_at }) => isHex64(id) && created_at >= 0 && created_at <= maxSeconds,
  );
  return [...new Map(usable.map((event) => [event.id, event])).values()];
}

function failed(reason: string): Reconciliation {
  return { ok: false, reason };
}
