// Proves the judge on machines that this one is not: another kernel, cgroup v2 with systemd, AppArmor, arm64.
// Builds a guest of Debian or Ubuntu, boots it in an emulator and runs the judge's own tests in it, as several users.
// docs/guides/judge-on-other-machines.md says how to use it. Needs root, since a guest's files have owners.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

const guests = {
  'bookworm-x64': { suite: 'bookworm', arch: 'amd64', kernel: 'linux-image-amd64' },
  'bookworm-arm64': { suite: 'bookworm', arch: 'arm64', kernel: 'linux-image-arm64' },
  'trixie-x64': { suite: 'trixie', arch: 'amd64', kernel: 'linux-image-amd64' },
  'noble-x64': { suite: 'noble', arch: 'amd64', kernel: 'linux-image-virtual' },
};
const machines = {
  amd64: {
    cpu: 'x64',
    console: 'ttyS0',
    emulator: ['qemu-system-x86_64', '-cpu', 'max'],
  },
  arm64: {
    cpu: 'arm64',
    console: 'ttyAMA0',
    emulator: ['qemu-system-aarch64', '-M', 'virt', '-cpu', 'neoverse-n1'],
  },
};
const software = [
  ...['systemd', 'systemd-sysv', 'libpam-systemd', 'dbus', 'dbus-user-session', 'udev', 'kmod', 'procps'],
  ...[
    'bubblewrap',
    'python3',
    'python3-pytest',
    'util-linux',
    'apparmor',
    'apparmor-utils',
    'initramfs-tools',
    'libstdc++6',
  ],
];

const { values } = parseArgs({
  options: {
    guest: { type: 'string', default: 'bookworm-x64' },
    // root: a service; delegated: a user's scope with cgroups; session: a user without any.
    as: { type: 'string', default: 'root,delegated,session' },
    tests: { type: 'string', default: 'box,diagnose,supervisor,corpus' },
    // An emulator is some ten times slower; the limits of the tests grow by this factor.
    patience: { type: 'string', default: '10' },
    memory: { type: 'string', default: '4096' },
    hours: { type: 'string', default: '2' },
    // Of the guest's archive, where this machine does not have it (Ubuntu's, say).
    keyring: { type: 'string' },
    // Images are kept here and used again; remove it to build them anew.
    folder: { type: 'string', default: '/var/tmp/bonafide-vm' },
  },
});
const guest = guests[values.guest];
if (!guest) throw new Error(`There are: ${Object.keys(guests).join(', ')}`);
if (process.getuid?.() !== 0)
  throw new Error('Run this as root, in a machine of which nothing else is expected');
const machine = machines[guest.arch];
const at = (...path) => join(values.folder, ...path);
const system = at(`${values.guest}`);
const workspace = at('workspace');
const share = at(`${values.guest}-share`);

function run(command, args, cwd = values.folder) {
  console.error(`$ ${command} ${args.join(' ').slice(0, 160)}`);
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} failed`);
}

/** An ext4 image of a folder. */
function makeImage(folder, image, megabytes) {
  rmSync(image, { force: true });
  run('truncate', ['-s', `${megabytes}M`, image]);
  run('mke2fs', ['-q', '-t', 'ext4', '-d', folder, image]);
}

function debootstrap() {
  const unfinished = `${system}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  run('mmdebstrap', [
    ...[`--arch=${guest.arch}`, '--variant=minbase', `--include=${[guest.kernel, ...software].join(',')}`],
    // Where Ubuntu has pytest; Debian has no such component, and everything in main.
    ...(guest.suite === 'noble' ? ['--components=main,universe'] : []),
    ...(values.keyring === undefined ? [] : [`--keyring=${resolve(values.keyring)}`]),
    ...[guest.suite, unfinished],
  ]);
  renameSync(unfinished, system);
}

/** The guest's system: boots, mounts the share, runs guest.sh of the workspace, and powers off. */
function buildSystem() {
  if (existsSync(`${system}.img`)) return;
  if (!existsSync(system)) debootstrap();

  const write = (path, text) => writeFileSync(join(system, path), text);
  write('etc/hostname', 'guest\n');
  write('etc/hosts', '127.0.0.1 localhost guest\n');
  write('etc/fstab', '/dev/vda / ext4 defaults 0 0\n/dev/vdb /opt/bonafide ext4 defaults 0 0\n');
  for (const folder of ['opt/bonafide', 'share', 'var/lib/systemd/linger'])
    mkdirSync(join(system, folder), { recursive: true });
  run('chroot', [system, 'useradd', '--create-home', '--uid', '1000', 'tester']);
  write('var/lib/systemd/linger/tester', '');
  write(
    'etc/systemd/system/prove.service',
    `[Unit]
After=multi-user.target user@1000.service
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStartPre=/bin/sh -c 'modprobe 9pnet_virtio; mount -t 9p -o trans=virtio,version=9p2000.L share /share'
ExecStart=/bin/bash /opt/bonafide/scripts/vm/guest.sh
ExecStopPost=/bin/systemctl poweroff --force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
`,
  );
  const wants = join(system, 'etc/systemd/system/graphical.target.wants');
  mkdirSync(wants, { recursive: true });
  run('ln', ['-sf', '../prove.service', wants]);
  run('ln', [
    '-sf',
    '/lib/systemd/system/graphical.target',
    join(system, 'etc/systemd/system/default.target'),
  ]);
  for (const timer of ['apt-daily', 'apt-daily-upgrade'])
    run('ln', ['-sf', '/dev/null', join(system, `etc/systemd/system/${timer}.timer`)]);
  makeImage(system, `${system}.img`, 3072);
}

/** The committed files, with the packages of both architectures. */
function buildWorkspace() {
  rmSync(workspace, { recursive: true, force: true });
  run('git', ['clone', '--quiet', root, workspace]);
  const settings = join(workspace, 'pnpm-workspace.yaml');
  const platforms = 'supportedArchitectures:\n  os: [linux]\n  cpu: [x64, arm64]\n  libc: [glibc]\n';
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\n${platforms}`);
  const filters = ['bonafide', '@bonafide/judge-runner...'].flatMap((name) => ['--filter', name]);
  run('pnpm', ['install', '--no-frozen-lockfile', '--reporter=append-only', ...filters], workspace);
  makeImage(workspace, at(`${values.guest}-workspace.img`), 2560);
}

/** Boots the guest; resolves when it has powered itself off. */
function boot() {
  rmSync(share, { recursive: true, force: true });
  mkdirSync(share, { recursive: true });
  const settings = {
    NODE: `/opt/bonafide/node_modules/node-linux-${machine.cpu}/bin/node`,
    USERS: values.as.replaceAll(',', ' '),
    TESTS: values.tests.replaceAll(',', ' '),
    JUDGE_PATIENCE: String(Number(values.patience)),
  };
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(join(share, 'settings.sh'), lines.join(''));
  const inBoot = (prefix) => {
    const name = readdirSync(join(system, 'boot')).find((each) => each.startsWith(prefix));
    if (name === undefined) throw new Error(`There is no ${prefix} in ${system}/boot`);
    return join(system, 'boot', name);
  };
  const disk = (image) => ['-drive', `file=${image},format=raw,if=virtio,snapshot=on`];
  const [emulator = '', ...options] = machine.emulator;
  const args = [
    ...['-n', '10', emulator, ...options, '-accel', 'tcg,thread=multi', '-smp', '2', '-m', values.memory],
    ...['-nographic', '-no-reboot', '-nic', 'none'],
    ...['-kernel', inBoot('vmlinuz-'), '-initrd', inBoot('initrd.img-')],
    ...['-append', `root=/dev/vda rw quiet no_timer_check console=${machine.console}`],
    ...[...disk(`${system}.img`), ...disk(at(`${values.guest}-workspace.img`))],
    ...['-virtfs', `local,path=${share},mount_tag=share,security_model=none,id=share`],
  ];
  const timeout = Number(values.hours) * 3_600_000;
  const child = spawn('nice', args, { stdio: ['ignore', process.stderr, process.stderr], timeout });
  return new Promise((done, failed) => child.on('error', failed).on('exit', done));
}

/** Results of the tests, one row per user and test file. */
function report() {
  const machineText = readFileSync(join(share, 'machine.txt'), 'utf8').trim();
  console.log(`${values.guest}: ${machineText}\n`);
  console.log('| as | cgroup | tests | passed | failed |\n|---|---|---|---:|---:|');
  const failures = [];
  for (const user of values.as.split(',')) {
    const cgroup = readFileSync(join(share, `${user}.cgroup.txt`), 'utf8').trim();
    for (const test of values.tests.split(',')) {
      const file = join(share, `${user}-${test}.json`);
      const found = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
      const [passed, failed] = [found?.numPassedTests ?? 'did not end', found?.numFailedTests ?? ''];
      console.log(`| ${user} | ${cgroup} | ${test} | ${passed} | ${failed} |`);
      for (const result of found?.testResults.flatMap((each) => each.assertionResults) ?? []) {
        if (result.status === 'failed')
          failures.push(`${user}: ${result.fullName}: ${result.failureMessages.join(' ').split('\n')[0]}`);
      }
      if (found === null || found.numFailedTests > 0) process.exitCode = 1;
    }
  }
  if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
}

mkdirSync(values.folder, { recursive: true });
buildSystem();
buildWorkspace();
await boot();
report();
