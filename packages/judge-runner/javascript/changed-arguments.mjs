/* What a call of the artifact has changed in its arguments, in what they held, and in what its object has answered before. */
import { stringify } from './json.mjs';

/** Most values that were within the arguments of a call, and are looked at after it. */
const maxWithin = 64;

/** Numbers of the test's arrays and plain objects in a message. */
const numbersIn = (text) => [...text.matchAll(/"\$own":\[(\d+)/g)].map(([, number]) => Number(number));

/** @param link the connection, as `objects.mjs` makes it */
export function createChangedArguments(link) {
  const changedIn = (before, args) =>
    args.flatMap((after, index) => {
      if (typeof after !== 'object' || after === null || before[index] === null) return [];
      const now = link.encoding.encode(after);
      const same = now.$own?.length === 1 || stringify(now) === stringify(before[index]);
      return same ? [] : [[index, now]];
    });
  /** What was within the arguments, and has changed: where something has, it may be within them no more. */
  const changedWithin = (given, told) => {
    const text = stringify(told);
    if (!/"\$own":\[\d+,/.test(text)) return [];
    const known = new Set(numbersIn(text));
    const lost = new Set(numbersIn(stringify(given)).filter((number) => !known.has(number)));
    return [...lost].slice(0, maxWithin).flatMap((number) => {
      const { part } = link.owned.owned.get(number) ?? {};
      const { $own } = part === undefined ? {} : link.encoding.encode(part);
      return $own?.length === 2 ? [[number, $own[1]]] : [];
    });
  };

  return {
    /** What arguments hold before a call. */
    before: (args) =>
      args.map((arg) => (typeof arg === 'object' && arg !== null ? link.encoding.encode(arg) : null)),
    /**
     * An answer with what its call has changed: also beside an error, as the test may look whether what failed has left them alone.
     * @param before what the arguments held before the call
     * @param given the arguments as the test has told them
     */
    addTo(before, given, args, owner, tell) {
      const lent = link.lent.changedOf(owner);
      const answered = tell();
      const changed = changedIn(before, args);
      const others = [...lent, ...changedWithin(given, [answered, changed])];
      const reply = others.length === 0 ? answered : { ...answered, changed: others };
      return changed.length === 0 ? reply : { ...reply, args: changed };
    },
  };
}
