import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whileSaying, withProgress } from '../src/progress.ts';

/** Collects what is written to stdout and stderr, which are terminals or pipes. */
function streams({ out = true, err = true } = {}) {
  const written: string[] = [];
  const stream = (isTTY: boolean) => ({ isTTY, columns: 40, write: (text: string) => written.push(text) });
  const io = withProgress({ stdout: stream(out), stderr: stream(err), env: {} });
  const taken = () => written.splice(0).join('');
  return { io, taken };
}

describe('progress (CLI-1)', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('appears on a terminal when a command prints nothing for a second', () => {
    const { io, taken } = streams();
    vi.advanceTimersByTime(999);
    expect(taken()).toBe('');
    vi.advanceTimersByTime(1);
    expect(taken()).toBe('Working… 1 s');
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe(`\r${' '.repeat(12)}\rWorking… 2 s`);
    io.progress.stop();
    expect(taken()).toBe(`\r${' '.repeat(12)}\r`);
    vi.advanceTimersByTime(10_000);
    expect(taken()).toBe('');
  });

  it('is removed before output, and returns after another second', () => {
    const { io, taken } = streams();
    vi.advanceTimersByTime(1_000);
    taken();
    io.stdout.write('a row\n');
    expect(taken()).toBe(`\r${' '.repeat(12)}\ra row\n`);
    vi.advanceTimersByTime(999);
    expect(taken()).toBe('');
    vi.advanceTimersByTime(1);
    expect(taken()).toMatch(/^Working… \d+ s$/u);
    io.progress.stop();
  });

  it('never draws over a line that has not ended', () => {
    const { io, taken } = streams();
    io.stdout.write('half a row');
    vi.advanceTimersByTime(5_000);
    expect(taken()).toBe('half a row');
    io.stdout.write(' and the rest\n');
    vi.advanceTimersByTime(1_000);
    expect(taken()).toMatch(/Working…/u);
    io.progress.stop();
  });

  it('says at once what a command names, cut to the terminal', async () => {
    const { io, taken } = streams();
    await whileSaying(io, `Asking ${'x'.repeat(80)}`, () => {
      expect(taken()).toBe(`Asking ${'x'.repeat(32)}`);
    });
    expect(taken()).toBe(`\r${' '.repeat(39)}\r`);
    io.progress.stop();
  });

  it('is left out where stderr is no terminal, and does not touch a piped stdout', () => {
    const quiet = streams({ err: false });
    quiet.io.progress.say('Looking');
    vi.advanceTimersByTime(5_000);
    expect(quiet.taken()).toBe('');
    const piped = streams({ out: false });
    piped.io.stdout.write('{ "half":');
    vi.advanceTimersByTime(1_000);
    expect(piped.taken()).toBe('{ "half":Working… 1 s');
    piped.io.progress.stop();
  });
});
