import type { Directive } from './directive.ts';

/** The directives for the main loop. Each is delivered at least once, until it is acknowledged or expires. */
export interface DirectiveStream extends AsyncIterable<Directive> {
  /** Returns the open directives, oldest first. Those that are not acknowledged are returned again. */
  poll(): readonly Directive[];
  /** Removes a directive that was handled. Returns false when it had expired or was acknowledged before. */
  ack(id: string): Promise<boolean>;
}

/** Source of a stream. */
export interface DirectiveSource {
  open(): readonly Directive[];
  ack(id: string): Promise<boolean>;
  /** Calls `listener` when directives may have been added, and when the source closes. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  readonly closed: boolean;
}

/** Creates a stream. Its iterator yields every open directive once, waits for further ones, and ends with the source. */
export function createDirectiveStream(source: DirectiveSource): DirectiveStream {
  return {
    poll: () => source.open(),
    ack: (id) => source.ack(id),
    async *[Symbol.asyncIterator]() {
      const yielded = new Set<string>();
      let wake = () => {};
      const unsubscribe = source.onChange(() => wake());
      try {
        for (;;) {
          const changed = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const open = source.open();
          for (const id of yielded) if (!open.some((one) => one.id === id)) yielded.delete(id);
          const next = open.find((one) => !yielded.has(one.id));
          if (next !== undefined) {
            yielded.add(next.id);
            yield next;
          } else if (source.closed) return;
          else await changed;
        }
      } finally {
        unsubscribe();
      }
    },
  };
}
