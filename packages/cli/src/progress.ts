import type { CliIo, Output } from './io.ts';

/** A line on a terminal that says what a command is doing while it prints nothing. */
export interface Progress {
  /** Shows what is being done, at once, with the seconds that it takes. */
  say(text: string): void;
  /** Removes the line. It returns when the command prints nothing for a second. */
  clear(): void;
  /** Removes the line for good, for a command that waits until it is stopped. */
  stop(): void;
}

/** Streams of a command that is run by `runCli`. */
export interface CommandIo extends CliIo {
  readonly progress: Progress;
}

const intervalMs = 1_000;
/** Text for a command that says nothing of its own. */
const otherwise = 'Working';

const silent: Progress = { say() {}, clear() {}, stop() {} };

/**
 * Returns the streams with a line of progress on stderr, where that is a terminal: what a command says at once, and otherwise a line
 * after a second. Output removes the line first. Stop it when the command ends.
 */
export function withProgress(io: CliIo, clock: () => number = Date.now): CommandIo {
  if (io.stderr.isTTY !== true) return { ...io, progress: silent };
  let text = otherwise;
  let since = clock();
  let shown = 0;
  /** False while the last line on the terminal has no end. */
  let isLineEnded = true;

  const erase = () => {
    if (shown > 0) io.stderr.write(`\r${' '.repeat(shown)}\r`);
    shown = 0;
  };
  const draw = () => {
    if (!isLineEnded) return;
    erase();
    const seconds = Math.floor((clock() - since) / 1_000);
    const line = `${text}…${seconds < 1 ? '' : ` ${seconds} s`}`.slice(0, (io.stderr.columns ?? 80) - 1);
    io.stderr.write(line);
    shown = line.length;
  };
  const timer = setInterval(draw, intervalMs);
  timer.unref();
  const clear = () => {
    erase();
    text = otherwise;
    since = clock();
    timer.refresh();
  };

  const watched = (output: Output): Output => ({
    write(more) {
      erase();
      timer.refresh();
      if (output.isTTY === true && more !== '') isLineEnded = more.endsWith('\n');
      return output.write(more);
    },
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns;
    },
  });
  return {
    ...io,
    stdout: watched(io.stdout),
    stderr: watched(io.stderr),
    progress: {
      say(what) {
        text = what;
        since = clock();
        draw();
      },
      clear,
      stop() {
        clearInterval(timer);
        erase();
      },
    },
  };
}

/** Shows a line on a terminal while `work` runs, and removes it afterwards. */
export async function whileSaying<T>(
  { progress }: Pick<CommandIo, 'progress'>,
  text: string,
  work: () => T | Promise<T>,
): Promise<T> {
  progress.say(text);
  try {
    return await work();
  } finally {
    progress.clear();
  }
}
