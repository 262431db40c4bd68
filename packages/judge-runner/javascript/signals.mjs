/* Signals of one box that abort signals of the other: what each is given stands for the other's, by number. */

/**
 * @param numberOf the number under which a signal leaves
 * @param tell tells the other side at once that a signal was aborted: its listeners run while `abort()` does
 */
export function createSignals(numberOf, tell = () => {}) {
  const watched = new WeakSet();
  const aborted = [];
  const controllers = new Map();
  const controllerOf = (number) => {
    if (!controllers.has(number)) controllers.set(number, new AbortController());
    return controllers.get(number);
  };

  return {
    /** Lets a signal leave: from now on it is noted when it is aborted. Returns its number. */
    leave(signal) {
      const number = numberOf(signal);
      if (!watched.has(signal)) {
        watched.add(signal);
        const note = () => aborted.push([number, signal.reason]);
        if (signal.aborted) note();
        else
          signal.addEventListener('abort', () => {
            // Anybody can dispatch such an event.
            if (!signal.aborted) return;
            note();
            tell();
          });
      }
      return number;
    },
    /** Signals that were aborted, of which the other side has not been told, as fields of a message. */
    take: (leave) =>
      aborted.length === 0
        ? {}
        : { aborted: aborted.splice(0).map(([number, reason]) => [number, leave(reason)]) },
    /** The signal that stands for the other side's. */
    arrive: (number) => controllerOf(number).signal,
    /** Aborts those that the other side has aborted. */
    abort(told, arrive) {
      for (const [number, reason] of told) controllerOf(number).abort(arrive(reason));
    },
  };
}
