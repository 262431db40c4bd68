import type { Logger } from './logger.ts';

/** Stops the listener that `on` registered. Calling it twice does nothing. */
export type Unsubscribe = () => void;

/** A typed emitter: `Events` maps each event's name to what its listeners receive. */
export interface Emitter<Events extends object> {
  on<Name extends keyof Events & string>(name: Name, listener: (event: Events[Name]) => unknown): Unsubscribe;
  emit<Name extends keyof Events & string>(name: Name, event: Events[Name]): void;
  /** Forgets every listener. */
  clear(): void;
}

/**
 * An emitter whose listeners cannot harm the one that emits (rule X-5): what a listener throws, or what
 * the promise it returns rejects with, is logged and goes no further.
 */
export function createEmitter<Events extends object>(options: { readonly logger: Logger }): Emitter<Events> {
  const listeners = new Map<string, Set<(event: never) => unknown>>();

  const blame = (name: string, error: unknown) =>
    options.logger.error({ err: error, event: name }, `A listener of '${name}' failed`);

  return {
    on(name, listener) {
      const registered = listeners.get(name) ?? new Set();
      listeners.set(name, registered);
      // Wrapped, so that registering one function twice gives two registrations that end separately.
      const registration = (event: never) => listener(event);
      registered.add(registration);
      return () => registered.delete(registration);
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          const returned = listener(event as never);
          if (returned instanceof Promise) returned.catch((error) => blame(name, error));
        } catch (error) {
          blame(name, error);
        }
      }
    },
    clear() {
      listeners.clear();
    },
  };
}
