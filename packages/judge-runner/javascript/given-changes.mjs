/* Gives classes and functions of the test the properties that the artifact has given its own, where that is no word about itself. */
import { isForbidden } from './given-objects.mjs';
import { handles } from './handles.mjs';
import { keyOfName } from './values.mjs';

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, and its `classes`
 */
export function createGivenChanges(link, { numbers, classes }) {
  return {
    changeClasses(changed) {
      for (const [number, ofPrototype, name, told] of changed) {
        const kind = numbers.partOf(number);
        if (!classes.isOwn(kind) || typeof name !== 'string') return link.lie('a class that was not given');
        const part = ofPrototype === true ? kind.prototype : kind;
        const key = keyOfName(name);
        const value = link.incoming.arrive(told);
        const shown = `${kind.name}${ofPrototype === true ? '.prototype' : ''}.${name}`;
        const isOpenName =
          !isForbidden(name) && !/^@@|^then$/.test(name) && !Object.hasOwn(Object.prototype, key);
        // Objects of the class would show a value in the place of what they lack.
        const isOwnWord =
          typeof value === 'function'
            ? link.remote.isBelieved(name, { isPart: true })
            : ofPrototype !== true && Object(value) !== value;
        const isHarmless = !link.sites.isGuided && isOpenName && isOwnWord && classes.isFree(part, key);
        if (!isHarmless && !link.sites.allowsInTest(`gives ${shown}`))
          throw link.refuse(`gives ${shown} what the test's class has not; a reference allows it`);
        classes.put(part, key, value);
      }
    },
    changeFunctions(changed) {
      for (const [number, name, ...told] of changed) {
        const part = numbers.partOf(number);
        if (typeof part !== 'function' || classes.isOwn(part))
          return link.lie('a function that was not given');
        const key = keyOfName(name);
        // What every function has would be the artifact's word.
        const isOpenName =
          !isForbidden(name) && !/^@@|^(?:then|toJSON|mock)$/.test(name) && !(key in Function.prototype);
        if (!isOpenName && !link.sites.allowsInTest(`gives function ${part.name}.${name}`))
          throw link.refuse(
            `gives ${part.name}.${name} what the test's function has not; a reference allows it`,
          );
        if (told.length === 0) Reflect.deleteProperty(part, key);
        else {
          const value = link.incoming.arriveLent(`function ${number} ${name}`, {
            value: told[0],
            lent: told[1],
          });
          const isOther = typeof value === 'function' && handles.has(value);
          const isOpen = !isOther || link.remote.isBelieved(name, { isPart: true });
          Reflect.set(part, key, isOpen ? value : link.remote.refusing(name));
        }
      }
    },
  };
}
