/** What a function says on a runtime that is too old for it. */
export const tooOldMessage = /^Node \S+ has no Promise\.withResolvers\. Use Node 22\.13 or newer\.$/;

/** Calls a synchronous function as on a runtime without `Promise.withResolvers`, such as Node 20. */
export function withOldRuntime<Result>(call: () => Result): Result {
  const descriptor = Object.getOwnPropertyDescriptor(Promise, 'withResolvers');
  Reflect.deleteProperty(Promise, 'withResolvers');
  try {
    return call();
  } finally {
    if (descriptor !== undefined) Object.defineProperty(Promise, 'withResolvers', descriptor);
  }
}
