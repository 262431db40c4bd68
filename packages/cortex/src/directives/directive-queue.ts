import type { Directive, ProposedDirective } from './directive.ts';

/** Limits of the queue. */
export interface DirectiveLimits {
  readonly directiveTtlMs: number;
  readonly maxDirectives: number;
}

type Named = Pick<Directive, 'peerId' | 'kind' | 'params' | 'suggestion'>;

/** Returns true for the same kind about the same peer; of free text also the same words. */
const isAbout = (a: Named, b: Named): boolean =>
  a.peerId === b.peerId && a.kind === b.kind && a.suggestion === b.suggestion;

const isSame = (a: Named, b: Named): boolean =>
  isAbout(a, b) && JSON.stringify(a.params) === JSON.stringify(b.params);

/** Returns the directives that have not expired. Pure. */
export function unexpired(directives: readonly Directive[], now: number): Directive[] {
  return directives.filter((directive) => directive.expiresAt > now);
}

/** Drops the oldest beyond the limit: of suggestions and of directives apart, and none that the operator approved. */
function withinLimit(directives: readonly Directive[], maxDirectives: number): Directive[] {
  const waiting = directives.filter(({ status }) => status === 'waiting');
  const issued = directives.filter(({ status, suggestion }) => status === 'open' && suggestion === null);
  const dropped = new Set([...waiting.slice(0, -maxDirectives), ...issued.slice(0, -maxDirectives)]);
  return directives.filter((directive) => !dropped.has(directive));
}

/**
 * Adds the directives of a cycle. Pure. One that is already in the queue only has its expiry extended; one of the same kind
 * about the same peer with other parameters is replaced. Free text waits for the operator. Beyond the limit the oldest are
 * dropped, see {@link withinLimit}.
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
    // Words that the operator approved stay: only the parameters of a registered kind are replaced.
    directives = directives.filter((one) => !isAbout(one, proposal));
    const id = `d${cycle}-${index + 1}`;
    const status = proposal.suggestion === null ? 'open' : 'waiting';
    const params = { ...proposal.params };
    directives.push({ ...proposal, params, id, cycle, status, createdAt: now, expiresAt });
    issued.push(id);
  }
  const kept = withinLimit(directives, context.maxDirectives);
  return { directives: kept, issued: issued.filter((id) => kept.some((one) => one.id === id)) };
}
