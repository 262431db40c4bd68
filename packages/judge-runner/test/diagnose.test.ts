import { describe, expect, it } from 'vitest';
import { diagnoseRefusal } from '../src/bubblewrap/diagnose.ts';
import { keyedValue, parseCgroupMounts, parseOwnCgroups } from '../src/isolation/cgroup.ts';
import { isDelegated, unitOf } from '../src/isolation/delegation.ts';
import { diagnosePlatform, installCommand, type MachineFacts } from '../src/isolation/diagnosis.ts';
import { isAtLeast } from '../src/isolation/machine.ts';
import { pageSizeOf, parsePeak, parseStat } from '../src/isolation/polling.ts';
import { landlockLayer, missingProtection, writableMounts } from '../src/isolation/protection.ts';

const machine: MachineFacts = {
  platform: 'linux',
  architecture: 'x64',
  osRelease: 'ID=ubuntu\nID_LIKE=debian\n',
  apparmorRestrictsUserns: null,
  unprivilegedUsernsClone: null,
  maxUserNamespaces: '95000\n',
  inContainer: false,
};

describe('diagnosis', () => {
  it('JDG-8 names the cause and one line that mends it', () => {
    const denied = 'bwrap: setting up uid map: Permission denied';
    const ubuntu = diagnoseRefusal(denied, { ...machine, apparmorRestrictsUserns: '1\n' });
    expect(ubuntu.cause).toContain('AppArmor');
    expect(ubuntu.remedy).toContain('apparmor_parser');
    expect(ubuntu.remedy).not.toContain('\n');
    expect(
      diagnoseRefusal('bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', {
        ...machine,
        apparmorRestrictsUserns: '1',
      }),
    ).toEqual(ubuntu);
    expect(
      diagnoseRefusal('bwrap: No permissions to create new namespace', {
        ...machine,
        unprivilegedUsernsClone: '0',
      }).remedy,
    ).toBe('sudo sysctl -w kernel.unprivileged_userns_clone=1');
    expect(
      diagnoseRefusal('bwrap: Creating new namespace failed: No space left on device', {
        ...machine,
        maxUserNamespaces: '0',
      }).remedy,
    ).toContain('max_user_namespaces');
    expect(
      diagnoseRefusal("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {
        ...machine,
        inContainer: true,
      }).remedy,
    ).toContain('systempaths=unconfined');
    expect(diagnoseRefusal('bwrap: Unknown option --disable-userns', machine).cause).toContain('too old');
    expect(diagnoseRefusal('something else', machine).cause).toContain('something else');
  });

  it('JDG-8 says so where there can be no sandbox at all', () => {
    expect(diagnosePlatform({ ...machine, platform: 'darwin' })?.cause).toContain('darwin');
    expect(diagnosePlatform({ ...machine, architecture: 'riscv64' })?.cause).toContain('riscv64');
    expect(diagnosePlatform(machine)).toBeNull();
  });

  it('JDG-8 knows how software is installed here', () => {
    expect(installCommand('ID=ubuntu', 'bubblewrap')).toBe('sudo apt-get install -y bubblewrap');
    expect(installCommand('ID="rocky"\nID_LIKE="rhel centos fedora"', 'bubblewrap')).toBe(
      'sudo dnf install -y bubblewrap',
    );
    expect(installCommand('ID=alpine', 'x')).toBe('sudo apk add x');
    expect(installCommand(null, 'x')).toContain('package manager');
    expect([
      isAtLeast('0.8.0', [0, 8]),
      isAtLeast('0.10.0', [0, 8]),
      isAtLeast('0.7.9', [0, 8]),
      isAtLeast('3.12.1', [3, 9]),
    ]).toEqual([true, true, false, true]);
  });
});

describe('what the kernel says', () => {
  it('JDG-10 mounts, own groups and events of both versions', () => {
    const mountinfo = [
      '31 24 0:27 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory',
      '32 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
      '33 24 0:29 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate',
      '34 24 0:30 / /proc rw - proc proc rw',
    ].join('\n');
    expect(parseCgroupMounts(mountinfo)).toEqual([
      { root: '/', point: '/sys/fs/cgroup/memory', type: 'cgroup', options: ['rw', 'memory'] },
      { root: '/', point: '/sys/fs/cgroup/cpu,cpuacct', type: 'cgroup', options: ['rw', 'cpu', 'cpuacct'] },
      { root: '/docker/x', point: '/sys/fs/cgroup', type: 'cgroup2', options: ['rw', 'nsdelegate'] },
    ]);
    const own = parseOwnCgroups('4:memory:/a:b\n2:cpu,cpuacct:/c\n0::/user.slice\n');
    expect([own.get('memory'), own.get('cpuacct'), own.get('')]).toEqual(['/a:b', '/c', '/user.slice']);
    expect([keyedValue('low 0\nmax 3\noom_kill 2\n', 'oom_kill'), keyedValue('x 1', 'max')]).toEqual([2, 0]);
  });

  it('JDG-10 a process whose name is full of brackets and blanks', () => {
    const fields = Array.from({ length: 50 }, (_, index) => index + 3);
    expect(parseStat(`12 (a ) b) (c) ${fields.join(' ')}`, 4096)).toEqual({
      userMs: (14 + 16) * 10,
      systemMs: (15 + 17) * 10,
      threads: 20,
      residentBytes: 24 * 4096,
    });
    expect(parseStat('', 4096)).toBeNull();
  });

  it('JDG-10 memory is counted in the pages of this kernel, which are not 4 KiB on every arm64', () => {
    const auxv = (...pairs: [number, number][]) =>
      Buffer.concat(pairs.map((pair) => Buffer.from(new BigUint64Array(pair.map(BigInt)).buffer)));
    expect(pageSizeOf(auxv([33, 1], [6, 16_384], [0, 0]))).toBe(16_384);
    expect(pageSizeOf(auxv([33, 1], [0, 0]))).toBe(4096);
    const line = `1 (x) ${Array.from({ length: 50 }, () => 3).join(' ')}`;
    expect(parseStat(line, 16_384)?.residentBytes).toBe(3 * 16_384);
  });

  it('JDG-10 the unit of a cgroup, and whose it is, so that systemd can be asked whether it was delegated', () => {
    const scope = '/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-r2f.scope';
    expect(unitOf(scope)).toEqual({ name: 'run-r2f.scope', owner: 1000 });
    expect(unitOf('/sys/fs/cgroup/system.slice/judge.service')).toEqual({
      name: 'judge.service',
      owner: null,
    });
    expect(unitOf('/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service')?.owner).toBeNull();
    expect(unitOf('/sys/fs/cgroup')).toBeNull();
    expect(unitOf(`${scope}/leader`)).toBeNull();
  });

  it('JDG-10 a group that no unit of systemd is called is not taken for a delegated one', async () => {
    expect(await isDelegated('/sys/fs/cgroup')).toBe(false);
    expect(await isDelegated('/sys/fs/cgroup/nobody-has-this.scope')).toBe(false);
  });

  it('JDG-1 Landlock is said to keep a box from TCP only where its version does', () => {
    expect(landlockLayer(2)).toMatchObject({ inForce: true, detail: expect.not.stringContaining('TCP') });
    expect(landlockLayer(4)).toMatchObject({ inForce: true, detail: expect.stringContaining('no TCP') });
    expect(landlockLayer(0)).toMatchObject({ inForce: false });
  });

  it('JDG-9 a box in which one of the indispensable layers is missing is refused', () => {
    expect(writableMounts('1 2 0:1 / / ro,nosuid - tmpfs x rw\n2 2 0:1 / /box rw - tmpfs x rw')).toEqual([
      '/box',
    ]);
    const layer = (name: 'seccomp-profile' | 'cgroup', inForce: boolean) => ({ name, inForce, detail: 'd' });
    expect(missingProtection([layer('seccomp-profile', false), layer('cgroup', false)])).toEqual([
      'seccomp-profile: d',
    ]);
    expect(missingProtection([layer('seccomp-profile', true)])).toEqual([]);
  });

  it('JDG-10 a process that gave memory back is known by its high-water mark', () => {
    expect(parsePeak('Name:\tx\nVmPeak:\t 900000 kB\nVmHWM:\t  812345 kB\nVmRSS:\t  10 kB\n')).toBe(
      812345 * 1024,
    );
    expect(parsePeak('')).toBe(0);
  });
});
