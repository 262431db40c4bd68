/**
 * Returns a built-in module of Node.js by its name with `node:`, or null in a runtime without it, such as a browser. An
 * `import` would make bundlers for browsers refuse everything that shares a file with it, although most functions never
 * need the module. The type parameter keeps Node's types out of the declarations.
 */
export function nodeBuiltin<Module extends object>(name: `node:${string}`): Module | null {
  const load = globalThis.process?.getBuiltinModule as ((name: string) => object | undefined) | undefined;
  return (load?.(name) as Module | undefined) ?? null;
}

/**
 * Returns a built-in module of Node.js.
 *
 * @throws Error when the runtime lacks it.
 */
export function requireNodeBuiltin<Module extends object>(name: `node:${string}`): Module {
  const module = nodeBuiltin<Module>(name);
  if (module === null) throw new Error(`This runtime has no ${name}. Use Node.js, Bun or Deno.`);
  return module;
}
