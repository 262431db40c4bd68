/* What objects of the artifact hold, asked for where a test reads it: how long an answer stays the same, and which names there are. */
import { unasked } from './claims.mjs';
import { contentName } from './values.mjs';

/** How often a property is read before it is asked for again: a test may wait for it to change. */
const maxTimes = 1000;

/** @param link the connection, as `proxy.mjs` makes it */
export function createHeldProperties(link) {
  const { ask, refuse, sites } = link;

  /**
   * A plain value that an object holds: until something may have changed it is asked for once, and each time where it is computed, which may count,
   * read a file or look at the time. A comparison in depth asks by itself, and of an array or object the test is given another copy each time.
   */
  const steady = (own, name, read) => {
    const changes = link.noticed();
    const { serving } = link;
    if (own.changes !== changes || own.serving !== serving)
      Object.assign(own, { changes, serving, steady: new Map() });
    if (own.computes !== link.computes) {
      for (const each of own.steady.keys()) if (!own.computed?.has(each)) own.steady.delete(each);
      own.computes = link.computes;
    }
    const known = own.steady.get(name);
    const isKnown = known !== undefined && known.times < maxTimes && !link.expected.isComparing();
    const isSettled = !own.computed?.has(name) || (known?.times > 0 && !link.asksAgain());
    if (isKnown && isSettled && !sites.isLearning && !sites.allows('changing', false)) {
      known.times += 1;
      return known.value;
    }
    const { callbacks } = link;
    const value = read();
    const isAgain = isKnown && Object.is(known.value, value);
    if (isKnown && !isAgain) sites.allows('changing', false);
    if (Object(value) !== value && link.callbacks === callbacks)
      own.steady.set(name, { value, times: isAgain ? known.times + 1 : 0 });
    return value;
  };
  /** What an object holds; of an inert one, what it held when it was first asked since the last call. */
  const held = (own, name, read) => {
    if (own.acting === true) return steady(own, name, read);
    if (own.acting !== false) return read();
    const { epoch, serving } = link;
    if (own.epoch !== epoch || own.serving !== serving)
      Object.assign(own, { epoch, serving, held: new Map() });
    const known = own.held.get(name);
    if (known !== undefined && (known.isAsked || !own.computed?.has(name))) return known.value;
    const value = read();
    const isChanging = known !== undefined && Object(value) !== value && !Object.is(known.value, value);
    if (isChanging) throw refuse(`answered an object whose ${name.slice(1)} is another each time`);
    own.held.set(name, { value: known?.value ?? value, isAsked: known !== undefined });
    return own.held.get(name).value;
  };
  const heldOf = (number, own, name) =>
    held(own, `.${name}`, () => {
      const id = number();
      const known = link.expected.heldBy(id, name);
      if (known !== null) return link.expected.reading(id, name, () => link.incoming.arrive(known[0]));
      const reply = ask({ do: 'get', of: id, name });
      if (reply.computed === true) {
        own.computed = (own.computed ?? new Set()).add(`.${name}`);
        link.computes += 1;
      }
      link.expected.checkRead(id, name, reply.value, own);
      return link.withinActor(own.isActor, () =>
        link.expected.reading(id, name, () => link.incoming.arriveLent(`get ${id} ${name}`, reply)),
      );
    });

  return {
    /** Names of what an object holds. */
    keysOf(number, own, prototype = null) {
      if (own.fields !== undefined) {
        link.expected.checkTold(own);
        return [...own.fields.keys()];
      }
      const id = number();
      link.expected.checkCompared(id, prototype, own.isMadeHere === true);
      if (!link.expected.isComparing()) link.expected.reads.noteKeys(id);
      const names = held(own, 'keys', () => {
        const found = [...new Set(ask({ do: 'keys', of: id }).value.map(String))];
        const reserved = found.find((name) => unasked.has(name));
        if (reserved !== undefined)
          throw refuse(`answered an object with a property ${reserved}, which every object has`);
        link.expected.checkKeys(id, found);
        return found;
      });
      return link.expected.comparedNames(names, prototype);
    },
    /** What an object holds under a name. */
    read(number, own, name) {
      if (own.fields?.has(name)) return own.fields.get(name);
      const value = heldOf(number, own, name);
      if (own.acting !== undefined && !link.expected.isComparing())
        link.expected.reads.noteRead(number(), name, value);
      return value;
    },
    /** What an object contains whose class extends Map or Set, as a value of the language. */
    contentOf: (number, own) =>
      held(own, 'content', () => {
        const id = number();
        const told = ask({ do: 'get', of: id, name: contentName }).value;
        link.expected.checkContent(id, told, own);
        const content = link.expected.reading(id, contentName, () => link.incoming.arrive(told));
        if (!(content instanceof Map || content instanceof Set)) throw new TypeError('no content');
        return content;
      }),
    /** The items of an object whose class extends Array. */
    itemsOf: (number, own) =>
      held(own, 'items', () => {
        const id = number();
        const told = ask({ do: 'items', of: id }).value;
        const items = link.expected.reading(id, null, () => link.incoming.arrive(told));
        if (!Array.isArray(items)) throw new TypeError('no list');
        link.expected.reads.notePlain({ ...items });
        return items;
      }),
  };
}
