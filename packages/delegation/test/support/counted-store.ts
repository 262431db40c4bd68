import type { DelegationStore } from '../../src/index.ts';

/** Counts the calls of a store and of its wakes. */
export function countedStore(store: DelegationStore) {
  const calls = new Map<string, number>();
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return typeof member === 'object' ? wrap(member as object) : member;
        return (...args: unknown[]) => {
          calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
          return Reflect.apply(member, target, args);
        };
      },
    });
  return { store: wrap(store), calls };
}
