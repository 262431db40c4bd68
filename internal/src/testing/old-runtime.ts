/** Calls a function as a runtime without `Promise.withResolvers` would, such as Node 20. The function is synchronous. */
export function withOldRuntime<Result>(call: () => Result): Result {
  const descriptor = Object.getOwnPropertyDescriptor(Promise, 'withResolvers');
  Reflect.deleteProperty(Promise, 'withResolvers');
  try {
    return call();
  } finally {
    if (descriptor !== undefined) Object.defineProperty(Promise, 'withResolvers', descriptor);
  }
}
