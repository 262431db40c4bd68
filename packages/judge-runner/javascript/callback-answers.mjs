/* Answers the artifact's questions in a tester: runs functions of the test for it, and reads objects of the test. */

import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { stringify } from './json.mjs';
import { outline } from './question-encoding.mjs';

/** Tags of what acts, or is told by a number. */
const ofObjects =
  /"\$(?:handle|live|array|local|callback|method|lent|own|error|within|later|class|prototype)":/;
/** What a function is given beside one of its arguments, and beside objects: the artifact chooses the order of its calls, and not what these say. */
const besides = (args, index) => {
  const told = args
    .filter((_, each) => each !== index)
    .map((arg) => stringify(arg) ?? '')
    .map((text) => (ofObjects.test(text) ? '' : text));
  return createHash('sha256').update(told.join('\n')).digest('base64url').slice(0, 12);
};
const isNothing = (told) => told === null || told?.$undefined === true;

/** What an object of an earlier test answers: nothing that a later test expects. Its iterators say that they are at their end, because a loop reads what each step answers. */
function answerOfEarlier(action, found) {
  if (action !== 'step') return undefined;
  const end = { value: undefined, done: true };
  return types.isPromise(found) ? Promise.resolve(end) : end;
}

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, its `classes`, `objects` and `errors`, and how they leave, as `encoding`
 */
export function createCallbackAnswers(link, { numbers, classes, objects, errors, encoding }) {
  const { sites } = link;

  /** Reads or changes an object of the test. */
  const answerLocal = (request) => {
    const [number, action, name] = request.local;
    const owner = numbers.partOf(number);
    const place = `${sites.keyOfObject(owner)}.${name}`;
    // Functions of classes are known by what they are called on.
    const isOfClass = action === 'class' || (Object(owner) === owner && classes.classOf(owner) !== null);
    const giving = (work) => sites.giving(isOfClass ? 'class' : place, work, !isOfClass);
    try {
      const found = sites.running(place, () =>
        objects.perform(
          request.local,
          // An array that the artifact sets stays the same one there.
          request.args.map((value, index) =>
            link.incoming.arriveLent('set', { value, lent: request.lent?.[index] }),
          ),
        ),
      );
      // What a class is says nothing that a later test expects.
      if (action === 'class') return { returns: giving(() => encoding.leaveShape(found)) };
      return {
        returns: giving(() =>
          encoding.leave(numbers.isOver(number) ? answerOfEarlier(action, found) : found),
        ),
      };
    } catch (error) {
      return { throws: errors.leaveThrown(error) };
    }
  };
  /** The arguments of a call of a function of the test. */
  const argumentsOf = (request, callback, key) => {
    const { lent = [] } = request;
    const end = link.remote.endFor(callback);
    if (end !== undefined)
      return request.args.map((value, index) => link.incoming.arriveReaction(end, value, lent[index]));
    const calledOn = numbers.partOf(Object(request.self).$local);
    const called = sites.numbersOf(callback, calledOn);
    return link.incoming.arriveAs(encoding.isPart(callback) ? { isPart: true } : {}, () =>
      request.args.map((value, index) => {
        // Nothing is no visit: a call with it must not move the others.
        if (isNothing(value)) return link.incoming.arrive(value);
        return sites.receiving(key, `${called} ${besides(request.args, index)}`, index, () =>
          link.incoming.arriveLent('argument', { value, lent: lent[index] }),
        );
      }),
    );
  };

  return {
    /** Runs a function of the test for the artifact, or reads an object of it. */
    serve(request) {
      if (request.local !== undefined) return answerLocal(request);
      const callback = numbers.partOf(request.callback);
      if (callback === undefined) return link.lie('a call-back that was not given');
      try {
        // What waits for a promise is called by nobody, whose class has a say or not.
        const isReaction = link.remote.endFor(callback) !== undefined;
        const key = isReaction ? '' : sites.keyOf(callback, numbers.partOf(Object(request.self).$local));
        const args = argumentsOf(request, callback, key);
        const before = args.map(outline);
        /** What the function has changed in what it was given: also where it throws. */
        const changed = () => {
          const found = args.flatMap((arg, index) =>
            before[index] === outline(arg) ? [] : [[index, encoding.leaveAgain(arg)]],
          );
          return found.length === 0 ? {} : { args: found };
        };
        // What a function is called on is an object.
        const self =
          request.self === undefined
            ? undefined
            : link.incoming.arriveAs({ isPart: true }, () => link.incoming.arrive(request.self));
        let found;
        try {
          found = sites.running(key, () => callback.apply(self, args));
        } catch (error) {
          errors.noteCrossing(error);
          return { throws: errors.leaveThrown(errors.asTooDeep(error)), ...changed() };
        }
        const more = changed();
        // A function of an earlier test may still be told something; an answer could be one that a later test expects.
        const isOver = numbers.isOver(request.callback);
        const returns = sites.giving(`${key}>`, () => encoding.leave(isOver ? undefined : found));
        return { returns, ...more };
      } catch (error) {
        errors.noteCrossing(error);
        return { throws: errors.leaveThrown(errors.asTooDeep(error)) };
      }
    },
  };
}
