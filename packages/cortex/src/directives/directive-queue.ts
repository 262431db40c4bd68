import type { Directive, ProposedDirective } from './directive.ts';

/** Limits of the queue. */
export interface DirectiveLimits {
  readonly directiveTtlMs: number;
  readonly maxDirectives: number;
}

const isSame = (a: Pick<Directive, 'peerId' | 'kind' | 'params' | 'suggestion'>, b: typeof a): boolean =>
  a.peerId === b.peerId &&
  a.kind === b.kind &&
  a.suggestion === b.suggestion &&
  JSON.stringify(a.params) === JSON.stringify(b.params);

/** Returns the directives that have not expired. Pure. */
export function unexpired(directives: readonly Directive[], now: number): Directive[] {
  return directives.filter((directive) => directive.expiresAt > now);
}

/**
 * Adds the directives of a cycle. Pure. One that is already in the queue only has its expiry extended. Free text waits for
 * the operator. Beyond the limit the oldest are dropped.
 */
export function addDirectives(
  held: readonly Directive[],
  proposed: readonly ProposedDirective[],
  context: { readonly cycle: number; readonly now: number } & DirectiveLimits,
): { readonly directives: Directive[]; readonly issued: readonly string[] } {
  const { cycle, now, directiveTtlMs } = context;
  let directives = unexpired(held, now);
  const issued: string[] = [];
  for (const [index, proposal] of proposed.entries()) {
    const expiresAt = now + directiveTtlMs;
    if (directives.some((one) => isSame(one, proposal))) {
      directives = directives.map((one) => (isSame(one, proposal) ? { ...one, expiresAt } : one));
      continue;
    }
    const id = `d${cycle}-${index + 1}`;
    const status = proposal.suggestion === null ? 'open' : 'waiting';
    const params = { ...proposal.params };
    directives.push({ ...proposal, params, id, cycle, status, createdAt: now, expiresAt });
    issued.push(id);
  }
  return { directives: directives.slice(-context.maxDirectives), issued };
}
