/* Objects of the language and of Node of which a test replaces functions and values. Both boxes have them under the same names. */

const named = {
  globalThis: () => globalThis,
  console: () => console,
  JSON: () => JSON,
  Math: () => Math,
  Date: () => Date,
  performance: () => performance,
  crypto: () => crypto,
  process: () => process,
  'process.stdin': () => process.stdin,
  'process.stdout': () => process.stdout,
  'process.stderr': () => process.stderr,
};

/** What a property is that an object does not have. */
export const absent = Symbol('absent');

/** The name of the prototype of a class of the artifact, by its number. */
export const nameOfClass = (number) => `class ${number}`;

/** An object by its name: one of the language's, or a module of Node's (`node:fs`, `node:fs.promises`). */
export function ownerOf(name) {
  if (Object.hasOwn(named, name)) return named[name]();
  const [module, part] = name.split('.');
  const found = process.getBuiltinModule(module);
  return part === undefined ? found : found[part];
}

/** What an object has under a name, without computing it. */
export function held(owner, name) {
  const found = Reflect.getOwnPropertyDescriptor(owner, name);
  if (found !== undefined) return 'value' in found ? found.value : found.get;
  return name in owner ? owner[name] : absent;
}

/** How an object has a property of its own; undefined where it has none. */
export const shapeOf = (owner, name) => Reflect.getOwnPropertyDescriptor(owner, name);
/** True where an object computes what it has under a name: what it holds is then the function that does. */
export const isComputed = (owner, name) => typeof shapeOf(owner, name)?.get === 'function';

/** Gives an object another value under a name, a function that computes it, or takes it away. */
export function put(owner, name, value, isGetter = false) {
  const shape = isGetter ? { get: value } : { value, writable: true };
  const enumerable = shapeOf(owner, name)?.enumerable ?? true;
  putBack(owner, name, value === absent ? undefined : { ...shape, enumerable, configurable: true });
}

/** Gives an object a property as it had it before; undefined for none. */
export function putBack(owner, name, shape) {
  if (shape === undefined) Reflect.deleteProperty(owner, name);
  else Reflect.defineProperty(owner, name, shape);
}
