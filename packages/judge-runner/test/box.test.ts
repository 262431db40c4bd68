import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createJudge,
  type DetectedSandbox,
  detectSandbox,
  type Judge,
  type Limits,
  mergeLimits,
  probeSandbox,
  type TaggedJson,
} from '../src/index.ts';
import { attempt, hiddenAttempts, limitCases, mib, suite } from './box-cases.ts';
import { slowness } from './slow-machine.ts';

let sandbox: DetectedSandbox;
let judge: Judge;
/** The same without cgroups. */
let polled: Judge;
/** The same without the supervisor of system calls. */
let unsupervised: Judge;
const others: DetectedSandbox[] = [];
beforeAll(async () => {
  sandbox = await detectSandbox();
  judge = createJudge({ sandbox });
  others.push(await detectSandbox({ cgroups: 'none' }), await detectSandbox({ supervisor: false }));
  polled = createJudge({ ...(others[0] && { sandbox: others[0] }) });
  unsupervised = createJudge({ ...(others[1] && { sandbox: others[1] }) });
});
afterAll(async () => {
  await Promise.all([judge, polled, unsupervised].map((each) => each?.close()));
  await Promise.all([sandbox, ...others].map((each) => each?.close()));
});

const run = (source: string, limits: Partial<Limits> = {}, by: Judge = judge) =>
  by.run({ artifact: { language: 'python', source }, suite: suite(limits) });
/** What an expression is inside the box, in Python notation. */
const inside = async (expression: string, more = '', by = judge): Promise<string | null> => {
  const verdict = await run(`import os\n${more}\ndef solve(): return ${expression}`, {}, by);
  return verdict.transcript[0]?.answer ?? verdict.summary;
};

describe('the box, from inside', () => {
  it('JDG-9 shows no environment, no host name, no other process and no descriptor but its own', async () => {
    process.env.BONAFIDE_TEST_SECRET = 'secret';
    expect(
      await inside(`[x in str(dict(os.environ)) for x in ('SECRET', 'NODE', 'VITEST', '/root', '/home')]`),
    ).toBe('[False, False, False, False, False]');
    // The supervisor would name the attempt; what is there must be harmless without it, too.
    const environ = `''.join(open('/proc/' + p + '/' + 'environ').read() for p in ('1', 'self'))`;
    const unwatched = await unsupervised.run({
      artifact: {
        language: 'python',
        source: `def solve(): return [x in (${environ}) for x in ('SECRET', 'NODE', 'VITEST', '/root', '/home')]`,
      },
      suite: suite(),
    });
    // AppArmor lets nobody look in the first place.
    const denied = unwatched.protection.some((layer) => layer.name === 'apparmor' && layer.inForce);
    expect(unwatched.transcript[0]?.answer).toMatch(
      denied ? /^raised PermissionError/ : /^\[False, False, False, False, False\]$/,
    );
    expect(
      await inside(`[os.uname().nodename, os.getpid(), [p for p in os.listdir('/proc') if p.isdigit()]]`),
    ).toBe('["sandbox", 1, ["1"]]');
    expect(await inside(`open('/proc/1/cmdline').read().count('--')`)).toBe('0');
    // One more is open while the folder is listed.
    expect(await inside(`len(os.listdir('/proc/self/fd'))`)).toBe('6');
  });

  it('JDG-9 is nobody, without capabilities, with two filters', async () => {
    const status = `{l.split(':')[0]: l.split()[1] for l in open('/proc/self/status') if l.startswith(('Uid', 'Cap', 'NoNew', 'Seccomp'))}`;
    const answer = await inside(`sorted((${status}).items())`);
    expect(answer).toContain('("Uid", "65534")');
    expect(answer?.match(/"0000000000000000"/g)).toHaveLength(5);
    expect(answer).toContain('("NoNewPrivs", "1")');
    expect(answer).toContain('("Seccomp", "2")');
    expect(answer).toContain('("Seccomp_filters", "2")');
  });

  it('JDG-9 has nothing but the language, and nothing to write to but /box and /dev/shm', async () => {
    expect(await inside(`sorted(os.listdir('/'))`)).not.toMatch(/root|home|tmp|var|sys|run|mnt|opt/);
    expect(await inside(`os.listdir('/etc')`)).toBe('["ld.so.cache"]');
    const folders = [
      '/',
      '/dev',
      '/usr',
      '/usr/lib',
      '/etc',
      '/judge',
      '/artifact',
      '/proc',
      '/box',
      '/dev/shm',
    ];
    expect(await inside(`[attempt(p) for p in ${JSON.stringify(folders)}]`, attempt, unsupervised)).toBe(
      `[${folders.map((folder) => (folder === '/box' || folder === '/dev/shm' ? 'True' : 'False')).join(', ')}]`,
    );
    expect(await inside(`[open(p, 'a') for p in ('/artifact/solution.py',)]`)).toMatch(
      /^raised OSError|PermissionError/,
    );
    expect(await inside('[l.split()[0] for l in open("/proc/net/dev").readlines()[2:]]')).toBe('["lo:"]');
  });

  it('JDG-9 sizes the work folder as the limit says', async () => {
    const size = 'import os\ndef solve():\n    s = os.statvfs("/box")\n    return s.f_blocks * s.f_frsize';
    const verdict = await judge.run({
      artifact: { language: 'python', source: size },
      suite: suite({ diskBytes: 8 * 1024 * 1024 }, { profile: 'EXTENDED' }),
    });
    expect(verdict.transcript[0]?.answer).toBe(String(8 * 1024 * 1024));
  });
});

describe('the box, from outside', () => {
  it('JDG-1 reports the layers that were in force in this very run', async () => {
    const verdict = await run('def solve(): return True');
    const missing = verdict.protection.filter((layer) => !layer.inForce).map((layer) => layer.name);
    const cgroup = sandbox.report.checks.find((check) => check.name === 'cgroup');
    const version = verdict.protection.find((layer) => layer.name === 'landlock')?.inForce;
    // Named where the kernel has it, in force where the profile was loaded as well.
    const apparmor = verdict.protection.find((layer) => layer.name === 'apparmor');
    expect(missing).toEqual([
      ...(cgroup?.status === 'ok' ? [] : ['cgroup']),
      ...(version ? [] : ['landlock']),
      ...(apparmor && !apparmor.inForce ? ['apparmor'] : []),
    ]);
    if (process.getuid?.() === 0)
      expect(verdict.protection.find((layer) => layer.name === 'uid')?.detail).toBe('runs as 65534 outside');
  });

  it('JDG-11 names a forbidden system call as evidence', async () => {
    const verdict = await run('import socket\ndef solve(): socket.socket(); return True');
    expect(verdict).toMatchObject({
      outcome: 'SECURITY_VIOLATION',
      errorKind: null,
      violations: [{ kind: 'syscall' }],
    });
    expect(verdict.violations[0]?.evidence).toMatch(/^It called socket\(0x2, 0x8?0{0,4}1, 0x0\)/);
    const unnamed = await unsupervised.run({
      artifact: { language: 'python', source: 'import socket\ndef solve(): socket.socket(); return True' },
      suite: suite(),
    });
    expect(unnamed.violations[0]?.evidence).toContain('SIGSYS');
    expect(unnamed.protection.find((layer) => layer.name === 'syscall-supervisor')?.inForce).toBe(false);
  });

  it('JDG-11 names what a child process does, however deep, and a path behind links and dots', async () => {
    const verdicts = await Promise.all(
      hiddenAttempts.map(([source]) =>
        judge.run({
          artifact: { language: 'python', source: `${source}\ndef solve(): return True` },
          suite: suite({}, { profile: 'PROCESSES' }),
        }),
      ),
    );
    for (const [index, verdict] of verdicts.entries()) {
      expect(verdict.outcome, `${hiddenAttempts[index]?.[0]} ${verdict.stderr}`).toBe('SECURITY_VIOLATION');
      expect(verdict.violations[0]?.evidence).toMatch(hiddenAttempts[index]?.[1] ?? /^$/);
    }
  });

  it('JDG-9 PROCESSES lets processes run, and is refused where they could not be watched', async () => {
    const source =
      'import subprocess, sys, multiprocessing\ndef solve():\n  out = subprocess.run([sys.executable, "-S", "-c", "print(42)"], capture_output=True).stdout\n  return out == b"42\\n"';
    const request = {
      artifact: { language: 'python', source },
      suite: suite({}, { profile: 'PROCESSES' }),
    } as const;
    const verdict = await judge.run(request);
    expect(verdict.outcome, JSON.stringify(verdict)).toBe('SUCCESS');
    await expect(unsupervised.run(request)).rejects.toMatchObject({ code: 'SUITE_UNSUPPORTED' });
  });

  it('JDG-11 a supervisor that dies ends a run, which is repeated with a new one (JDG-20)', async () => {
    const { stdout } = await inChild(`
      const { existsSync, readFileSync, readdirSync } = await import('node:fs');
      const below = (pid) => readdirSync('/proc/' + pid + '/task').flatMap((task) => readFileSync('/proc/' + pid + '/task/' + task + '/children', 'utf8').split(' ').filter(Boolean));
      const helper = () => Number(below(process.pid).find((pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('Receives the system calls')));
      let opened = 0;
      // It dies while the first box of the program is watched, before the program is asked anything.
      const dying = { ...sandbox, close: async () => {}, async open(spec) {
        const box = await sandbox.open(spec);
        if (spec.artifact?.source !== 'def solve(): return True') return box;
        opened += 1;
        if (opened > 1) return box;
        const pid = helper();
        process.kill(pid, 'SIGKILL');
        while (existsSync('/proc/' + pid)) await new Promise((resolve) => setTimeout(resolve, 5));
        return box;
      } };
      const watched = createJudge({ sandbox: dying });
      const verdict = await watched.run({ artifact: { language: 'python', source: 'def solve(): return True' }, suite: ${JSON.stringify(suite())} });
      process.stdout.write(JSON.stringify([verdict.outcome, opened]));
      await watched.close();
      await judge.close();
    `);
    expect(JSON.parse(stdout)).toEqual(['SUCCESS', 2]);
  });

  it('JDG-11 an innocent call that is refused raises an error in the program and no accusation', async () => {
    const verdict = await run(
      'import os\ndef solve():\n    try: os.symlink("/box/x", "/box/y")\n    except OSError as e: return e.errno == 30',
    );
    expect(verdict.outcome).toBe('SUCCESS');
  });

  it('JDG-11 whether a process is there may be asked, and no signal is sent', async () => {
    const sent = (signal: number) =>
      run(`import os\ndef solve(): return os.kill(os.getpid(), ${signal}) is None`);
    expect((await sent(0)).outcome).toBe('SUCCESS');
    expect((await sent(10)).outcome).toBe('SECURITY_VIOLATION');
  });

  for (const [name, source, limits, kind] of limitCases) {
    it(`JDG-10 tells ${name} apart`, async () => {
      const verdict = await run(source, limits);
      expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', kind]);
    });

    it(`JDG-10 tells ${name} apart without cgroups`, async () => {
      const verdict = await run(source, limits, polled);
      expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', kind]);
      expect(verdict.metrics.approximate).toBe(true);
    });
  }

  it('JDG-16 programs of the judge are shown in their compiled form once they are compiled', async () => {
    await expect.poll(() => inside(`'worker.pyc' in os.listdir('/judge')`)).toBe('True');
    expect(await inside(`[n for n in os.listdir('/judge') if n.endswith('.py')]`)).toBe('[]');
  });

  it('JDG-25 a box yields to the event loop of the judge, by its cgroup or by its niceness', async () => {
    const niceness = await run(
      'def solve(): return int(open("/proc/self/stat").read().split()[18])',
      {},
      polled,
    );
    expect(niceness.transcript[0]?.answer).toBe('3');
    if (sandbox.report.checks.some((check) => check.name === 'cgroup' && check.status !== 'ok')) return;
    const artifact = { language: 'python', source: '' } as const;
    const box = await sandbox.open({ artifact, profile: 'STRICT', limits: mergeLimits() });
    const weights = foldersOf(sandbox)
      .flatMap((folder) => groupsOf(process.pid).map((group) => join(folder, group)))
      .flatMap((group) => ['cpu.shares', 'cpu.weight'].map((file) => join(group, file)))
      .filter((file) => existsSync(file))
      .map((file) => Number(readFileSync(file, 'utf8')));
    await box.close();
    expect(weights.length).toBeGreaterThan(0);
    for (const weight of weights) expect([512, 50]).toContain(weight);
  });

  it('JDG-10 soft limits are reported and change nothing', async () => {
    const source = 'x = bytearray(b"x" * (64 << 20))\ndef solve(): return sum(range(10**6)) > 0';
    const verdict = await run(source, { memorySoftBytes: 16 * mib, cpuSoftMs: 1 });
    expect(verdict.outcome).toBe('SUCCESS');
    expect(verdict.metrics.softLimits).toEqual({ cpu: true, memory: true });
    expect(verdict.metrics.memoryPeakBytes).toBeGreaterThan(60 * mib);
  });

  it('JDG-16 an aborted run rejects with the reason while its program would still run', async () => {
    for (const source of ['while True: pass', 'import time\ntime.sleep(60)']) {
      const controller = new AbortController();
      const running = judge.run({
        artifact: { language: 'python', source },
        suite: suite(),
        signal: controller.signal,
      });
      const failed = running.catch((reason: unknown) => reason);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await failed).toBe(reason);
    }
    const aborted = judge.run({
      artifact: { language: 'python', source: '' },
      suite: suite(),
      signal: AbortSignal.abort('no'),
    });
    await expect(aborted).rejects.toBe('no');
  });

  it('JDG-15 leaves no process, no cgroup and no folder behind', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'judge-runner-'));
    const { stdout } = await inChild(
      `
      const sources = ['def solve(): return True', 'while True: pass', 'import os\\nos._exit(1)', 'import socket\\nsocket.socket()'];
      const suite = ${JSON.stringify(suite({ cpuHardMs: 200 }))};
      await Promise.all(sources.map((source) => judge.run({ artifact: { language: 'python', source }, suite })));
      await judge.close();
      await sandbox.close();
      // A closed handle is freed a turn later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { readFileSync, readdirSync } = await import('node:fs');
      const children = readdirSync('/proc/self/task').map((task) => readFileSync('/proc/self/task/' + task + '/children', 'utf8')).join('').trim();
      process.stdout.write(JSON.stringify({ pid: process.pid, children, handles: process.getActiveResourcesInfo() }));
    `,
      '',
      temporary,
    );
    const told = JSON.parse(stdout) as { pid: number; children: string; handles: string[] };
    expect(told.children).toBe('');
    expect(told.handles.filter((name) => /Timeout|Process/.test(name))).toEqual([]);
    expect(groupsOf(told.pid)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  });

  it('X-8 boxes die with a judge that is killed, and the next one clears its cgroups away', async () => {
    const child = execFile(process.execPath, [
      '--input-type=module',
      '-e',
      childScript(`
      const suite = ${JSON.stringify(suite())};
      await judge.run({ artifact: { language: 'python', source: 'def solve(): return True' }, suite });
      void judge.run({ artifact: { language: 'python', source: 'while True: pass' }, suite });
      setTimeout(() => process.stdout.write('running'), ${300 * slowness});
    `),
    ]);
    const [said = ''] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
    expect(String(said)).toBe('running');
    const pid = child.pid ?? 0;
    const limit = { timeout: 240_000 * slowness };
    await expect.poll(() => treeBelow(pid).length, limit).toBeGreaterThanOrEqual(2);
    const descendants = treeBelow(pid);
    child.kill('SIGKILL');
    await expect.poll(() => descendants.filter((each) => existsSync(`/proc/${each}`)), limit).toEqual([]);
    await detectSandbox();
    expect(groupsOf(pid)).toEqual([]);
  });

  it('JDG-8 the report says what was found and what to do, and never throws', async () => {
    const report = await probeSandbox();
    expect(report.usable).toBe(true);
    expect(report.checks.map((check) => check.name)).toEqual([
      'platform',
      'bubblewrap',
      'prlimit',
      'python',
      'cgroup',
      'supervisor',
      'box',
    ]);
    expect(report.layers.length).toBeGreaterThan(8);
    const broken = await probeSandbox({ python: '/nonexistent' });
    expect(broken.usable).toBe(false);
    expect(broken.checks.find((check) => check.name === 'python')).toMatchObject({ status: 'failed' });
    expect(broken.checks.find((check) => check.name === 'python')?.remedy).toMatch(/python3/);
  });

  it.runIf(process.getuid?.() === 0)('JDG-15 works for an ordinary user just the same', async () => {
    const { stdout } = await inChild(
      `
      const suite = ${JSON.stringify(suite({ wallMs: 240_000 * slowness, cpuHardMs: 3_000 * slowness, memoryHardBytes: 128 * mib }))};
      const outcomes = [];
      for (const source of ${JSON.stringify([
        'def solve(): return True',
        'def solve(): return False',
        'import socket\nsocket.socket()',
        'while True: pass',
        'def solve(): return len(bytearray(b"x" * (400 << 20)))',
      ])}) {
        const v = await judge.run({ artifact: { language: 'python', source }, suite });
        outcomes.push([v.outcome, v.errorKind]);
      }
      const uid = sandbox.report.layers.find((layer) => layer.name === 'uid').detail;
      process.stdout.write(JSON.stringify({ outcomes, uid }));
      await judge.close();
    `,
      // What is read from the package's folder is read while that is still allowed.
      'await detectSandbox(); process.setgroups([]); process.setgid(4242); process.setuid(4242);',
    );
    const told = JSON.parse(stdout) as { outcomes: TaggedJson; uid: string };
    expect(told.outcomes).toEqual([
      ['SUCCESS', null],
      ['FAILURE', null],
      ['SECURITY_VIOLATION', null],
      ['ERROR', 'cpu'],
      ['ERROR', 'oom'],
    ]);
    expect(told.uid).toContain('4242');
  });
});

const childScript = (body: string, before = ''): string => `
  const { createJudge, detectSandbox } = await import(${JSON.stringify(resolve(import.meta.dirname, '../src/index.ts'))});
  ${before}
  const sandbox = await detectSandbox();
  const judge = createJudge({ sandbox });
  ${body}
  await sandbox.close();
`;

const inChild = (body: string, before = '', temporary = tmpdir()) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', childScript(body, before)], {
    env: { ...process.env, TMPDIR: temporary },
  });

/** Folders in which a sandbox makes cgroups. */
function foldersOf({ report }: DetectedSandbox): string[] {
  const found = report.checks.find((check) => check.name === 'cgroup' && check.status === 'ok');
  return (found?.detail ?? '')
    .replace(/^version \d[^:]*: /, '')
    .split(', ')
    .filter(Boolean);
}

/** Cgroups that a judge with this process id made. Only looks: detecting would clear a dead judge's away. */
function groupsOf(pid: number): string[] {
  return foldersOf(sandbox).flatMap((folder) =>
    readdirSync(folder).filter((name) => name.startsWith(`bonafide-judge-${pid}-`)),
  );
}

function treeBelow(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...treeBelow(child)]);
}
