/* Stand-ins for functions of the other box that are asynchronous, or make generators: the language and Node say of them what they say of those. */
import { syncBuiltinESMExports } from 'node:module';
import { types } from 'node:util';

const targets = {
  async: () => async function remote() {},
  generator: () =>
    function* remote() {
      yield;
    },
  asyncGenerator: () =>
    async function* remote() {
      yield;
    },
};
const prototypes = new Map(
  Object.entries(targets).map(([kind, make]) => [kind, Object.getPrototypeOf(make())]),
);
/** Kinds of functions by their stand-ins. */
const kinds = new WeakMap();

const { isAsyncFunction, isGeneratorFunction } = types;

/** What a function is that is asynchronous, or makes generators; undefined for any other. */
export function kindOfFunction(part) {
  if (isGeneratorFunction(part)) return isAsyncFunction(part) ? 'asyncGenerator' : 'generator';
  return isAsyncFunction(part) ? 'async' : undefined;
}

// Node looks through no proxy.
types.isAsyncFunction = (part) => isAsyncFunction(part) || /^async/.test(kinds.get(part));
types.isGeneratorFunction = (part) => isGeneratorFunction(part) || /generator$/i.test(kinds.get(part));
syncBuiltinESMExports();

/** What a proxy for a function of this kind has as its target; the usual one where it is of none. */
export const targetOfKind = (kind) => (Object.hasOwn(targets, kind) ? targets[kind]() : function remote() {});
/** Notes of which kind a function is, and makes its prototype that of such functions. */
export function noteKind(part, kind) {
  const prototype = prototypes.get(kind);
  if (prototype === undefined) return;
  kinds.set(part, kind);
  if (Object.getPrototypeOf(part) !== prototype) Object.setPrototypeOf(part, prototype);
}
