import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  fatalAttempts,
  type InsideFacts,
  insideLayers,
  kernelLayer,
  type OutsideFacts,
} from '../src/isolation/own-kernel.ts';
import { missingProtection } from '../src/isolation/protection.ts';
import { type PolicyName, policies } from '../src/seccomp/policy.ts';

/** Facts of a box of gVisor in which every wall stands. */
const inside: InsideFacts = {
  status: [
    'Uid:\t65534 65534 65534 65534',
    ...['Inh', 'Prm', 'Eff', 'Bnd'].map((name) => `Cap${name}:\t0000000000000000`),
    'Seccomp:\t2',
  ].join('\n'),
  mounts: [
    '8 8 0:8 / / ro - 9p none ro',
    '10 8 0:10 / /box rw,noexec - 9p none rw',
    '13 8 0:6 / /dev rw,noexec - tmpfs none rw,mode=0755',
    '14 8 0:13 / /proc rw,noexec - proc none rw',
    '15 13 0:14 / /dev/shm rw,noexec - 9p none rw',
    '16 8 0:15 / /tmp ro - tmpfs none ro,size=4096',
  ].join('\n'),
  interfaces: ['lo'],
  processes: [1],
  descriptors: [0, 1, 2, 3, 4],
  environment: ['HOME', 'HOSTNAME', 'LC_ALL', 'PATH'],
  noNewPrivileges: 1,
  limits: { CORE: 0, CPU: 62, FSIZE: 104_861_696, NOFILE: 256, MEMLOCK: 65_536 },
  written: [],
  network: 'refused',
  namespace: 'refused',
  forbidden: 31,
};
const broken = (facts: Partial<InsideFacts>): string[] =>
  missingProtection(insideLayers({ ...inside, ...facts }, ['HOME', 'LC_ALL', 'PATH'])).map(
    (text) => text.split(':')[0] ?? '',
  );

const kernel = { name: 'gVisor 1', program: '/usr/bin/runsc' };
const sentry: OutsideFacts = {
  pid: 7,
  program: '/usr/bin/runsc',
  users: ['65534', '65534', '65534', '65534'],
  shared: [],
  seccomp: true,
  noNewPrivileges: true,
  writable: [],
  interfaces: ['lo'],
};

describe('the walls of a box with its own kernel', () => {
  it('JDG-8 stand when everything that was measured inside is as it must be, and are said to be measured there', () => {
    expect(broken({})).toEqual([]);
    const layers = insideLayers(inside, ['LC_ALL']);
    expect(layers.every((layer) => layer.measured === 'inside')).toBe(true);
  });

  it.each<[string, Partial<InsideFacts>, string]>([
    ['another user', { status: inside.status.replaceAll('65534', '0') }, 'uid'],
    ['a capability', { status: inside.status.replace('CapBnd:\t00', 'CapBnd:\t01') }, 'capabilities'],
    ['a card', { interfaces: ['lo', 'eth0'] }, 'namespaces'],
    ['a neighbor', { processes: [1, 2] }, 'namespaces'],
    ['a mount', { mounts: `${inside.mounts}\n17 8 0:16 / /mnt rw - 9p none rw` }, 'read-only-root'],
    ['a folder', { written: ['/etc'] }, 'read-only-root'],
    ['a descriptor', { descriptors: [0, 1, 2, 3, 4, 9] }, 'descriptors'],
    ['a variable', { environment: ['HOME', 'SECRET'] }, 'descriptors'],
    ['privileges', { noNewPrivileges: 0 }, 'no-new-privileges'],
    ['a socket', { network: 'done' }, 'seccomp-profile'],
    ['a filter that is not there', { forbidden: 'refused' }, 'seccomp-profile'],
    ['core files', { limits: { ...inside.limits, CORE: 1 } }, 'rlimits'],
    ['files without end', { limits: { ...inside.limits, FSIZE: -1 } }, 'rlimits'],
  ])('JDG-8 a box in which there is %s is refused', (_name, facts, layer) => {
    expect(broken(facts)).toEqual([layer]);
  });

  it('JDG-8 a namespace that could be made shows two walls that are not there, and every fatal attempt is reported', () => {
    expect(broken({ namespace: 'done' })).toEqual(['namespaces', 'seccomp-launch']);
    expect([fatalAttempts(inside), fatalAttempts({ ...inside, network: 31 })]).toEqual([1, 2]);
  });

  it.each<[string, Partial<OutsideFacts>]>([
    ['is another program', { program: '/usr/bin/python3' }],
    ['is root', { users: ['0'] }],
    ['shares the network', { shared: ['net'] }],
    ['has no filter', { seccomp: false }],
    ['may gain privileges', { noNewPrivileges: false }],
    ['can write to this machine', { writable: ['/'] }],
    ['has a card', { interfaces: ['lo', 'eth0'] }],
  ])('JDG-8 a kernel one of whose processes %s is no wall', (_name, facts) => {
    expect(kernelLayer(kernel, [sentry], true).inForce).toBe(true);
    expect(missingProtection([kernelLayer(kernel, [sentry, { ...sentry, ...facts }], true)])).toHaveLength(1);
  });

  it('JDG-8 a kernel that cannot be found is no wall, and newer releases bring programs beside the runtime', () => {
    expect(kernelLayer(kernel, [], true).inForce).toBe(false);
    const beside = { ...sentry, program: '/usr/bin/gvisor-bin/gvisor_sentry' };
    expect(kernelLayer(kernel, [beside], true).inForce).toBe(true);
  });

  it('JDG-9 the call that is tried is allowed to every launcher, and to nothing that it becomes', () => {
    const names = Object.keys(policies) as PolicyName[];
    for (const name of names) {
      const { allow, errno, rules } = policies[name];
      const isAllowed = allow.includes('seccomp');
      expect([name, isAllowed]).toEqual([name, name.startsWith('LAUNCH')]);
      if (!isAllowed) expect(Object.keys({ ...errno, ...rules })).not.toContain('seccomp');
    }
  });
});

/** A kernel as the receiver of its reports sees it: sends messages as gVisor does, and prints what is told of them. */
const reporter = `
import json, socket, struct, subprocess, sys
program, folder, messages = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
def varint(n):
    out = b''
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])
def message(fields):
    out = b''
    for number, value in fields:
        out += varint(number * 8 + 2) + varint(len(value)) + value if isinstance(value, bytes) else varint(number * 8) + varint(value)
    return out
sink = subprocess.Popen([sys.executable, '-I', '-S', '-B', program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
calls = {'exit': 60, 'exit_group': 231, 'execve': 59, 'execveat': 322}
sink.stdin.write(json.dumps({'endpoint': folder + '/sock', 'config': folder + '/config', 'calls': calls}) + chr(10))
sink.stdin.flush()
print(sink.stdout.readline(), end='')
kernel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
kernel.connect(folder + '/sock')
kernel.send(message([(1, 1)]))
assert kernel.recv(100) == message([(1, 1)])
for kind, dropped, thread, group, fields in messages:
    context = message([(2, thread), (4, group), (6, b'box')])
    fields = [(number, value.encode('latin-1') if isinstance(value, str) else value) for number, value in fields]
    kernel.send(struct.pack('<HHI', 8, kind, dropped) + message([(1, context)] + fields))
kernel.close()
for line in sink.stdout:
    print(line, end='')
    if 'gone' in line:
        break
sink.stdin.close()
sink.wait()
`;
const [CLONE, EXIT, CALL] = [2, 5, 6];
type Report = readonly [
  kind: number,
  lost: number,
  thread: number,
  group: number,
  fields: (number | string)[][],
];
const clone = (thread: number, group: number, child: number, childGroup: number): Report => [
  CLONE,
  0,
  thread,
  group,
  [
    [3, child],
    [4, childGroup],
  ],
];
const called = (thread: number, group: number, number: number): Report => [
  CALL,
  0,
  thread,
  group,
  [[4, number]],
];
const replaces = (thread: number, group: number): Report => called(thread, group, 59);
/** With the result: nothing, or an error number. */
const replaced = (thread: number, group: number, result = ''): Report => [
  CALL,
  0,
  thread,
  group,
  [
    [2, result],
    [4, 59],
  ],
];
const ENOENT = '\x10\x02';
const ended = (thread: number, group: number, status = 0): Report => [
  EXIT,
  0,
  thread,
  group,
  status === 0 ? [] : [[2, status]],
];

describe.skipIf(!existsSync('/usr/bin/python3'))("reports of a box's threads", () => {
  const told = async (reports: readonly Report[]): Promise<unknown[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'judge-threads-'));
    try {
      const program = resolve(import.meta.dirname, '../python/trace_sink.py');
      const { stdout } = await promisify(execFile)('/usr/bin/python3', [
        ...['-c', reporter, program, folder, JSON.stringify(reports)],
      ]);
      expect(existsSync(join(folder, 'sock'))).toBe(false);
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return lines.slice(1).filter((line) => !('threads' in line));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const gone = { gone: 'box', lost: 0 };
  const forbidden = { forbidden: 'box' };

  it('JDG-11 ordinary ends are no report: a thread that returns, a process, a signal, another program', async () => {
    const reports = [
      ...[clone(1, 1, 2, 1), called(2, 1, 60), ended(2, 1)],
      ...[
        clone(1, 1, 3, 3),
        clone(3, 3, 4, 3),
        ...[replaces(3, 3), replaced(3, 3), ended(4, 3)],
        called(3, 3, 231),
        ended(3, 3, 5 << 8),
      ],
      ...[clone(1, 1, 5, 5), clone(5, 5, 6, 5), ended(5, 5, 9), ended(6, 5, 9)],
      ...[clone(1, 1, 7, 1), called(1, 1, 231), ended(1, 1, 3 << 8), ended(7, 1, 3 << 8)],
    ];
    expect(await told(reports)).toEqual([gone]);
    expect(await told([called(1, 1, 231), ended(1, 1)])).toEqual([gone]);
    // Other threads may end before it is reported that another program has taken over. Who asked for it takes the first number.
    const second = [
      ...[clone(1, 1, 2, 2), clone(2, 2, 3, 2), clone(2, 2, 4, 2), replaces(4, 2), ended(2, 2), ended(3, 2)],
      ...[replaced(4, 2), called(2, 2, 231), ended(2, 2), called(1, 1, 231), ended(1, 1)],
    ];
    expect(await told(second)).toEqual([gone]);
  });

  it('JDG-11 a thread that ended unasked was killed, also after others, and so was a process that ended by SIGSYS', async () => {
    expect(await told([clone(1, 1, 2, 1), ended(2, 1), called(1, 1, 231), ended(1, 1)])).toEqual([
      forbidden,
      gone,
    ]);
    expect(await told([clone(1, 1, 2, 2), ended(2, 2, 31)])).toEqual([forbidden, gone]);
    // A number is given again: the process that had it before had asked for its end.
    const again = [
      ...[clone(1, 1, 2, 2), called(2, 2, 231), ended(2, 2)],
      ...[clone(1, 1, 2, 2), clone(2, 2, 3, 2), ended(3, 2)],
    ];
    expect(await told(again)).toEqual([forbidden, gone]);
    // Threads of the program that took the process over have not asked for anything.
    const later = [
      ...[clone(1, 1, 2, 1), replaces(1, 1), ended(2, 1), replaced(1, 1)],
      ...[clone(1, 1, 3, 1), ended(3, 1), called(1, 1, 231), ended(1, 1)],
    ];
    expect(await told(later)).toEqual([forbidden, gone]);
    // Nothing took over: who ended meanwhile was killed.
    const failed = [clone(1, 1, 2, 1), replaces(1, 1), ended(2, 1), replaced(1, 1, ENOENT)];
    expect(await told([...failed, called(1, 1, 231), ended(1, 1)])).toEqual([forbidden, gone]);
    expect(await told(failed.slice(0, 3))).toEqual([forbidden, gone]);
  });

  it('JDG-11 what was lost on the way is told', async () => {
    expect(await told([[EXIT, 4, 1, 1, [[2, 256]]]])).toContainEqual({ gone: 'box', lost: 4 });
  });
});
