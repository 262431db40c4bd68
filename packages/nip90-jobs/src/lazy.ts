/** Returns a function that creates a value at its first call, and returns the same one from then on. */
export function lazy<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | null = null;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
