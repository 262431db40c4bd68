/* Classes of the artifact that have arrived, and of which of them the suite shows that their objects act. */
import { handles, remoteClassWith } from './handles.mjs';
import { isClassName } from './method-names.mjs';

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param shown what the suite shows: see `remote.mjs`
 */
export function createTrustedClasses(link, { objects: trustedNames, classNames }) {
  const { sites } = link;
  /** Classes by number: that the suite trusts, with their objects, whose objects may act, which stand for one of Node's in the reference, and all. */
  const trusted = new Set();
  const vouched = new Set();
  const likeLibrary = new Set();
  const numbers = new Set();
  const ids = new WeakMap();
  const isVouched = (prototype) => {
    for (let each = prototype; each !== null; each = Object.getPrototypeOf(each)) {
      const id = ids.get(remoteClassWith(each));
      if (id === undefined) continue;
      if (trusted.has(id) || likeLibrary.has(id) || (!sites.hasReference && vouched.has(id))) return true;
    }
    return false;
  };

  return {
    /** Notes the stand-in of a class. */
    note(proxy, desc) {
      ids.set(proxy, desc.id);
      numbers.add(desc.id);
      // The suite may know a class by its name alone.
      if (trustedNames.includes(String(desc.name))) trusted.add(desc.id);
    },
    /** Notes a class that the suite imports by name. */
    noteName(name, value) {
      // What a suite knows by the name of a class may be a function of the older kind.
      const id = ids.get(value) ?? (isClassName(name) ? handles.get(value)?.$handle : undefined);
      if (typeof id !== 'number') return;
      if (trustedNames.includes(name)) trusted.add(id);
      if (sites.isKnown(`library ${name}`)) likeLibrary.add(id);
      if ((isClassName(name) && classNames.has(name)) || trustedNames.includes(name)) vouched.add(id);
    },
    /** True for the stand-in of a class. */
    isClass: (part) => ids.has(part),
    isClassNumber: (id) => numbers.has(id),
    /** True for a class or an object by its number that the suite trusts. */
    isTrusted: (id) => trusted.has(id),
    /** True for the name of a class, or of what answers objects, that the suite trusts. */
    isTrustedName: (name) => trustedNames.includes(name),
    isTrustedClass: (prototype) => trusted.has(ids.get(remoteClassWith(prototype))),
    trust: (id) => void trusted.add(id),
    /** True where objects of a prototype act. */
    isActing: (prototype) =>
      isVouched(prototype) ? sites.allows('object', true) || true : sites.allows('object', false),
  };
}
