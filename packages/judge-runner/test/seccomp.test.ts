import { describe, expect, it } from 'vitest';
import { assembleFilter } from '../src/seccomp/assemble.ts';
import { type Action, type Policy, type PolicyName, policies } from '../src/seccomp/policy.ts';
import { type Architecture, syscallNumbers } from '../src/seccomp/syscalls.ts';
import { interpret } from './bpf.ts';

const [ALLOW, KILL, ERRNO, NOTIFY] = [0x7fff_0000, 0x8000_0000, 0x0005_0000, 0x7fc0_0000];
const tokens: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const architectures: readonly Architecture[] = ['x64', 'arm64'];
const names: readonly PolicyName[] = ['STRICT', 'EXTENDED', 'PROCESSES', 'NODE', 'LAUNCH', 'LAUNCH_NODE'];

const spell = (action: Action) =>
  action === 'allow' ? ALLOW : action === 'kill' ? KILL : ERRNO | action.errno;

/** What arm64's C library calls where x86-64 has an older call. Written down a second time, on purpose. */
const older: Record<string, readonly string[]> = {
  faccessat: ['access'],
  readlinkat: ['readlink'],
  dup3: ['dup2'],
  epoll_pwait: ['epoll_wait'],
  pipe2: ['pipe'],
  ppoll: ['poll'],
  pselect6: ['select'],
  getpgid: ['getpgrp'],
  setitimer: ['alarm'],
  unlinkat: ['unlink', 'rmdir'],
  mkdirat: ['mkdir'],
  renameat: ['rename'],
  fchmodat: ['chmod'],
  symlinkat: ['symlink'],
  linkat: ['link'],
};

/** What the policy means, read straight from its data. */
function meaning(
  policy: Policy,
  name: string | undefined,
  architecture: Architecture,
  args: readonly bigint[],
): number {
  if (name === undefined) return KILL;
  const rule = policy.rules[name];
  if (rule) {
    const value = args[rule.argument] ?? 0n;
    const low = Number(BigInt.asUintN(32, value));
    const met = rule.oneOf
      ? rule.oneOf.some((allowed) => BigInt(allowed) === BigInt.asUintN(64, value))
      : (low & (rule.allBits ?? 0)) >>> 0 === (rule.allBits ?? 0) && (low & (rule.noBits ?? 0)) === 0;
    return spell(met ? rule.met : rule.otherwise);
  }
  if (policy.allow.includes(name)) return ALLOW;
  const errno = policy.errno[name];
  if (errno !== undefined) return ERRNO | errno;
  if (architecture === 'arm64') {
    for (const old of older[name] ?? []) {
      if (policy.allow.includes(old)) return ALLOW;
      const oldErrno = policy.errno[old];
      if (oldErrno !== undefined) return ERRNO | oldErrno;
    }
  }
  return KILL;
}

const interesting = [
  0n,
  1n,
  2n,
  3n,
  4n,
  10n,
  1030n,
  0x5401n,
  0x5413n,
  0x541bn,
  0x5421n,
  0x5450n,
  0x5451n,
  0x5412n,
  0x10000n,
  0x3d0f00n,
  0x1001_0000n,
  0x7e02_0000n,
  0x2_0000n,
  0x1_0000_0000n,
  0x1_0000_0001n,
  0xffff_ffff_0000_0001n,
  -1n,
];

describe('seccomp filters', () => {
  for (const architecture of architectures) {
    for (const name of names) {
      it(`JDG-9 ${name} on ${architecture} decides every call number and argument as its policy says`, () => {
        const policy = policies[name];
        const program = assembleFilter(policy, architecture);
        const byNumber = new Map([...syscallNumbers[architecture]].map(([call, number]) => [number, call]));
        let wrong = 0;
        let cases = 0;
        for (let number = 0; number < 1100; number += 1) {
          for (const value of interesting) {
            const args = Array.from({ length: 6 }, () => value);
            const expected = meaning(policy, byNumber.get(number), architecture, args);
            cases += 1;
            if (interpret(program, { number, architecture: tokens[architecture], args }) !== expected)
              wrong += 1;
          }
        }
        expect({ cases, wrong }).toEqual({ cases: 1100 * interesting.length, wrong: 0 });
      });

      it(`JDG-9 ${name} on ${architecture} kills every foreign architecture and every x32 number`, () => {
        const program = assembleFilter(policies[name], architecture);
        const run = (number: number, token: number) =>
          interpret(program, { number, architecture: token, args: [0n, 0n, 0n, 0n, 0n, 0n] });
        for (let number = 0; number < 500; number += 1) {
          for (const token of [0x4000_0003, 0x4000_0028, 0, 0xffff_ffff])
            expect(run(number, token)).toBe(KILL);
          if (architecture === 'x64') expect(run(0x4000_0000 + number, tokens.x64)).toBe(KILL);
        }
        for (const number of [0x7fff_ffff, 0xffff_ffff]) expect(run(number, tokens[architecture])).toBe(KILL);
      });
    }
  }

  it('JDG-11 with a supervisor, notifying takes the place of killing, and watched calls are looked at', () => {
    for (const architecture of architectures) {
      for (const name of names) {
        const plain = assembleFilter(policies[name], architecture);
        const notified = assembleFilter(policies[name], architecture, {
          forbidden: 'notify',
          watched: ['openat'],
        });
        const openat = syscallNumbers[architecture].get('openat');
        for (let number = 0; number < 600; number += 1) {
          for (const token of [tokens[architecture], 0x4000_0003]) {
            const call = { number, architecture: token, args: [1n, 1n, 1n, 1n, 1n, 1n] };
            const before = interpret(plain, call);
            const watched = number === openat && before === ALLOW;
            expect(interpret(notified, call)).toBe(before === KILL || watched ? NOTIFY : before);
          }
        }
      }
    }
  });

  it('JDG-9 JDG-24 STRICT permits what ordinary programs do in passing, and no list names a call twice', () => {
    const { allow, rules } = policies.STRICT;
    expect(allow).toEqual(expect.arrayContaining(['mkdir', 'unlink', 'fdatasync', 'epoll_wait', 'pwrite64']));
    expect(Object.keys(rules)).toHaveLength(6);
    for (const call of ['fork', 'vfork', 'execve', 'connect', 'kill', 'ptrace'])
      expect(allow).not.toContain(call);
    for (const policy of Object.values(policies)) {
      // A rule comes first, so that naming its call among the allowed ones as well would only mislead.
      const all = [...policy.allow, ...Object.keys(policy.rules), ...Object.keys(policy.errno)];
      expect(all.filter((call, index) => all.indexOf(call) !== index)).toEqual([]);
      for (const call of all) expect(syscallNumbers.x64.has(call), call).toBe(true);
    }
  });

  it('JDG-9 a profile never allows what LAUNCH, which it is stacked on, kills', () => {
    const launch = policies.LAUNCH;
    const known = new Set([...launch.allow, ...Object.keys(launch.rules), ...Object.keys(launch.errno)]);
    for (const name of names) {
      for (const call of policies[name].allow) expect(known.has(call), `${name} ${call}`).toBe(true);
    }
  });

  it('JDG-9 the innocent calls that STRICT refuses are not killed by LAUNCH either', () => {
    for (const call of Object.keys(policies.STRICT.errno)) {
      const known = policies.LAUNCH.allow.includes(call) || call in policies.LAUNCH.errno;
      expect(known, call).toBe(true);
    }
  });

  it('JDG-9 a filter fits the kernel: at most 4096 instructions', () => {
    for (const name of names) expect(assembleFilter(policies[name], 'x64').length / 8).toBeLessThan(600);
  });
});
