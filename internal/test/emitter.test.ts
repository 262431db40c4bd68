import { describe, expect, it } from 'vitest';
import { createEmitter, type Logger, silentLogger } from '../src/index.ts';

const names = { sold: true } as const;
const fail = (message: string) => new TypeError(message);

function recordingLogger() {
  const errors: object[] = [];
  const logger: Logger = { ...silentLogger, error: (details) => errors.push(details) };
  return { errors, logger };
}

describe('createEmitter', () => {
  it('X-5 calls every listener in order, also when one throws, and logs the one that did', () => {
    const { errors, logger } = recordingLogger();
    const emitter = createEmitter<{ sold: { price: number } }>({ logger, names, fail });
    const seen: string[] = [];
    emitter.on('sold', () => seen.push('first'));
    emitter.on('sold', () => {
      throw new Error('boom');
    });
    emitter.on('sold', ({ price }) => seen.push(`third ${price}`));
    emitter.emit('sold', { price: 3 });
    expect(seen).toEqual(['first', 'third 3']);
    expect(errors).toEqual([{ err: new Error('boom'), event: 'sold' }]);
  });

  it('X-5 logs a listener whose promise rejects', async () => {
    const { errors, logger } = recordingLogger();
    const emitter = createEmitter<{ sold: null }>({ logger, names, fail });
    emitter.on('sold', async () => Promise.reject(new Error('later')));
    emitter.emit('sold', null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([{ err: new Error('later'), event: 'sold' }]);
  });

  it('stops one registration at a time, and lets a listener stop itself while events are delivered', () => {
    const emitter = createEmitter<{ sold: number }>({ logger: silentLogger, names, fail });
    const seen: number[] = [];
    const listener = (price: number) => seen.push(price);
    const stopFirst = emitter.on('sold', listener);
    emitter.on('sold', listener);
    const stopOnce: () => void = emitter.on('sold', () => stopOnce());
    stopFirst();
    stopFirst();
    emitter.emit('sold', 1);
    emitter.emit('sold', 2);
    emitter.clear();
    emitter.emit('sold', 3);
    expect(seen).toEqual([1, 2]);
  });

  it('X-5 refuses a name that it never emits, and a listener that is no function', () => {
    const emitter = createEmitter<{ sold: number }>({ logger: silentLogger, names, fail });
    const listen = (name: unknown, listener: unknown) => () =>
      emitter.on(name as 'sold', listener as () => void);
    for (const name of ['solt', 'toString', '', undefined, Symbol.iterator])
      expect(listen(name, () => {})).toThrow(TypeError);
    expect(listen('solt', () => {})).toThrow("There is no event 'solt'. Events: sold.");
    expect(listen('sold', null)).toThrow("The listener of 'sold' is not a function.");
    expect(listen('sold', () => {})).not.toThrow();
  });
});
