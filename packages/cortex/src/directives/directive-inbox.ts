import { createEmitter, type Logger } from '@bonafide/internal';
import { CortexError } from '../errors.ts';
import type { Memory } from '../state/memory.ts';
import type { Directive } from './directive.ts';
import { unexpired } from './directive-queue.ts';
import { createDirectiveStream, type DirectiveStream } from './directive-stream.ts';

/** The directives of the state, for the main loop and the operator. */
export interface DirectiveInbox {
  stream(): DirectiveStream;
  /** Returns the suggestions that wait for the operator. */
  suggestions(): readonly Directive[];
  /** Passes a suggestion on to the main loop. Returns false when there is none of that id. */
  approve(id: string): Promise<boolean>;
  /** Wakes the streams: directives may have been added. */
  changed(): void;
  /** Ends the streams. */
  close(): void;
}

/** Creates the inbox over the state. */
export function createDirectiveInbox(options: {
  readonly memory: Memory;
  readonly clock: () => number;
  readonly logger: Logger;
}): DirectiveInbox {
  const { memory, clock, logger } = options;
  const changes = createEmitter<{ readonly change: null }>({
    logger,
    names: { change: true },
    fail: (message) => new CortexError('INVALID_INPUT', message),
  });
  let closed = false;
  const withStatus = (status: Directive['status']) =>
    unexpired(memory.directives.value.directives, clock()).filter((one) => one.status === status);
  const changed = () => changes.emit('change', null);

  return {
    stream: () =>
      createDirectiveStream({
        open: () => withStatus('open'),
        async ack(id) {
          let found = false;
          await memory.directives.update((stored) => {
            const isHandled = (one: Directive) => one.id === id && one.status === 'open';
            found = unexpired(stored.directives, clock()).some(isHandled);
            return { ...stored, directives: stored.directives.filter((one) => !isHandled(one)) };
          });
          return found;
        },
        onChange: (listener) => changes.on('change', listener),
        get closed() {
          return closed;
        },
      }),
    suggestions: () => withStatus('waiting'),
    async approve(id) {
      let found = false;
      await memory.directives.update((stored) => {
        const waits = (one: Directive) => one.id === id && one.status === 'waiting';
        const directives = unexpired(stored.directives, clock());
        found = directives.some(waits);
        const open = (one: Directive) => (waits(one) ? { ...one, status: 'open' as const } : one);
        return { ...stored, directives: directives.map(open) };
      });
      if (found) changed();
      return found;
    },
    changed,
    close() {
      closed = true;
      changed();
      changes.clear();
    },
  };
}
