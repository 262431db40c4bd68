import { describe, expect, it } from 'vitest';
import { type ContainerOptions, containerArguments } from '../src/container/command.ts';
import { diagnoseEngine, diagnoseImage, noGvisorInDocker } from '../src/container/diagnose.ts';
import { podmanOptions } from '../src/container/engine.ts';
import { ownerOf } from '../src/container/groups.ts';
import { imageTag, sharedLibraries } from '../src/container/image.ts';
import { mappedUser } from '../src/container/probe.ts';
import { traceSession } from '../src/container/trace-sink.ts';
import type { MachineFacts } from '../src/isolation/diagnosis.ts';
import { mergeLimits } from '../src/limits.ts';
import { ociProfile } from '../src/seccomp/oci.ts';
import { type PolicyName, policies } from '../src/seccomp/policy.ts';
import { syscallNumbers } from '../src/seccomp/syscalls.ts';

const options: ContainerOptions = {
  engine: 'podman',
  runtime: null,
  name: 'bonafide-judge-1-a',
  owner: 1,
  image: 'localhost/bonafide-judge:1',
  interpreter: '/usr/bin/python3',
  program: {
    files: [],
    command: (python) => [python, '-s', '/judge/worker.py'],
    environment: { HOME: '/box' },
  },
  limits: mergeLimits({ wallMs: 1500, diskBytes: 4096, memoryHardBytes: 1 << 20, pids: 10, cpus: 1 }),
  user: 65_534,
  firstUser: 2_000_000_000,
  parentGroup: 'bonafide-containers-1-a',
  limited: true,
  withDataLimit: false,
  seccomp: '/run/seccomp.json',
  pidFile: '/run/pid',
  conmonFile: '/run/conmon',
  mounts: { '/run/judge': '/judge' },
};

const machine: MachineFacts = {
  platform: 'linux',
  architecture: 'x64',
  osRelease: 'ID=debian\n',
  apparmorRestrictsUserns: null,
  unprivilegedUsernsClone: null,
  maxUserNamespaces: null,
  inContainer: false,
};

describe('the command of a container', () => {
  it('JDG-8 JDG-9 both engines are asked for the same walls', () => {
    for (const engine of ['podman', 'docker'] as const) {
      const args = containerArguments({ ...options, engine });
      expect(args).toEqual(
        expect.arrayContaining([
          ...['--rm', '--pull=never', '--network=none', '--ipc=private', '--cgroupns=private', '--read-only'],
          ...['--cap-drop=all', '--security-opt=seccomp=/run/seccomp.json', '--user=65534:65534'],
          ...['--log-driver=none', '--memory=1048576', '--memory-swap=1048576', '--cpus=1'],
          ...[
            '--ulimit=core=0:0',
            '--ulimit=nofile=256:256',
            '--ulimit=nproc=1000:1000',
            '--ulimit=fsize=8192:8192',
          ],
          '--tmpfs=/box:rw,mode=1777,size=4096,nosuid,nodev,noexec',
          '--env=HOME=/box',
        ]),
      );
      expect(args.filter((arg) => /^--tmpfs=.*:ro/.test(arg))).toHaveLength(3);
      expect(args.some((arg) => arg.startsWith('--security-opt=no-new-privileges'))).toBe(true);
      expect(args.join(' ')).not.toMatch(/privileged=|--device|--pid=host|--network=host|:rw /);
      expect(args.indexOf('--network=none')).toBeLessThan(args.indexOf(options.image));
    }
  });

  it('JDG-9 podman maps users and keeps two descriptors; docker makes them of the standard streams', () => {
    const podman = containerArguments(options);
    expect(podman).toContain('--uidmap=0:2000000000:65536');
    expect(podman).toContain('--preserve-fds=2');
    expect(podman).toContain('--cgroup-parent=/bonafide-containers-1-a');
    expect([ownerOf('bonafide-containers-17-a'), ownerOf('libpod_parent')]).toEqual([17, null]);
    const rootless = containerArguments({ ...options, firstUser: null });
    expect(rootless).toContain('--userns=keep-id:uid=65534,gid=65534');
    expect(rootless.join(' ')).not.toContain('--uidmap');
    expect(podman).toContain('--unsetenv-all');
    expect(podman).toContain('--volume=/run/judge:/judge:ro,nosuid,nodev');
    expect(podman.slice(-3)).toEqual(['/usr/bin/python3', '-s', '/judge/worker.py']);
    const docker = containerArguments({ ...options, engine: 'docker', runtime: 'kata' });
    expect(docker.join(' ')).not.toMatch(/uidmap|preserve-fds/);
    expect(docker).toContain('--interactive');
    expect(docker).toContain('--runtime=kata');
    expect(docker).toContain('--mount=type=bind,src=/run/judge,dst=/judge,readonly');
    expect(docker.slice(-5, -2)).toEqual(['-B', '/judge/enter.py', '/usr/bin/python3']);
  });

  it("JDG-8 with a runtime's own kernel, podman hands on the standard streams, and work folders are this machine's", () => {
    const disks = { '/run/disk-box': '/box', '/run/disk-shm': '/dev/shm' };
    const args = containerArguments({ ...options, limited: false, ownKernel: true, disks });
    expect(args).toContain('--interactive');
    expect(args.join(' ')).not.toMatch(/--preserve-fds|--tmpfs=\/box|--tmpfs=\/dev\/shm|--memory/);
    expect(args).toContain('--volume=/run/disk-box:/box:rw,nosuid,nodev,noexec');
    expect(args).toContain('--volume=/run/disk-shm:/dev/shm:rw,nosuid,nodev,noexec');
    // Such a kernel makes a /tmp that can be written to where it is given none.
    expect(args).toContain('--tmpfs=/tmp:ro,size=4096');
    // It counts the processes of this box alone.
    expect(args).toContain('--ulimit=nproc=26:26');
    expect(args.slice(-4)).toEqual(['/judge/enter.py', '/usr/bin/python3', '-s', '/judge/worker.py']);
    const builds = { ...options.program, executesOwnFiles: true };
    expect(containerArguments({ ...options, ownKernel: true, disks, program: builds })).toContain(
      '--volume=/run/disk-box:/box:rw,nosuid,nodev,exec',
    );
  });

  it('JDG-11 gVisor is told to heed filters and to report threads, and no engine but podman can tell it', () => {
    const told = podmanOptions('/cache', '/usr/bin/runsc', '/cache/threads-1-a').join(' ');
    for (const option of ['network=none', 'oci-seccomp', 'pod-init-config=/cache/threads-1-a'])
      expect(told).toContain(`--runtime-flag ${option}`);
    expect(podmanOptions('/cache', '/usr/sbin/runc').join(' ')).not.toContain('--runtime-flag');
    const session = traceSession({ exit: 60, execve: 59 }, '/cache/sock').trace_session;
    expect(session.points.map((point) => point.name)).toEqual([
      ...['sentry/clone', 'sentry/task_exit', 'syscall/sysno/60/enter'],
      ...['syscall/sysno/59/enter', 'syscall/sysno/59/exit'],
    ]);
    expect(session.sinks[0]?.config.endpoint).toBe('/cache/sock');
    expect(noGvisorInDocker((packages) => `install ${packages}`).remedy).toContain('podman');
  });

  it('JDG-10 without cgroups, what a process may write to is limited instead, but not for engines that reserve', () => {
    const bare = { ...options, limited: false, withDataLimit: true };
    expect(containerArguments(bare).join(' ')).not.toContain('--memory');
    expect(containerArguments(bare)).toContain(
      `--ulimit=data=${(1 << 20) + (512 << 20)}:${(1 << 20) + (512 << 20)}`,
    );
    const reserving = { ...bare, program: { ...options.program, reservesMemory: true } };
    expect(containerArguments(reserving).join(' ')).not.toContain('--ulimit=data');
  });

  it("JDG-8 podman's storage is the judge's own", () => {
    const told = podmanOptions('/cache', '/usr/sbin/runc').join(' ');
    expect(told).toContain('--root /cache/storage --runroot /cache/state --tmpdir /cache/libpod');
    expect(told).toContain('--runtime /usr/sbin/runc');
  });

  it('JDG-8 an image is named after its content, and has the libraries that ldd names', () => {
    expect(imageTag('0123456789abcdef0123')).toBe('localhost/bonafide-judge:0123456789abcdef');
    const printed = [
      '/usr/bin/python3:',
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f01)',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)',
      '\tlibgone.so => not found',
      '/usr/lib/x.so:',
      '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f03)',
    ].join('\n');
    expect(sharedLibraries(printed)).toEqual([
      '/lib/x86_64-linux-gnu/libm.so.6',
      '/lib64/ld-linux-x86-64.so.2',
    ]);
    expect([mappedUser('/var/lib/docker/231072.231072'), mappedUser('/var/lib/docker')]).toEqual([
      231_072,
      null,
    ]);
  });
});

describe('the filter of a container', () => {
  const names = Object.keys(policies) as PolicyName[];

  it.each(names)(
    'JDG-9 %s lets through what the policy lets through, and refuses with the same errno',
    (name) => {
      const policy = policies[name];
      const profile = ociProfile(policy, 'x64');
      const allowed = new Set(
        profile.syscalls.flatMap((rule) => (rule.action === 'SCMP_ACT_ALLOW' ? rule.names : [])),
      );
      for (const call of policy.allow) expect(allowed.has(call), call).toBe(true);
      for (const call of allowed)
        expect(policy.allow.includes(call) || call in policy.rules, call).toBe(true);
      const refused = Object.fromEntries(
        profile.syscalls.flatMap((rule) =>
          rule.action === 'SCMP_ACT_ERRNO' ? rule.names.map((call) => [call, rule.errnoRet]) : [],
        ),
      );
      expect(refused).toEqual(policy.errno);
      expect(profile.defaultAction).toBe('SCMP_ACT_KILL_PROCESS');
      // What is forbidden by its arguments is not let through without looking at them.
      for (const [call, rule] of Object.entries(policy.rules)) {
        const entries = profile.syscalls.filter((entry) => entry.names.includes(call));
        if (rule.met === 'allow' && rule.otherwise === 'kill')
          expect(
            entries.every((entry) => (entry.args?.length ?? 0) > 0),
            call,
          ).toBe(true);
      }
    },
  );

  it('JDG-9 no process of a container may make a namespace of its own', () => {
    const clone = ociProfile(policies.LAUNCH, 'x64').syscalls.find((rule) => rule.names.includes('clone'));
    expect(clone?.args).toEqual([{ index: 0, value: 0x7e02_0000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]);
  });

  it('JDG-11 under a supervisor, nothing that it must see is decided before', () => {
    const profile = ociProfile(policies.LAUNCH, 'arm64', { forbidden: 'notify' });
    expect(profile.defaultAction).toBe('SCMP_ACT_TRACE');
    expect(profile.architectures).toEqual(['SCMP_ARCH_AARCH64']);
    const listed = new Set(profile.syscalls.flatMap((rule) => rule.names));
    // What arm64 has in the place of calls that it never had is on the list by its own name.
    for (const call of [
      'faccessat',
      'readlinkat',
      'dup3',
      'ppoll',
      'pselect6',
      'unlinkat',
      'renameat',
      'linkat',
    ])
      expect([call, listed.has(call) && syscallNumbers.arm64.has(call)]).toEqual([call, true]);
  });
});

describe('why there is no container', () => {
  it('JDG-8 names the cause and one line that mends it', () => {
    const causes: [string, 'podman' | 'docker', string, RegExp][] = [
      [
        'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.',
        'docker',
        'daemon',
        /systemctl/,
      ],
      ['protection is missing (namespaces: shared with the host: user)', 'docker', 'users', /userns-remap/],
      ['cannot find newuidmap: executable file not found', 'podman', 'users', /uidmap.*usermod/],
      ['cgroups in hybrid mode not supported, drop all controllers from cgroupv2', 'podman', 'crun', /runc/],
      ['Error: unknown flag: --unsetenv-all', 'podman', 'too old', /podman/],
      ['podman refused: flag provided but not defined: -preserve-fds', 'podman', 'runtime', /runc/],
      ['protection is missing (uid: runs as 0)', 'podman', 'not as tight', /runc/],
      ['something else', 'podman', 'something else', /podman run/],
    ];
    for (const [said, engine, cause, remedy] of causes) {
      const found = diagnoseEngine(said, engine, machine);
      expect(found.cause, said).toContain(cause);
      expect(found.remedy, said).toMatch(remedy);
      expect(found.remedy).not.toContain('\n');
    }
    expect(diagnoseEngine('x', 'podman', { ...machine, inContainer: true }).remedy).toContain('--privileged');
    expect(diagnoseImage('no such image', 'podman', 'mine:1', machine).cause).toContain('mine:1');
    expect(diagnoseImage('disk full', 'podman', null, machine).cause).toContain('disk full');
    expect(diagnoseImage('no subuid ranges', 'podman', null, machine).remedy).toContain('usermod');
  });
});
