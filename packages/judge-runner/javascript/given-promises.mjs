/* Promises of the test that the artifact was given: it is told how they end. */

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, and its `errors`
 */
export function createGivenPromises(link, { numbers, errors }) {
  const promised = new WeakMap();
  /** Ends of promises of the test that the artifact has not been told yet. */
  const ended = [];
  const follow = (part, number) => {
    const end = (tell) => {
      ended.push([number, tell]);
      // What waits for it continues as soon as it has ended, and not when the test waits next.
      link.letOn();
    };
    part.then(
      (value) => end(() => ({ returns: link.outgoing.leave(value) })),
      (error) => {
        errors.noteCrossing(error);
        end(() => ({ throws: errors.leaveThrown(error) }));
      },
    );
  };
  return {
    leave(part) {
      if (!promised.has(part)) {
        promised.set(part, numbers.next());
        follow(part, promised.get(part));
      }
      return { $later: promised.get(part) };
    },
    isAnyEnded: () => ended.length > 0,
    takeEnded: () => ended.splice(0).map(([number, tell]) => [number, tell()]),
  };
}
