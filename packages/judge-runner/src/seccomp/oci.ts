import type { ArgumentRule, Policy } from './policy.ts';
import type { Architecture } from './syscalls.ts';

const architectures: Readonly<Record<Architecture, string>> = {
  x64: 'SCMP_ARCH_X86_64',
  arm64: 'SCMP_ARCH_AARCH64',
};

/** One entry of an OCI runtime's filter, as podman and docker read it from `--security-opt seccomp=`. */
export interface OciRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  readonly errnoRet?: number;
  readonly args?: readonly {
    readonly index: number;
    readonly value: number;
    readonly valueTwo?: number;
    readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ';
  }[];
}

/** A filter in the language of the OCI runtime specification. */
export interface OciProfile {
  readonly defaultAction: 'SCMP_ACT_KILL_PROCESS' | 'SCMP_ACT_TRACE';
  readonly architectures: readonly string[];
  readonly syscalls: readonly OciRule[];
}

function ruleEntries(name: string, rule: ArgumentRule): OciRule[] {
  const allow = { names: [name], action: 'SCMP_ACT_ALLOW' } as const;
  // An errno for every other value cannot be said in this language; the launcher's own filter says it.
  if (rule.met !== 'allow' || typeof rule.otherwise === 'object') return [allow];
  const index = rule.argument;
  if (rule.oneOf)
    return rule.oneOf.map((value) => ({ ...allow, args: [{ index, value, op: 'SCMP_CMP_EQ' }] }));
  const { allBits = 0, noBits = 0 } = rule;
  return [
    { ...allow, args: [{ index, value: allBits | noBits, valueTwo: allBits, op: 'SCMP_CMP_MASKED_EQ' }] },
  ];
}

/**
 * A policy as the filter that a container is started with: the first of two, the launcher loads the second, exact one.
 * With `forbidden: 'notify'` what is forbidden is refused like a call that the kernel does not have
 * (`SCMP_ACT_TRACE` without a tracer): killing or an errno would outrank the second filter, whose listener the
 * supervisor holds. Pure.
 */
export function ociProfile(
  policy: Policy,
  architecture: Architecture,
  { forbidden = 'kill' }: { readonly forbidden?: 'kill' | 'notify' } = {},
): OciProfile {
  const byErrno = Map.groupBy(Object.entries(policy.errno), ([, errno]) => errno);
  return {
    defaultAction: forbidden === 'notify' ? 'SCMP_ACT_TRACE' : 'SCMP_ACT_KILL_PROCESS',
    architectures: [architectures[architecture]],
    syscalls: [
      { names: policy.allow.filter((name) => !(name in policy.rules)), action: 'SCMP_ACT_ALLOW' },
      ...Object.entries(policy.rules).flatMap(([name, rule]) => ruleEntries(name, rule)),
      ...[...byErrno].map(([errnoRet, entries]) => ({
        names: entries.map(([name]) => name),
        action: 'SCMP_ACT_ERRNO' as const,
        errnoRet,
      })),
    ],
  };
}
