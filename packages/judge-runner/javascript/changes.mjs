/* What either box has changed since the other was last told: the artifact's changes leave with each answer, the test's arrive with each question. */
import { Unplain } from './values.mjs';

/** @param link the connection, as `objects.mjs` makes it */
export function createChanges(link) {
  const { functionProperties, followed, received, signals } = link;

  /** Properties of functions of the test that the artifact has changed. */
  const takeProperties = () => {
    const found = functionProperties.changed().flatMap(([number, name, values]) => {
      try {
        return values.length === 0
          ? [[number, name]]
          : values.map((each) => {
              const { value, lent } = link.lent.lending(each, { value: link.encoding.encode(each) });
              return [number, name, value, ...(lent === undefined ? [] : [lent])];
            });
      } catch {
        // It cannot cross: the test does not see it.
        return [];
      }
    });
    return found.length === 0 ? {} : { properties: found };
  };
  /** What the artifact has given classes of the test since they were last told of. */
  const takeClasses = () => {
    const found = received
      .takeChanges()
      .map(([number, ofPrototype, name, value]) => [number, ofPrototype, name, link.encoding.encode(value)]);
    return found.length === 0 ? {} : { given: found };
  };
  /** What the artifact has changed in values that the test has given. */
  const takeFollowed = () =>
    followed.changed().flatMap(([number, part]) => {
      if (link.owned.owned.get(number)?.part !== part) return [];
      const { $own } = link.encoding.encode(part);
      return $own?.length === 2 ? [[number, $own[1]]] : [];
    });

  const arrive = ({ given = [], lent = [], aborted = [] }) => {
    for (const told of given) link.decoding.decode(told);
    for (const [number, told] of lent) {
      const part = link.lent.partOf(number);
      if (part !== undefined) link.decoding.update(part, told);
    }
    // Listeners look at what has changed before.
    signals.abort(aborted, link.decoding.decode);
  };
  /** What a test has changed since arrives first. Where it cannot be done here, the test fails, whatever it catches: it would have failed where it changed it. */
  const arriveFromCall = (message) => {
    link.around.take(message);
    try {
      arrive(message);
    } catch {
      throw new Unplain('that cannot be changed as the test has changed it');
    }
  };

  return {
    /** A message with what the artifact has changed since the test was last told. */
    addTo(reply) {
      const changed = [...takeFollowed(), ...link.lent.changed()];
      const turns = link.promises.isActive() ? { turns: [0, []] } : {};
      const whole = {
        ...reply,
        ...link.errors.takeFaults(),
        ...link.live.takeStale(),
        ...link.modules.takeChanged(),
        ...takeProperties(),
        ...takeClasses(),
        ...turns,
        ...link.around.changed(),
        ...signals.take(link.encoding.encode),
      };
      return changed.length === 0 ? whole : { ...whole, changed: [...(reply.changed ?? []), ...changed] };
    },
    arriveFromCall,
    /** In another test, what the test before has given is ours: it has no number there any more. */
    begin(op) {
      const { forgotten = [] } = op;
      const { owned, ownNumbers } = link.owned;
      link.lent.begin(op.before === true);
      for (const number of forgotten) {
        ownNumbers.delete(owned.get(number)?.part);
        owned.delete(number);
        followed.drop(number);
      }
      arriveFromCall(op);
    },
  };
}
