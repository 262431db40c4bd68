/* What a program does as its process ends: its listeners of `beforeExit` and `exit` run after the last test, as in one process. */

/** How long what they have begun may go on, in ms, as after the last test. */
const maxLate = 100;
const events = ['beforeExit', 'exit'];
const now = performance.now.bind(performance);
const later = setTimeout;

/** Thrown where a listener ends the process: nothing of the program goes on. */
class Ended extends Error {}

/** @param link the connection, as `objects.mjs` makes it */
export function createExitListeners(link) {
  /** Those of the language's own modules and of the judge, which the end of a box calls by itself. */
  const others = events.flatMap((event) => process.rawListeners(event).map((each) => [event, each]));
  /** The code with which a listener has ended the process; null where none has. */
  let code = null;

  /** Calls listeners. False where one has ended the process. */
  const tell = (event) => {
    try {
      process.emit(event, Number(process.exitCode ?? 0));
    } catch (error) {
      if (!(error instanceof Ended)) link.errors.noteFault(error);
      return false;
    }
    return code === null;
  };
  /** Lets what they have begun go on. True where that was anything. */
  const goOn = async (until) => {
    await link.promises.turn();
    if (!link.promises.isActive()) return false;
    while (link.promises.isActive() && now() < until)
      await new Promise((resolve) => {
        later(resolve, 1);
      });
    return true;
  };

  return {
    /** Runs them. What they throw, and a code with which they end the process, are faults of the running test. */
    async run() {
      const before = process.exitCode;
      for (const [event, each] of others) process.removeListener(event, each);
      process.reallyExit = (given) => {
        code ??= given;
        throw new Ended();
      };
      const until = now() + maxLate;
      let goesOn = tell('beforeExit');
      while (goesOn && (await goOn(until)) && now() < until) goesOn = tell('beforeExit');
      if (goesOn) tell('exit');
      if (code !== null) process.exitCode = code;
      link.errors.noteEnd(before);
      return { value: null };
    },
  };
}
