import type { Action, ArgumentRule, Policy } from './policy.ts';
import { type Architecture, syscallNumbers } from './syscalls.ts';

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const auditArchitecture: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
/** On x86-64, numbers from here on are the x32 entry to the same calls. */
const X32_BIT = 0x4000_0000;

const [NUMBER, ARCHITECTURE] = [0, 4];
/** Offset of an argument's lower half; the upper half follows. Both architectures are little-endian. */
const argumentOffset = (argument: number): number => 16 + 8 * argument;

interface Instruction {
  readonly code: number;
  /** Instructions to skip when the test holds, and when it does not. */
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly operand: number;
}

const load = (offset: number): Instruction => ({ code: 0x20, jumpTrue: 0, jumpFalse: 0, operand: offset });
const jump =
  (code: number) =>
  (operand: number, jumpTrue: number, jumpFalse: number): Instruction => ({
    code,
    jumpTrue,
    jumpFalse,
    operand: operand >>> 0,
  });
const jumpIfEqual = jump(0x15);
const jumpIfAtLeast = jump(0x35);
const jumpIfAnyBit = jump(0x45);
const mask = (operand: number): Instruction => ({
  code: 0x54,
  jumpTrue: 0,
  jumpFalse: 0,
  operand: operand >>> 0,
});

/** SECCOMP_RET_ALLOW, KILL_PROCESS, ERRNO and USER_NOTIF. */
const results = { allow: 0x7fff_0000, kill: 0x8000_0000, errno: 0x0005_0000, notify: 0x7fc0_0000 } as const;

type Result = (action: Action | 'notify') => Instruction;

function resultOf(forbidden: 'kill' | 'notify'): Result {
  return (action) => {
    const value =
      typeof action === 'object'
        ? results.errno | action.errno
        : results[action === 'kill' ? forbidden : action];
    return { code: 0x06, jumpTrue: 0, jumpFalse: 0, operand: value };
  };
}

/** Decides one argument; every way through it ends in a result. */
function ruleBody(rule: ArgumentRule, result: Result): Instruction[] {
  const low = argumentOffset(rule.argument);
  if (rule.oneOf) {
    const { length } = rule.oneOf;
    return [
      load(low + 4),
      jumpIfEqual(0, 0, length + 1),
      load(low),
      // Each test jumps over the remaining ones and the refusal.
      ...rule.oneOf.map((value, index) => jumpIfEqual(value, length - index, 0)),
      result(rule.otherwise),
      result(rule.met),
    ];
  }
  const { allBits = 0, noBits = 0 } = rule;
  return [
    load(low),
    jumpIfAnyBit(noBits, 3, 0),
    mask(allBits),
    jumpIfEqual(allBits, 0, 1),
    result(rule.met),
    result(rule.otherwise),
  ];
}

/**
 * Calls that arm64 never had, and what its C library calls in their place. A policy that decides about the
 * old name decides the same about the new one.
 */
const successors: ReadonlyMap<string, string> = new Map([
  ['access', 'faccessat'],
  ['readlink', 'readlinkat'],
  ['dup2', 'dup3'],
  ['epoll_wait', 'epoll_pwait'],
  ['pipe', 'pipe2'],
  ['poll', 'ppoll'],
  ['select', 'pselect6'],
  ['getpgrp', 'getpgid'],
  ['alarm', 'setitimer'],
  ['unlink', 'unlinkat'],
  ['rmdir', 'unlinkat'],
  ['mkdir', 'mkdirat'],
  ['rename', 'renameat'],
  ['chmod', 'fchmodat'],
  ['symlink', 'symlinkat'],
  ['link', 'linkat'],
]);

/** Maps system call numbers of an architecture to a policy's decisions. Absent numbers are killed. */
function decisions(policy: Policy, architecture: Architecture): ReadonlyMap<number, Action | ArgumentRule> {
  const numbers = syscallNumbers[architecture];
  const named = new Map<string, Action | ArgumentRule>([
    ...policy.allow.map((name) => [name, 'allow'] as const),
    ...Object.entries(policy.errno).map(([name, errno]) => [name, { errno }] as const),
    ...Object.entries(policy.rules),
  ]);
  for (const [old, successor] of successors) {
    const decision = named.get(old);
    if (decision !== undefined && !numbers.has(old) && !named.has(successor)) named.set(successor, decision);
  }
  const decided = new Map<number, Action | ArgumentRule>();
  for (const [name, decision] of named) {
    const number = numbers.get(name);
    if (number !== undefined) decided.set(number, decision);
  }
  return decided;
}

const isRule = (decision: Action | ArgumentRule): decision is ArgumentRule =>
  typeof decision === 'object' && 'argument' in decision;

/** Options of a filter beside its policy. */
export interface FilterOptions {
  /**
   * Action for a forbidden call: `kill` (default), or `notify`, where a supervisor holds the filter's
   * listener. Before a listener exists, `notify` refuses with ENOSYS. Both filters of a box must use the same
   * value, since killing outranks notifying.
   */
  readonly forbidden?: 'kill' | 'notify';
  /** Allowed calls that the supervisor is to look at first. */
  readonly watched?: readonly string[];
}

/**
 * Assembles a policy into the bytes of a classic BPF program, as seccomp(2) and `bwrap --seccomp` take it:
 * the architecture, then x32, then the calls that look at arguments, then the others; the rest is killed.
 * Pure.
 */
export function assembleFilter(
  policy: Policy,
  architecture: Architecture,
  options: FilterOptions = {},
): Uint8Array {
  const result = resultOf(options.forbidden ?? 'kill');
  const watched = new Set(options.watched?.map((name) => syscallNumbers[architecture].get(name)));
  const program: Instruction[] = [
    load(ARCHITECTURE),
    jumpIfEqual(auditArchitecture[architecture], 1, 0),
    result('kill'),
    load(NUMBER),
  ];
  if (architecture === 'x64') program.push(jumpIfAtLeast(X32_BIT, 0, 1), result('kill'));

  const decided = [...decisions(policy, architecture)];
  for (const [number, decision] of decided) {
    if (!isRule(decision)) continue;
    const body = ruleBody(decision, result);
    program.push(jumpIfEqual(number, 0, body.length), ...body);
  }
  for (const [number, decision] of decided) {
    if (isRule(decision)) continue;
    const looked = decision === 'allow' && watched.has(number);
    program.push(jumpIfEqual(number, 0, 1), result(looked ? 'notify' : decision));
  }
  program.push(result('kill'));

  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, { code, jumpTrue, jumpFalse, operand }] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jumpTrue);
    bytes.setUint8(index * 8 + 3, jumpFalse);
    bytes.setUint32(index * 8 + 4, operand, true);
  }
  return new Uint8Array(bytes.buffer);
}
