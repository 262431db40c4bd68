/* What was thrown, in words. It may be the artifact's, which is asked for nothing, and whatever it is, the tester goes on. */

/** A text of a value of which no method is called: a stand-in would ask the artifact, and fail the test for a reason of its own. */
function textOf(part) {
  if (typeof part === 'function') return 'a function';
  if (typeof part !== 'object' || part === null) return String(part);
  const name = Object.getPrototypeOf(part)?.constructor?.name;
  return typeof name === 'string' && name !== '' ? `an object of ${name}` : 'an object';
}

/** What was thrown in one line: the name and the message of an error. */
export function describeThrown(thrown) {
  try {
    return thrown instanceof Error
      ? `${textOf(thrown.name)}: ${textOf(thrown.message)}`
      : `thrown: ${textOf(thrown)}`;
  } catch {
    // Of an object of the artifact that is an error, name and message are asked for there.
    return 'thrown: an object that does not say what it is';
  }
}
