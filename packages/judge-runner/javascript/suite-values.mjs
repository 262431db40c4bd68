/* What variables and expressions of a suite stand for, as far as its files show: objects of the artifact, groups of them, and functions. */

/**
 * An object or another value of the artifact. `made`: by a class; `owner`: what it is a property of; `mates`: others that it stands for.
 */
export const thing = (origin, made = false, owner = null) => {
  const id = Symbol(origin);
  return { kind: 'thing', origin, made, owner, id, mates: [] };
};
export const group = (part) => ({ kind: 'group', part });
export const part = (value) =>
  value?.kind === 'group' ? part(value.part) : value?.kind === 'thing' ? value : undefined;
/** A thing and those that it stands for. */
export const all = (value) => (part(value) === undefined ? [] : [part(value), ...part(value).mates]);
/** One of several values, which stands for the others as well. */
export const joined = (values) => {
  const found = values.find((each) => part(each)) ?? values.find((each) => each !== undefined);
  const first = part(found);
  const mates = values.flatMap(all).filter((each) => each.id !== first.id);
  if (mates.length === 0) return found;
  const both = { ...first, mates: [...new Map(mates.map((each) => [each.id, each])).values()] };
  return found.kind === 'group' ? group(both) : both;
};

/** What the suite shows about origins: which are objects of the artifact's classes. Grows with each reading. */
export class Knowledge {
  kinds = new Map();
  isChanged = false;
  work = 0;
  count = 0;

  /** The place of a value in the order in which the suite makes them. */
  next() {
    this.count += 1;
    return this.count;
  }

  show(value, kind = null) {
    if (value?.kind !== 'thing') return;
    const known = this.kinds.get(value.origin);
    if (known === undefined || (known === null && kind !== null)) {
      this.kinds.set(value.origin, kind);
      this.isChanged = true;
    }
  }

  isObject = (value) => value?.kind === 'thing' && this.kinds.has(value.origin);

  label({ origin }) {
    const kind = this.kinds.get(origin);
    if (kind) return `an object of ${kind}`;
    return origin.endsWith('()') ? `what ${origin} answers` : origin;
  }
}

/** The variables of a function, and those around it. */
export class Scope {
  names = new Map();
  constructor(outer = null) {
    this.outer = outer;
  }
  get = (name) => (this.names.has(name) ? this.names.get(name) : this.outer?.get(name));
  has = (name) => this.names.has(name) || this.outer?.has(name) === true;
  set = (name, value) => this.names.set(name, value);
  change(name, value) {
    let scope = this;
    while (!scope.names.has(name) && scope.outer !== null) scope = scope.outer;
    scope.names.set(name, value);
  }
  inside = () => new Scope(this);
}
