import type { Logger } from './logger.ts';

/** Removes the listener that `on` registered. Calling it again has no effect. */
export type Unsubscribe = () => void;

/** A typed event emitter. `Events` maps each event name to its payload. */
export interface Emitter<Events extends object> {
  on<Name extends keyof Events & string>(name: Name, listener: (event: Events[Name]) => unknown): Unsubscribe;
  emit<Name extends keyof Events & string>(name: Name, event: Events[Name]): void;
  /** Removes every listener. */
  clear(): void;
}

/** The names of all events, as an object, so that the compiler finds a missing one. */
export type EventNames<Events extends object> = Readonly<Record<keyof Events & string, true>>;

/** Options of {@link createEmitter}. */
export interface EmitterOptions<Events extends object> {
  readonly logger: Logger;
  readonly names: EventNames<Events>;
  /** Creates the error that `on` throws for a name that is not listed, and for a listener that is not a function. */
  readonly fail: (message: string) => Error;
}

/**
 * Creates an emitter that isolates its listeners: an exception or a rejected promise of a listener is logged as an
 * error and never reaches the code that emits.
 */
export function createEmitter<Events extends object>(options: EmitterOptions<Events>): Emitter<Events> {
  const listeners = new Map<string, Set<(event: never) => unknown>>();

  const report = (name: string, error: unknown) =>
    options.logger.error({ err: error, event: name }, `A listener of '${name}' failed`);

  const check = (name: string, listener: unknown) => {
    const { names, fail } = options;
    // An object has to be told apart first: it may have a `toString` that throws, or none.
    if (typeof name !== 'string' || !Object.hasOwn(names, name)) {
      const given = typeof name === 'string' ? `There is no event '${name}'` : "An event's name is a text";
      throw fail(`${given}. Events: ${Object.keys(names).join(', ')}.`);
    }
    if (typeof listener !== 'function') throw fail(`The listener of '${name}' is not a function.`);
  };

  return {
    on(name, listener) {
      check(name, listener);
      const registered = listeners.get(name) ?? new Set();
      listeners.set(name, registered);
      // Wrapped, so that registering one function twice creates two registrations that are removed separately.
      const registration = (event: never) => listener(event);
      registered.add(registration);
      return () => registered.delete(registration);
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          const returned = listener(event as never);
          if (returned instanceof Promise) returned.catch((error) => report(name, error));
        } catch (error) {
          report(name, error);
        }
      }
    },
    clear() {
      listeners.clear();
    },
  };
}
